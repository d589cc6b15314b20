import { foldCase } from "../pattern/unicode.ts";
import type { ToolRule } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import type { LineEffect } from "../policy/compile/request_options.ts";
import { keyOf } from "../policy/compile/rule_keys.ts";

/** The length of the pieces, in UTF-16 code units. */
const LENGTH = 4;

/** With fewer such rules the pieces cost more than they save. */
const WORTH_IT = 8;

/** Command rules without a literal beginning (`~word`, `*--flag*`) by the rarest piece of their literal text. */
export class RarePieces {
  readonly #rarest = new Map<ToolRule, string>();

  constructor(toolRules: readonly ToolRule[]) {
    const all = toolRules.flatMap((toolRule) => {
      const pieces = piecesOf(toolRule);
      return pieces.length === 0 ? [] : [{ toolRule, pieces }];
    });
    if (all.length < WORTH_IT) return;
    const counts = new Map<string, number>();
    for (const { pieces } of all) {
      for (const piece of pieces) counts.set(piece, (counts.get(piece) ?? 0) + 1);
    }
    const rarer = (a: string, b: string) => counts.get(b)! < counts.get(a)! ? b : a;
    for (const { toolRule, pieces } of all) this.#rarest.set(toolRule, pieces.reduce(rarer));
  }

  /** The rules whose piece is in one of the texts of the call's command; the others match "no". */
  narrowed(toolRules: readonly ToolRule[], { profile, part }: Request): readonly ToolRule[] {
    if (this.#rarest.size === 0 || toolRules.length < WORTH_IT) return toolRules;
    // Of another shell, and of what cannot be analysed, rules may match more than the texts show.
    if (profile.shell === "other" || part?.effect.kind !== "command") return toolRules;
    const found = new Set<string>();
    for (const text of new Set(textsOf(part))) {
      const folded = foldCase(text);
      for (let at = 0; at + LENGTH <= folded.length; at++) found.add(folded.slice(at, at + LENGTH));
    }
    return toolRules.filter((toolRule) => {
      const piece = this.#rarest.get(toolRule);
      return piece === undefined || found.has(piece);
    });
  }
}

/** The folded pieces of literal text in every command that a rule matches; empty for a rule without any, or with a key. */
function piecesOf(toolRule: ToolRule): readonly string[] {
  const { specifier, also, readAs } = toolRule;
  const test = specifier?.kind === "argument" ? specifier.test : undefined;
  if (test?.kind !== "command" || also || readAs?.shell !== "parsed") return [];
  if (keyOf(toolRule) !== undefined) return [];
  return test.glob.flatMap((token) => {
    // A blank at the end may be left out, as in `*git push *`.
    const text = token.kind === "text" ? foldCase(token.text).trim() : "";
    const count = Math.max(0, text.length - LENGTH + 1);
    return Array.from({ length: count }, (_, at) => text.slice(at, at + LENGTH));
  });
}

/** Every text of a command, and of its line. */
function* textsOf({ effect, line }: LineEffect): Iterable<string> {
  for (const { text } of effect.allowTexts) yield text;
  for (const { text } of effect.denyTexts) yield text;
  yield line.text;
  if (line.spacedText !== undefined) yield line.spacedText;
  yield* line.bareTexts ?? [];
}
