import type { WrittenHook } from "../../model/hook.ts";
import type { Problem } from "../../model/problem.ts";
import { decodeHooks } from "../../policy/decode/decode_hooks.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { parseJsonTree } from "./json_tree.ts";

/** What a text says about hooks. */
export interface HooksText {
  /** Its hooks, in the order of the text. */
  readonly hooks: readonly WrittenHook[];
  /** Everything wrong about them; with an error among it, no hook of the text counts. */
  readonly problems: readonly Problem[];
}

/** The hooks in a JSON text `{"hooks": {…}}`, without its byte order mark; every other key is an error. */
export function readHooksJson(text: string): HooksText {
  const { root, problems: faults } = parseJsonTree(text);
  const problems: Problem[] = [...faults];
  for (const { name, key } of root.members.values()) {
    if (name === "hooks" || name === "$schema") continue;
    problems.push(errorAt(key, {
      id: "unknown-key",
      message: `Cannot read key ${quoted(name)}: there is no such key here`,
      hint: didYouMean(name, ["hooks"]) ?? 'The only key here is "hooks"',
    }));
  }
  const member = root.members.get("hooks");
  const hooks = member === undefined ? [] : decodeHooks(member, problems);
  return { hooks, problems: problems.toSorted((a, b) => a.span.start - b.span.start) };
}

/** The hooks in the `[hooks]` table of a permissions.toml, without its byte order mark; the rest of it is passed over. */
export function readHooksToml(text: string): HooksText {
  // Reading TOML takes longer than all the rest, and a text that never says the word has no such table.
  if (!/hooks|\\[uUx]/.test(text)) return { hooks: [], problems: [] };
  const document = parseToml(text);
  const problems: Problem[] = [...document.problems];
  const member = document.root.members.get("hooks");
  const hooks = member === undefined ? [] : decodeHooks(member, problems);
  return { hooks, problems: problems.toSorted((a, b) => a.span.start - b.span.start) };
}
