import { evaluate } from "../../decide/evaluate.ts";
import { onlyText } from "../../pattern/glob.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_specifier.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { appliesTo, compilePolicy } from "../../policy/compile/compile_policy.ts";
import { DEFAULT_TOOLS, toolProfiles } from "../../policy/compile/profiles.ts";
import { mergeSources } from "../../policy/sources/merge.ts";
import { singleRule } from "../../policy/sources/source_order.ts";
import { readLine } from "../../shell/read_line.ts";
import { quoted } from "../../model/problem.ts";
import type { FormatRule } from "./format.ts";

/** Further arguments of a command, none of which is an option or the name of a program. */
const ARGUMENTS = [" caliban-a caliban-b caliban-c", " caliban-a caliban-b", " caliban-a", ""];

/** The most rules that are looked at one by one; of more, those of a program are taken to be like the ones before. */
const MOST_LOOKS = 500;

const BASH = toolProfiles(new Map()).get("Bash");

/**
 * The allow rules that cover a program which runs others (`ssh host`, `docker exec`, `sudo`), but not what it runs, with the
 * detail of that loss: other agents allow both by one rule, and here what runs inside needs an allow rule of its own.
 */
export function wrappedLosses(
  rules: readonly FormatRule[],
): ReadonlyMap<FormatRule, string> {
  const found = new Map<FormatRule, string>();
  const open = rules.flatMap((rule) => {
    const command = rule.action === "allow" ? openCommand(rule.pattern) : undefined;
    return command === undefined ? [] : [{ rule, command }];
  });
  if (open.length === 0) return found;
  const policy = allowsOf(rules);
  const known = new Map<string, string>();
  let looks = 0;
  for (const { rule, command } of open) {
    // Most programs run no other, and need no further look.
    if (!runsMore(command + ARGUMENTS[0])) continue;
    const [program = ""] = command.split(" ", 1);
    const detail = ++looks <= MOST_LOOKS ? lossOf(command, policy) : known.get(program);
    if (detail === undefined) continue;
    known.set(program, detail);
    found.set(rule, detail);
  }
  return found;
}

function runsMore(line: string): boolean {
  const { effects } = readLine(line);
  return effects.some(({ kind, text }) => kind === "opaque" || text !== line);
}

/** The literal beginning of the commands that a rule covers with any words behind it; undefined for any other rule. */
function openCommand(pattern: string): string | undefined {
  const parsed = parsePattern(pattern);
  if (!parsed.ok || onlyText(parsed.value.tool) !== "Bash") return undefined;
  const specifier = parseSpecifier(parsed.value, BASH);
  if (!specifier.ok || specifier.value.kind !== "argument") return undefined;
  const { test } = specifier.value;
  if (test.kind !== "command" || test.anchor === "contains") return undefined;
  const [first, second, ...more] = test.glob;
  if (first?.kind !== "text" || more.length > 0) return undefined;
  const isOpen = second === undefined ? test.anchor === "prefix" : second.kind === "star";
  return isOpen ? first.text.trim() : undefined;
}

/** The detail about a command of which no line, or what no line runs, is covered; undefined for any other. */
function lossOf(command: string, policy: CompiledPolicy): string | undefined {
  const [program = ""] = command.split(" ", 1);
  let isKnown = false;
  for (const more of ARGUMENTS) {
    const call = { tool: "Bash", input: { command: command + more } };
    const { units } = evaluate(policy, call, { now: 0 });
    const asked = units.filter(({ action }) => action !== "allow");
    const inner = asked.find(({ kind, depth, text }) =>
      kind === "command" && (depth > 0 || !text.startsWith(program))
    );
    if (inner) {
      return `in caliban the command inside ${
        quoted(inner.via ?? program)
      } needs its own allow rule`;
    }
    isKnown ||= !asked.some(({ kind }) => kind === "opaque");
  }
  return isKnown ? undefined : `caliban asks where the effect of ${quoted(program)} is unknown`;
}

function allowsOf(rules: readonly FormatRule[]): CompiledPolicy {
  const allows = rules.filter(({ action }) => action === "allow").map(({ pattern }, index) => {
    const source = { kind: "cli", path: "import", line: index + 1, column: 1 } as const;
    return singleRule(pattern, { action: "allow", source });
  });
  const entry = {
    kind: "cli",
    path: "import",
    state: "read",
    rules: allows,
    trusted: true,
  } as const;
  const merged = mergeSources([entry], { defaultTools: [...DEFAULT_TOOLS], appliesTo });
  const workspace = "/workspace";
  const context = {
    platform: "linux",
    workspace: [workspace],
    home: [],
    ignoreCase: false,
  } as const;
  const { policy } = compilePolicy(merged, { context, cwd: workspace });
  if (policy === undefined) throw new RangeError("Every pattern of an import was checked before");
  return policy;
}
