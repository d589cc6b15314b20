import defaults from "../../../defaults/permissions.json" with { type: "json" };
import { isAction } from "../../model/action.ts";
import type { PlacedRule } from "../../model/source_entry.ts";
import { singleRule } from "./single_rule.ts";
import type { Source } from "./source.ts";

const PATH = "defaults/permissions.toml";

/** The rules that caliban brings with it. */
export const builtin: Source = {
  kind: "builtin",
  writable: "no",
  title: "the rules that caliban brings with it: what only reads is allowed, the rest asks",
  where: PATH,
  places({ options }) {
    return options.off.includes("builtin")
      ? [{ kind: "off", path: PATH, note: "--no-builtin" }]
      : [{ kind: "rules", path: PATH, rules: builtinRules() }];
  },
};

/** The built-in rules, in order. */
export function builtinRules(): readonly PlacedRule[] {
  return defaults.rules.map(builtinRule);
}

function builtinRule(rule: (typeof defaults.rules)[number]): PlacedRule {
  const { pattern, action, line, column } = rule;
  if (!isAction(action)) {
    throw new TypeError(`Cannot use ${PATH}:${line}: "${action}" is not an action`);
  }
  return singleRule(pattern, { action, source: { kind: "builtin", path: PATH, line, column } });
}
