import type { ToolCall } from "../model/call.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import { leastWord } from "./automata/least_word.ts";
import type { RuleSpace } from "./rule_space.ts";

/** The most steps of a search for a path or URL of a rule. */
const STEPS = 20_000;

/** The most rules whose files are named through those of a changed rule. */
const MOST_TARGETS = 40;

/** The most names of undescribed tools that are tried. */
const MOST_TOOLS = 8;

/** A shortest file or URL that a rule is about, as a call of a tool. */
interface Named {
  readonly call: ToolCall;
  readonly key: string;
  readonly text: string;
  readonly kind: "path" | "url";
}

/** The files and URLs of a rule, the shortest for each tool. */
function namedBy(rule: CompiledRule, space: RuleSpace): readonly Named[] {
  return space.toolsOf(rule).flatMap((tool): readonly Named[] => {
    const { kind, firstArg } = space.policy.profiles.get(tool);
    const key = firstArg?.[0];
    const calls = space.calls(tool);
    const analysed = calls?.of(rule);
    if (kind !== "path" && kind !== "url" || key === undefined || !calls || !analysed) return [];
    const word = leastWord([calls.domain, analysed.yesAlone], STEPS);
    if (word === undefined || word === "spent") return [];
    const call = calls.callOf(word);
    const text = call.input[key];
    return typeof text === "string" ? [{ call, key, text, kind }] : [];
  });
}

/**
 * Calls that name the file or URL of one rule by way of another's: `/tmp/a/../../etc/x`. A deny or ask rule matches either
 * text, an allow rule only where such a path leads.
 */
export function otherForms(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  const others = space.rules.filter((other) => other !== rule).slice(0, MOST_TARGETS)
    .flatMap((other) => namedBy(other, space));
  return namedBy(rule, space).flatMap((own) =>
    others.filter(({ call, kind }) => call.tool === own.call.tool && kind === own.kind)
      .flatMap((other) =>
        [[own, other], [other, own]].flatMap(([way, end]) => {
          const text = through(way!, end!);
          if (text === undefined) return [];
          return [{ ...own.call, input: { ...own.call.input, [own.key]: text } }];
        })
      )
  );
}

function through(way: Named, end: Named): string | undefined {
  const [from, to] = [way, end].map(({ text }) => /^([a-z]+:\/\/[^/]*)?(\/[^?#]*)/i.exec(text));
  if (!from || !to || from[1] !== to[1]) return undefined;
  const folder = from[2]!.replace(/\/$/, "");
  const up = "../".repeat(folder.split("/").length - 1);
  return `${from[1] ?? ""}${folder}/${up}${to[2]!.replace(/^\//, "")}`;
}

/** True if a rule is about files or URLs. */
export function namesFiles(rule: CompiledRule, space: RuleSpace): boolean {
  return namedBy(rule, space).length > 0;
}

const KEYS: Readonly<Record<string, string>> = {
  Read: "path",
  Write: "path",
  WebFetch: "url",
  Bash: "command",
};

/** The same files, URLs and commands as arguments of undescribed tools. */
export function namedElsewhere(calls: readonly ToolCall[], space: RuleSpace): readonly ToolCall[] {
  const { profiles } = space.policy;
  const tools = space.names.filter((name) => !profiles.has(name)).slice(0, MOST_TOOLS);
  return calls.flatMap(({ tool, input }) => {
    const own = profiles.get(tool).firstArg?.[0];
    const key = KEYS[tool];
    const value = own === undefined ? undefined : input[own];
    if (key === undefined || typeof value !== "string") return [];
    return tools.map((name): ToolCall => ({ tool: name, input: { [key]: value } }));
  });
}
