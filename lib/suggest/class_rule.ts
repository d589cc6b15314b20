import { evaluate } from "../decide/evaluate.ts";
import { asksBySpecifier } from "../decide/precedence.ts";
import type { EvaluateOptions } from "../decide/first_match.ts";
import { callOf, type CommandClass, type ToolCall } from "../model/call.ts";
import { CLASS_PHRASES, OFFERED_CLASSES } from "../model/class_phrases.ts";
import type { AskQuestion, UnitVerdict } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";

type ClassRule = NonNullable<AskQuestion["classRule"]>;

/** The other commands that are shown. */
const SHOWN = 3;

/** A policy, and the same with an allow rule. */
export interface ClassTrial {
  readonly policy: CompiledPolicy;
  readonly options: EvaluateOptions;
  /** The policy with an allow rule of that pattern; undefined if the rule would not count. */
  readonly withRule: (pattern: string) => CompiledPolicy | undefined;
}

/**
 * The rule for a class that would answer what asks about a call, and other commands that it would also allow. Undefined unless
 * all that asks are commands of one class, one that may be offered, the rule alone answers them, and no written rule with a
 * specifier asks.
 */
export function classRuleFor(
  asking: readonly UnitVerdict[],
  { call, trial }: { readonly call: ToolCall; readonly trial: ClassTrial },
): ClassRule | undefined {
  const found = answeringClass(asking, { call, trial });
  if (found === undefined) return undefined;
  const also = otherCommands(found, {
    trial,
    besides: asking.map(({ text }) => text),
    cwd: call.cwd,
  });
  return also.length === 0 ? undefined : { pattern: found.pattern, also };
}

/** A class of the commands of a tool, and the pattern of its rule. */
export interface ToolClass {
  readonly tool: string;
  readonly name: CommandClass;
  readonly pattern: string;
}

/** The class whose rule alone answers what asks about a call; undefined if none does, or none may be offered. */
export function answeringClass(
  asking: readonly UnitVerdict[],
  { call, trial }: { readonly call: ToolCall; readonly trial: ClassTrial },
): ToolClass | undefined {
  const name = classOfAll(asking);
  const tool = asking[0]?.tool;
  if (name === undefined || tool === undefined) return undefined;
  const pattern = `${tool}(@${name})`;
  const after = trial.withRule(pattern);
  if (after === undefined || evaluate(after, call, trial.options).action !== "allow") {
    return undefined;
  }
  return { tool, name, pattern };
}

/** The class of every unit, if they have one, the same, and one that may be offered. */
function classOfAll(asking: readonly UnitVerdict[]): CommandClass | undefined {
  const [first] = asking;
  if (first === undefined) return undefined;
  const isCommand = asking.every((unit) =>
    unit.kind === "command" && unit.by === "rule" && unit.tool === first.tool &&
    !asksBySpecifier(unit)
  );
  const names = new Set(asking.flatMap(({ classes }) => classes));
  const [name] = names;
  if (!isCommand || names.size !== 1 || name === undefined) return undefined;
  return OFFERED_CLASSES.includes(name) ? name : undefined;
}

/** Examples of the class that its rule newly allows. */
export function otherCommands(
  { tool, name, pattern }: ToolClass,
  { trial, besides = [], cwd }: {
    readonly trial: ClassTrial;
    /** Commands that are known already. */
    readonly besides?: readonly string[];
    readonly cwd?: string | undefined;
  },
): readonly string[] {
  const after = trial.withRule(pattern);
  const profile = trial.policy.profiles.get(tool);
  const isNew = (text: string) => {
    const other = callOf(profile, text);
    if (after === undefined || other === undefined || besides.includes(text)) return false;
    const placed = cwd === undefined ? other : { ...other, cwd };
    return evaluate(trial.policy, placed, trial.options).action !== "allow" &&
      evaluate(after, placed, trial.options).action === "allow";
  };
  return CLASS_PHRASES[name].examples.filter(isNew).slice(0, SHOWN);
}
