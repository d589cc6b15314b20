import { decide } from "../../../decide/decide.ts";
import { evaluateCall } from "../../../decide/evaluate.ts";
import { callOf, type ToolCall } from "../../../model/call.ts";
import type { Rule } from "../../../model/rule.ts";
import { defaultMode } from "../../../decide/modes.ts";
import { namedTool } from "../../../pattern/parse_pattern.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { namesTool } from "../../../policy/compile/compiled_policy.ts";
import { mayAllow } from "../../probe_rules.ts";
import { foundAt, listed, ruleName, shown } from "../../place_finding.ts";
import { fileOf, STEERING_FILES } from "../../secret_files.ts";

/** Allow rules that let the agent change its own permissions. */
export const selfModifying: Check = {
  id: "self-modifying",
  severity: "warning",
  docs: {
    what: "An allow for writing the policy's own files or an agent's settings",
    why:
      "Rules do not bind an agent that may write them. Writing such a file asks in spite of an allow rule, unless the rule " +
      "names the file or folder. A tool without a description counts as writing the files that its input names, unless its name says that " +
      "it reads.",
    avoid: example([rule("Write:.claude/**", "allow")]),
    prefer: example([rule("Write:src/**", "allow")]),
  },
  find(context) {
    const written = allowedWritings(writingCalls(context), context);
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const unknown = allowedWritings(unknownCalls(rule, context), context).get(rule) ?? [];
      const own = [...written.get(rule) ?? [], ...unknown];
      const [first] = own;
      if (first === undefined) return [];
      const names = [...new Set(own.map(({ name }) => name))];
      return [foundAt(linted, {
        message: `${ruleName(rule)} lets the agent change ${listed(names)} without a question`,
        ...shown(context, first.call),
        hint: "Name the folders that the agent may write, without these files",
      })];
    });
  },
};

interface Writing {
  readonly name: string;
  readonly call: ToolCall;
}

/** The writes that are allowed and that no safety check asks about, by the rule that allows them. */
function allowedWritings(
  writings: readonly Writing[],
  context: LintContext,
): ReadonlyMap<Rule, readonly Writing[]> {
  const found = new Map<Rule, Writing[]>();
  for (const writing of writings) {
    const { policy, now } = context;
    const evaluation = evaluateCall(policy, writing.call, { now });
    const { rule } = evaluation.verdict;
    if (rule === null) continue;
    if (decide(policy, evaluation, { mode: defaultMode }).decision !== "allow") continue;
    const known = found.get(rule);
    if (known === undefined) found.set(rule, [writing]);
    else known.push(writing);
  }
  return found;
}

/** Calls that write a file that configures an agent, those that an allow rule of the linted files may decide. */
function writingCalls(context: LintContext): readonly Writing[] {
  const { policy, rules } = context;
  const [home] = policy.context.home;
  const writers = policy.profiles.known.flatMap((profile) => {
    const isEdit = profile.class === "edit" && profile.kind === "path";
    if (!isEdit && profile.kind !== "command") return [];
    const isNamed = rules.some(({ rule }) => rule.action === "allow" && namesTool(rule, profile));
    if (!isNamed) return [];
    return [{ profile, isEdit, isAllowed: isEdit ? () => true : mayAllow(context, profile) }];
  });
  return STEERING_FILES.flatMap((name) => {
    const path = fileOf(name, home);
    return writers.flatMap(({ profile, isEdit, isAllowed }): readonly Writing[] =>
      (isEdit ? [path] : [`tee ${path}`, `cp x ${path}`]).filter(isAllowed).flatMap((text) => {
        const call = callOf(profile, text);
        return call === undefined ? [] : [{ name, call }];
      })
    );
  });
}

/** Names of tools that probably write files. */
const WRITES =
  /(?:write|edit|create|save|put|patch|append|move)[a-z]*_?file|file_?(?:write|edit|save)/i;

/** Calls of an unknown tool that probably writes files. */
function unknownCalls(
  { parsed }: LintContext["rules"][number]["rule"],
  { policy: { profiles } }: LintContext,
): readonly Writing[] {
  const tool = namedTool(parsed);
  if (tool === undefined || profiles.has(tool) || !WRITES.test(tool)) return [];
  return STEERING_FILES.filter((name) => !name.startsWith("~"))
    .map((name) => ({ name, call: { tool, input: { path: name, content: "" } } }));
}
