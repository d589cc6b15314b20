import type { Word } from "../parse/tree.ts";
import type { ProgramUse } from "./use.ts";

/**
 * A use of a file, and the same of what else it may name: the file behind a prefix (`png:/x`, `name=@x`, `@x`), each of a
 * list (`a,b`); what is counted out (`{a,b}`) cannot be known. For programs that take such names.
 */
export function withTails(use: ProgramUse, why: string): readonly ProgramUse[] {
  return namesOf(use.value).flatMap((value) => tailsOf({ ...use, value }, why));
}

/** The words that a word may be, where a loop or braces say so. */
export function namesOf(word: Word): readonly Word[] {
  return (word.oneOf ?? [word]).flatMap((each) => each.choices ?? [each]);
}

function tailsOf(use: ProgramUse, why: string): readonly ProgramUse[] {
  const { shape } = use.value;
  if (/[{}[\]]/.test(shape)) return [use, { ...use, kind: "unknown", why }];
  const lists = shape.split(",");
  const tails = [...lists, ...[shape, ...lists].flatMap(behindPrefix)];
  const names = new Set(tails.filter((tail) => tail !== "" && tail !== shape));
  return [use, ...Array.from(names, (tail) => ({ ...use, value: named(use.value, tail) }))];
}

function behindPrefix(text: string): readonly string[] {
  return [/^[\w.+-]*[:=]@?(.*)$/s, /^[^=]*=@?(.*)$/s, /^@(.*)$/s]
    .flatMap((prefix) => prefix.exec(text)?.[1] ?? []);
}

function named(word: Word, text: string): Word {
  return { ...word, text, shape: text };
}
