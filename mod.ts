/**
 * caliban decides whether a coding agent may make a tool call: `allow`, `deny` or `ask`, from rules in TOML files.
 *
 * @example
 * ```ts ignore
 * import { loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy();
 * const verdict = policy.evaluate({ tool: "Bash", input: { command: "git push" } });
 * console.log(verdict.action, verdict.rule?.source.path, verdict.rule?.source.line);
 * ```
 *
 * @module
 */
import { addToText } from "./lib/policy/edit/add_to_text.ts";
import { createGate as createPureGate } from "./lib/gate/create_gate.ts";
import type { AutoMode } from "./lib/gate/auto/opinion.ts";
import type { Gate, GivenPolicy } from "./lib/gate/gate.ts";
import type { AuditLine, GateParts, RuleFiles } from "./lib/gate/gate_parts.ts";
import type { HookRunner } from "./lib/gate/hooks/hook_outcome.ts";
import { type AuditLog, openAuditLog as openLog } from "./lib/io/audit/audit_log.ts";
import { chooseRuntime } from "./lib/io/runtime/choose_runtime.ts";
import { openHooks, ruleFiles } from "./lib/io/gate_ports.ts";
import { openAutoMode } from "./lib/io/load/load_auto_mode.ts";
import { terminalAsk } from "./lib/io/runtime/terminal_ask.ts";
import type { AskHandler } from "./lib/model/ask.ts";
import { type LoadedPolicy, openPolicy, type PolicyOptions } from "./lib/io/load/load_policy.ts";

export * from "./lib/core.ts";
export { LoadError } from "./lib/io/load/load_error.ts";
export type { PolicyFacts } from "./lib/io/load/find_facts.ts";
export type { LoadedPolicy, PolicyOptions, RuleText } from "./lib/io/load/load_policy.ts";
export { FileError, type FileFault } from "./lib/io/runtime/runtime.ts";
export { SourceError } from "./lib/policy/sources/source_error.ts";
export type { AuditLog } from "./lib/io/audit/audit_log.ts";

/** What `loadPolicy` may be told; all of it can be left out. */
export interface LoadPolicyOptions extends Omit<PolicyOptions, "start"> {
  /** Where the search for the workspace starts; the current directory when left out. */
  readonly cwd?: string;
}

/**
 * Reads the policy that holds for a folder: managed, local, project, user and built-in rules, and what the options add.
 *
 * Throws PolicyError when a file or a pattern has an error, LoadError when a file cannot be read, SourceError when the
 * environment does not say where a source stands. None of them may be answered with an allow.
 *
 * @example
 * ```ts ignore
 * import { loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy({ cwd: "/home/me/project" });
 * const verdict = policy.evaluate({ tool: "Write", input: { path: "src/main.ts" } });
 * if (verdict.action !== "allow") console.log(verdict.reason);
 * ```
 */
export async function loadPolicy(options: LoadPolicyOptions = {}): Promise<LoadedPolicy> {
  const { cwd, ...rest } = options;
  return await openPolicy(await chooseRuntime(), {
    ...rest,
    ...(cwd === undefined ? {} : { start: cwd }),
  });
}

/**
 * The front door for an agent's tool calls. As `createGate` of `@caliban/perms/core`, with what this machine has: its clock,
 * the files that a person's “always” is written to where the policy was loaded from files, and its audit log where the policy
 * says `audit_log = true`.
 *
 * @example
 * ```ts ignore
 * import { askOnTerminal, createGate, loadPolicy } from "@caliban/perms";
 * const gate = createGate({ policy: await loadPolicy(), ask: await askOnTerminal() });
 * const { decision, call, reason } = await gate.decide({ tool: "Bash", input: { command: "git push" } });
 * if (decision === "allow") console.log("run", call.input);
 * else console.log("tell the model", reason);
 * ```
 */
export function createGate(parts: GateParts): Gate {
  const { policy } = parts;
  const files = isLoaded(policy) ? { files: filesOf(policy) } : {};
  return createPureGate({
    now: () => Date.now(),
    machineAudit: machineAudit(),
    ...files,
    ...parts,
  });
}

/** The log of this machine, opened with its first line. */
function machineAudit(): AuditLine {
  let log: Promise<AuditLog> | undefined;
  return { append: async (line) => await (await (log ??= openAuditLog())).append(line) };
}

function isLoaded(policy: GivenPolicy): policy is LoadedPolicy {
  return "policy" in policy && "facts" in policy;
}

function filesOf({ facts: { platform, workspace } }: LoadedPolicy): RuleFiles {
  return ruleFiles({
    workspace,
    add: addToText,
    async made(file) {
      const { writeSchema } = await import("./lib/cli/write_schema.ts");
      return await writeSchema(file, { platform });
    },
  });
}

/** Asks on this terminal, call by call; a gate's `ask`. It denies once where there is no terminal. */
export async function askOnTerminal(): Promise<AskHandler> {
  return terminalAsk(await chooseRuntime());
}

/** What `loadAutoMode` may be told; all of it can be left out. */
export interface LoadAutoModeOptions {
  /** A further file, relative to the current directory; it must be there. */
  readonly config?: string;
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: trusted in this run. */
  readonly trust?: "recorded" | "given";
}

/**
 * Auto mode as the auto-mode.toml of project and user say it is; a gate's `classifier`. Throws PolicyError and LoadError
 * as `loadPolicy` does.
 */
export async function loadAutoMode(
  policy: LoadedPolicy,
  options: LoadAutoModeOptions = {},
): Promise<AutoMode> {
  return (await openAutoMode(await chooseRuntime(), { policy, ...options })).mode;
}

/**
 * What runs the hooks of the files that a policy was loaded from; a gate's `hooks`. Those of a workspace that is not
 * trusted do not run. Throws PolicyError when one has an error.
 */
export async function loadHooks(policy: LoadedPolicy): Promise<HookRunner> {
  return openHooks(await chooseRuntime(), { policy });
}

/** The audit log of this machine; a gate's `audit`. */
export async function openAuditLog(): Promise<AuditLog> {
  return openLog(await chooseRuntime());
}
