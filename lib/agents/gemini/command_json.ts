import { type Glob, literalGlob } from "../../pattern/glob.ts";

/** An expression over the JSON of a call that begins with its command. */
export function commandOf(args: string | undefined): string | undefined {
  return /^"command":"(.*)$/s.exec(args ?? "")?.[1];
}

/** A glob over JSON as a glob over the command: a quote ends it. Undefined for characters that JSON escapes. */
export function commandGlob(glob: Glob): Glob | undefined {
  const [text, last] = [glob.at(-2), glob.at(-1)];
  const ends = last?.kind === "star" && text?.kind === "text" && text.text.endsWith('"');
  const rest: Glob = ends ? [...glob.slice(0, -2), ...literalGlob(text.text.slice(0, -1))] : glob;
  const isInexact = rest.some((token, index) =>
    token.kind === "text" && /["\\]/.test(token.text) ||
    token.kind === "anyChar" && rest[index + 1]?.kind !== "star"
  );
  return isInexact ? undefined : rest;
}
