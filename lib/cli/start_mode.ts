import type { Runtime } from "../io/runtime/runtime.ts";
import type { Mode } from "../decide/modes/mode.ts";
import { DISABLED, modeNamed, MODES } from "../decide/modes/registry.ts";
import type { DecideOptions } from "../decide/decide.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { isWorkspaceFile } from "../policy/sources/entry_text.ts";
import { UsageError } from "./errors.ts";
import { flagValue, hasFlag } from "./invocation.ts";
import type { Invocation } from "./verb.ts";

/** How calls are decided when a verb starts. */
export interface Start {
  /** The mode in force, and what answers questions. */
  readonly options: DecideOptions;
  /** Where the mode is from, for people: `--permission-mode`, a variable, a file with its line; absent for the default. */
  readonly from?: string;
  /** Whether a managed file says the mode, so that nothing else can. */
  readonly isManaged: boolean;
  /** Whether a file of the workspace says it, which may have come with a clone. */
  readonly isOfWorkspace: boolean;
  /** Whether a mode that lifts denials may be used. */
  readonly latch: "open" | "closed";
  /** Whether the line itself names a mode that asks a model: only then is one asked. */
  readonly asksModel: boolean;
  /** What a person should know of it, one sentence each. */
  readonly notes: readonly string[];
}

const CONFLICTS = ["allow", "deny", "ask", "auto-allow"];
const LATCH = "allow-dangerously-skip-permissions";
const VARIABLE = "CALIBAN_DEFAULT_PERMISSION_MODE";

interface Starting {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/**
 * The mode in force and what answers questions. The managed file's mode wins over all; else the flag, the variable
 * CALIBAN_DEFAULT_PERMISSION_MODE, the files' `default_mode`. Throws UsageError for a mode that is not there, for one that
 * needs the latch, and where the latch or --no-permissions is refused.
 */
export function startOf(policy: Policy, starting: Starting): Start {
  const { invocation, runtime } = starting;
  const disabled = hasFlag(invocation, "no-permissions");
  if (disabled) checkDisabled(policy, invocation);
  if (hasFlag(invocation, LATCH)) checkEnforce(policy, LATCH);
  const latch = hasFlag(invocation, LATCH) ? "open" : "closed";
  const chosen = chosenMode(policy, starting);
  if (!disabled) checkLatch(chosen, { policy, latch });
  const autoAllow = !disabled &&
    (hasFlag(invocation, "auto-allow") || runtime.env("CALIBAN_AUTO_ALLOW") === "1");
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
    latch,
    asksModel: flag !== undefined && modeNamed(flag)?.asksModel === true,
    notes: chosen.isManaged && flag !== undefined && flag !== chosen.mode.name
      ? [`--permission-mode ${flag} does not count: ${chosen.from} says ${chosen.mode.name}`]
      : [],
  };
}

function checkDisabled(policy: Policy, invocation: Invocation): void {
  const other = CONFLICTS.find((name) => hasFlag(invocation, name));
  if (other !== undefined) {
    throw new UsageError(`--no-permissions and --${other} exclude each other`);
  }
  checkEnforce(policy, "no-permissions");
}

function checkEnforce({ settings: { enforce } }: Policy, flag: string): void {
  if (!enforce?.value) return;
  const place = `${enforce.source.path}:${enforce.source.line}`;
  throw new UsageError(`--${flag} is refused: "enforce = true" in ${place}`, {
    hint: "A rule can allow the call instead; whoever owns that file can take the line out",
  });
}

interface Chosen extends Pick<Start, "isManaged" | "isOfWorkspace"> {
  readonly mode: Mode;
  readonly from?: string;
}

function chosenMode(policy: Policy, { invocation, runtime }: Starting): Chosen {
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
  throw new UsageError(`There is no mode "${given.name}" (${given.from})`, {
    unknown: { word: given.name, known },
    hint: `The modes are: ${known.join(", ")}`,
  });
}

function checkLatch(
  { mode, from }: Chosen,
  { policy, latch }: { policy: Policy; latch: Start["latch"] },
): void {
  if (!mode.liftsDenials || latch === "open") return;
  const { enforce } = policy.settings;
  const message = `Cannot start in the mode "${mode.name}" (${from}): it needs --${LATCH}`;
  if (enforce?.value) {
    const place = `${enforce.source.path}:${enforce.source.line}`;
    throw new UsageError(`${message}, which "enforce = true" in ${place} refuses`, {
      hint: "Another mode is named by --permission-mode",
    });
  }
  throw new UsageError(message, {
    hint: `Pass --${LATCH} where everything may run, or another --permission-mode`,
  });
}
