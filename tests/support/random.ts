/** A source of numbers that always gives the same ones for the same seed (mulberry32). */
export interface Random {
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number;
  /** One of the choices. */
  pick<T>(choices: readonly T[]): T;
  /** Text of up to `most` of the choices, joined. */
  text(choices: readonly string[], most: number): string;
}

/** Numbers for a test that wants many cheap cases; fast-check is for those that want to shrink. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  const below = (end: number) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  };
  const pick = <T>(choices: readonly T[]) => choices[below(choices.length)]!;
  const text = (choices: readonly string[], most: number) => {
    let made = "";
    for (let left = below(most + 1); left > 0; left--) made += pick(choices);
    return made;
  };
  return { below, pick, text };
}
