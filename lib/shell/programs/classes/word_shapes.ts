import type { Word } from "../../parse/tree.ts";
import { ALWAYS } from "../program.ts";
import type { Level } from "../program_use.ts";

/** The shapes of names that a service knows, so that a word is no URL, host or folder. */
const SHAPES = {
  /** A package of the registry, perhaps in a scope and with a range of versions, or a field of one. */
  package:
    /^(?!.*\.(?:tgz|tar|tar\.gz)$)(?:@[\w-][\w.-]*\/)?[\w][\w.+-]*(?:\[[\w,.-]*\][\w.+-]*)*(?:@[\w.+*^~<>=| -]*|[<>=!~]=?[\w.+*-]*)?$/i,
  /** An image of the registry that the user configured: no host before its first slash. */
  image: /^(?!localhost(?:\/|$))[\w-]+(?:\/[\w.-]+)*$/,
  /** Such an image, perhaps with a tag and a digest: in `evil:5000/x` the first part is a host. */
  tagged: /^(?!localhost(?:\/|$))[\w-]+(?:\/[\w.-]+)*(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?$/,
  /** A label: a region, a zone, a remote, a project. */
  label: /^[A-Za-z0-9_][\w-]*(?:\.[\w-]+)*$/,
  /** A part of the name of a host: a region. */
  region: /^[a-z0-9-]+$/,
  /** A file, and not the URI of a store, an engine or a host. */
  local: /^[^:]*$/,
  /** A number. */
  number: /^\d{1,9}$/,
} as const satisfies Record<string, RegExp>;

/** The name of a shape. */
export type WordShape = keyof typeof SHAPES;

/** The names of all shapes. */
export const WORD_SHAPES = Object.keys(SHAPES) as [WordShape, ...WordShape[]];

/** The first operand, or option by its value, of a level that does not have the shape that its table states. */
export function misshapenWord(
  words: readonly Word[],
  { args: { options, operands }, program: { table: { shaped, sub } } }: Level,
): Word | undefined {
  if (shaped === undefined) return undefined;
  const has = (text: string, shape: WordShape | undefined) =>
    shape === undefined || SHAPES[shape].test(text);
  const option = options.find(({ option: { name }, value }) =>
    value !== undefined && !has(value, shaped[name])
  );
  if (option) return option.word;
  // The operands of a program with sub-commands are theirs.
  const at = sub ? undefined : operands.find((each) => !has(words[each]!.shape, shaped[ALWAYS]));
  return at === undefined ? undefined : words[at];
}
