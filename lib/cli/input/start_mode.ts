import type { DecideOptions } from "../../decide/decide.ts";
import { DISABLED, isRefused, type Mode, modeNamed, MODES, refusal } from "../../decide/modes.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { UsageError } from "../errors/errors.ts";
import { switchOf } from "../../text/switch_text.ts";
import { flagValue, hasFlag, type Invocation, ruleFlags } from "../args/verb.ts";

/** The settings under which a verb decides calls. */
export interface ModeSettings {
  /** The mode in force, and what answers questions. */
  readonly options: DecideOptions;
  /** The origin of the mode, for people: `--permission-mode`, a variable, a file with its line; absent for the default. */
  readonly from?: string;
  /** True if a managed file sets the mode, which overrides everything else. */
  readonly isManaged: boolean;
  /** True if a file of the workspace sets it, which may have come with a clone. */
  readonly isOfWorkspace: boolean;
  /** The permission to use a mode that lifts denials. */
  readonly bypass: "allowed" | "refused";
  /** True if the command line itself names a mode that asks a model; otherwise no model is asked. */
  readonly asksModel: boolean;
  /** Remarks for people, one sentence each. */
  readonly notes: readonly string[];
}

const CONFLICTS = ["allow", "deny", "ask", "auto-allow"];
const BYPASS_FLAG = "allow-dangerously-skip-permissions";
const AUTO_ALLOW_FLAG = "auto-allow";
const AUTO_ALLOW = "CALIBAN_AUTO_ALLOW";
const VARIABLE = "CALIBAN_DEFAULT_PERMISSION_MODE";

interface Starting {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/**
 * The mode in force and what answers questions. The managed file's mode wins over all; else the flag, the variable
 * CALIBAN_DEFAULT_PERMISSION_MODE, the files' `default_mode`. Throws UsageError for an unknown mode, for one that needs
 * --allow-dangerously-skip-permissions, and if that flag or --no-permissions is refused.
 */
export function modeSettings(policy: CompiledPolicy, starting: Starting): ModeSettings {
  const { invocation, runtime } = starting;
  const disabled = hasFlag(invocation, "no-permissions");
  if (disabled) checkDisabled(policy, invocation);
  for (const flag of [BYPASS_FLAG, AUTO_ALLOW_FLAG]) {
    if (hasFlag(invocation, flag)) checkEnforce(policy, flag);
  }
  const bypass = hasFlag(invocation, BYPASS_FLAG) ? "allowed" : "refused";
  const { chosen, notes } = enforced(chosenMode(policy, starting), policy);
  if (!disabled) checkBypass(chosen, { policy, bypass });
  const variable = autoAllowVariable(policy, runtime);
  const autoAllow = !disabled && (hasFlag(invocation, AUTO_ALLOW_FLAG) || variable.isOn);
  const flag = flagValue(invocation, "permission-mode");
  return {
    options: {
      mode: disabled ? DISABLED : chosen.mode,
      ...(hasFlag(invocation, "headless") ? { headless: true } : {}),
      ...(autoAllow ? { autoAllow } : {}),
    },
    ...(disabled || chosen.from === undefined ? {} : { from: chosen.from }),
    isManaged: chosen.isManaged,
    isOfWorkspace: chosen.isOfWorkspace,
    bypass,
    asksModel: flag !== undefined && modeNamed(flag)?.asksModel === true,
    notes: [
      ...notes,
      ...(disabled ? [] : variable.notes),
      ...(chosen.isManaged && flag !== undefined && flag !== chosen.mode.name
        ? [`--permission-mode ${flag} is ignored: ${chosen.from} sets ${chosen.mode.name}`]
        : []),
    ],
  };
}

/** The default mode in place of one that answers every question, if the policy sets `enforce`. Throws UsageError for a flag. */
function enforced(
  chosen: Chosen,
  policy: CompiledPolicy,
): { readonly chosen: Chosen; readonly notes: readonly string[] } {
  const { mode, from = "" } = chosen;
  const { settings } = policy;
  if (!mode.answersAll || !isRefused(mode, settings)) return { chosen, notes: [] };
  if (from.startsWith("--")) checkEnforce(policy, `permission-mode ${mode.name}`);
  return {
    chosen: { mode: MODES[0]!, isManaged: chosen.isManaged, isOfWorkspace: false },
    notes: [refusal(`the mode ${mode.name} (${from})`, settings)],
  };
}

/** The effect of the variable CALIBAN_AUTO_ALLOW, and remarks for people. */
function autoAllowVariable(
  { settings }: CompiledPolicy,
  runtime: Runtime,
): { readonly isOn: boolean; readonly notes: readonly string[] } {
  const state = switchOf(runtime.env(AUTO_ALLOW));
  if (state === "unknown") {
    return { isOn: false, notes: [`${AUTO_ALLOW} is ignored: write 1 or 0`] };
  }
  if (state === "on" && settings.enforce?.value) {
    return { isOn: false, notes: [refusal(AUTO_ALLOW, settings)] };
  }
  return { isOn: state === "on", notes: [] };
}

function checkDisabled(policy: CompiledPolicy, invocation: Invocation): void {
  const other = CONFLICTS.find((name) => hasFlag(invocation, name));
  if (other !== undefined) {
    throw new UsageError(`--no-permissions and --${other} exclude each other`);
  }
  checkEnforce(policy, "no-permissions");
}

function checkEnforce({ settings }: CompiledPolicy, flag: string): void {
  if (!settings.enforce?.value) return;
  throw new UsageError(refusal(`--${flag}`, settings), {
    hint: "Allow the call by a rule instead, or ask the owner of that file to remove the line",
  });
}

interface Chosen extends Pick<ModeSettings, "isManaged" | "isOfWorkspace"> {
  readonly mode: Mode;
  readonly from?: string;
}

function chosenMode(policy: CompiledPolicy, { invocation, runtime }: Starting): Chosen {
  const file = policy.settings.defaultMode;
  const isManaged = file?.source.kind === "managed";
  const written = file && { name: file.value, from: `${file.source.path}:${file.source.line}` };
  const flag = flagValue(invocation, "permission-mode");
  const variable = runtime.env(VARIABLE);
  const given = isManaged
    ? written
    : flag !== undefined
    ? { name: flag, from: "--permission-mode" }
    : variable !== undefined && variable !== ""
    ? { name: variable, from: VARIABLE }
    : written;
  if (!given) return { mode: MODES[0]!, isManaged, isOfWorkspace: false };
  const mode = modeNamed(given.name);
  const isOfWorkspace = given === written && file !== undefined &&
    isWorkspaceFile(file.source.kind);
  if (mode) return { mode, from: given.from, isManaged, isOfWorkspace };
  const known = MODES.map(({ name }) => name);
  throw new UsageError(`Unknown mode "${given.name}" (${given.from})`, {
    unknown: { word: given.name, known },
    hint: `The modes are: ${known.join(", ")}`,
  });
}

function checkBypass(
  { mode, from }: Chosen,
  { policy, bypass }: { policy: CompiledPolicy; bypass: ModeSettings["bypass"] },
): void {
  if (!mode.liftsDenials || bypass === "allowed") return;
  const { enforce } = policy.settings;
  const message = `Cannot start in the mode "${mode.name}" (${from}): it needs --${BYPASS_FLAG}`;
  if (enforce?.value) {
    const place = `${enforce.source.path}:${enforce.source.line}`;
    throw new UsageError(`${message}, which "enforce = true" in ${place} refuses`, {
      hint: "Choose another mode with --permission-mode",
    });
  }
  throw new UsageError(message, {
    hint: `Pass --${BYPASS_FLAG} if every call may run, or choose another --permission-mode`,
  });
}

/** The effects of the flags on a decision, one sentence each; empty for none. */
export function flagEffects({ options }: ModeSettings): readonly string[] {
  return [
    ...(options.mode.name === "disabled"
      ? ["--no-permissions: every call runs, regardless of the rules"]
      : []),
    ...(options.autoAllow ? ["--auto-allow: ask becomes allow, except for safety checks"] : []),
    ...(options.headless ? ["--headless: ask becomes deny"] : []),
  ];
}

/** Warns on stderr about flags that answer questions or switch off rules, and about flags that have no effect. */
export async function warnOfDangerousFlags(
  { options, notes }: ModeSettings,
  runtime: Runtime,
): Promise<void> {
  const variable = runtime.env(AUTO_ALLOW);
  const name = switchOf(variable) === "on" ? `${AUTO_ALLOW}=${variable}` : "--auto-allow";
  const loud = [
    ...(options.mode.name === "disabled"
      ? ["--no-permissions: the rules are off; every call is allowed"]
      : options.mode.liftsDenials
      ? [`the mode ${options.mode.name} overrides every rule: every call is allowed`]
      : options.autoAllow
      ? [`${name} is dangerous: ask becomes allow, except for safety checks`]
      : []),
    ...notes,
  ];
  if (loud.length === 0) return;
  const { warn } = await import("../output/print.ts");
  for (const message of loud) await warn(runtime, { message });
}

/** Warns on stderr about rule flags of the line that can never decide. */
export async function warnOfDeadFlags(
  policy: CompiledPolicy,
  { invocation, runtime }: Starting,
): Promise<void> {
  const flags = ruleFlags(invocation);
  if (new Set(flags.map(({ action }) => action)).size < 2) return;
  // The analysis is large, and one kind of flag beats no other.
  const { deadFlags } = await import("./dead_flags.ts");
  const { warn } = await import("../output/print.ts");
  for (const message of deadFlags(policy, { now: runtime.now() })) await warn(runtime, { message });
}
