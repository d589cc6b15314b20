import type { ToolCall } from "../../model/call.ts";
import type { Glob } from "../../pattern/glob.ts";
import { commandGlobs } from "../../policy/compile/command_matcher.ts";
import type { CompiledRule } from "../../policy/compile/rule_table.ts";
import type { RuleSpace } from "../rule_space.ts";

/** What a wildcard is tried as. */
const RUNS = ["a", "", "a b", "-a"];

/** Calls that a rule on commands is written for, its wildcards filled in: what no plain command is, can be tried at least. */
export function instances(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  return space.toolsOf(rule).flatMap((tool) => {
    const key = space.policy.profiles.get(tool).firstArg?.[0];
    const spec = space.calls(tool)?.of(rule)?.entry.specifier;
    if (key === undefined || spec?.kind !== "argument" || spec.test.kind !== "command") return [];
    const texts = commandGlobs(spec.test).flatMap((glob) => RUNS.map((run) => filled(glob, run)));
    return [...new Set(texts)].map((text) => ({ tool, input: { [key]: text } }));
  });
}

function filled(glob: Glob, run: string): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return token.text;
      case "star":
        return run;
      case "anyChar":
        return "a";
    }
  }).join("");
}
