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
import "./lib/shell/parse/loaded_parser.ts";
import type { Policy } from "./lib/decide/policy.ts";
import type { AutoMode } from "./lib/gate/auto/opinion.ts";
import { TIMEOUT } from "./lib/gate/auto/auto_mode_file.ts";
import { createGate as createMachineGate } from "./lib/gate/create_gate.ts";
import type { Gate } from "./lib/gate/gate.ts";
import type { AuditLine, GateParts, RuleFiles } from "./lib/gate/gate_parts.ts";
import type { HookRunner } from "./lib/gate/hooks/hook_outcome.ts";
import { type AuditLog, openAuditLog as openLog } from "./lib/io/audit/audit_log.ts";
import { ownModel } from "./lib/io/classifier/own_model.ts";
import { openHooks, ruleFiles } from "./lib/io/gate_ports.ts";
import { openAutoMode } from "./lib/io/load/load_auto_mode.ts";
import {
  type LoadedPolicy,
  type LoadPolicyOptions,
  openPolicy,
} from "./lib/io/load/load_policy.ts";
import { chooseRuntime } from "./lib/io/runtime/choose_runtime.ts";
import { terminalAsk } from "./lib/io/runtime/terminal_ask.ts";
import type { AskHandler } from "./lib/model/verdict.ts";
import { addToText } from "./lib/policy/edit/add_to_text.ts";

export { createSharedMode, policyFromToml } from "./lib/core.ts";
export type {
  Action,
  AskAnswer,
  AskHandler,
  AskQuestion,
  AutoMode,
  ChildGate,
  ChildOptions,
  DecidedBy,
  Decision,
  EvaluateOptions,
  Gate,
  GateDecision,
  GateParts,
  GateStep,
  GateTool,
  HookRunner,
  ModeName,
  Policy,
  PolicyTextOptions,
  Rule,
  Settings,
  SharedPermissionMode,
  ToolCall,
  UnitDecision,
  UnitVerdict,
  Verdict,
} from "./lib/core.ts";
export type { AuditLog } from "./lib/io/audit/audit_log.ts";
export type { LoadPolicyOptions } from "./lib/io/load/load_policy.ts";
export { FileError, type FileFault, LoadError } from "./lib/io/runtime/runtime.ts";
export { PolicyError } from "./lib/policy/decode/policy_error.ts";
export { SourceError } from "./lib/policy/sources/source.ts";

/**
 * Reads the policy that holds for a folder: managed, local, project, user and built-in rules, and what the options add.
 *
 * Throws PolicyError when a file or a pattern has an error, LoadError when a file cannot be read, SourceError when the
 * environment does not define the path of a source. Never answer an error with an allow.
 *
 * @example
 * ```ts ignore
 * import { loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy({ cwd: "/home/me/project" });
 * const verdict = policy.evaluate({ tool: "Write", input: { path: "src/main.ts" } });
 * if (verdict.action !== "allow") console.log(verdict.reason);
 * ```
 */
export async function loadPolicy(options: LoadPolicyOptions = {}): Promise<Policy> {
  const { cwd, ...rest } = options;
  return await openPolicy(await chooseRuntime(), {
    ...rest,
    ...(cwd === undefined ? {} : { start: cwd }),
  });
}

/**
 * Creates the gate that every tool call of an agent goes through, with this machine's clock, the policy files that an
 * “always” is written to, and the audit log if the policy sets `audit_log = true`.
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
  const policy = givenPolicy(parts);
  const files = isLoaded(policy) ? { files: filesOf(policy) } : {};
  return createMachineGate({
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

/** The policy of a gate's parts. Throws TypeError where JavaScript gave none. */
function givenPolicy(parts: Partial<GateParts> | null | undefined): Policy {
  const policy = parts?.policy;
  if (typeof policy === "object" && policy !== null) return policy;
  throw new TypeError(
    "Cannot create a gate: its policy is missing; pass { policy: await loadPolicy() }",
  );
}

function isLoaded(policy: Policy): policy is LoadedPolicy {
  return "policy" in policy && "location" in policy;
}

function loaded(policy: Policy): LoadedPolicy {
  if (isLoaded(policy)) return policy;
  throw new TypeError("Cannot read files for the policy: loadPolicy did not make it");
}

function filesOf({ location }: LoadedPolicy): RuleFiles {
  return ruleFiles({
    runtime: chooseRuntime,
    location,
    add: addToText,
    async made(file) {
      const { writeSchema } = await import("./lib/io/write/write_schema.ts");
      return await writeSchema(file, { platform: location.platform });
    },
  });
}

/** A handler for a gate's `ask` that prompts on this terminal. Without a terminal it denies once. */
export async function askOnTerminal(): Promise<AskHandler> {
  return terminalAsk(await chooseRuntime());
}

/** Options of `loadAutoMode`. */
export interface LoadAutoModeOptions {
  /** A further file, relative to the current directory; it must be there. */
  readonly config?: string;
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: trusted in this run. */
  readonly trust?: "recorded" | "given";
}

/**
 * Loads auto mode from the auto-mode.toml of project and user, for a gate's `classifier`. Throws PolicyError and LoadError
 * as `loadPolicy` does.
 */
export async function loadAutoMode(
  policy: Policy,
  options: LoadAutoModeOptions = {},
): Promise<AutoMode> {
  return (await openAutoMode(await chooseRuntime(), { policy: loaded(policy), ...options })).mode;
}

/** Options of `createAutoMode`. */
export interface CreateAutoModeOptions extends LoadAutoModeOptions {
  /** The policy whose questions it answers; `loadPolicy` must have made it. */
  readonly policy: Policy;
  /**
   * Asks the model once and returns the text of its answer: the JSON object that `system` describes. What it throws, another
   * answer and the end of the time leave the call a question.
   */
  readonly classifier: (
    question: { readonly system: string; readonly user: string },
    options: { readonly signal: AbortSignal },
  ) => string | Promise<string>;
  /** The time that an answer may take, in ms; that of `[classifier]`, else 5000, when left out. */
  readonly timeoutMs?: number;
}

/**
 * Creates auto mode with a model of your own, for a gate's `classifier`. Lists and environment come from the auto-mode.toml of
 * project and user; cache, salted questions and the stop after repeated denials are those of `loadAutoMode`. Throws
 * PolicyError and LoadError as `loadPolicy` does.
 *
 * @example
 * ```ts ignore
 * import { createAutoMode, createGate, loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy();
 * const classifier = await createAutoMode({
 *   policy,
 *   classifier: async ({ system, user }, { signal }) => await myModel(system, user, signal),
 * });
 * const gate = createGate({ policy, mode: "auto", classifier });
 * ```
 */
export async function createAutoMode(options: CreateAutoModeOptions): Promise<AutoMode> {
  const { policy, classifier, timeoutMs, ...rest } = options;
  const { mode } = await openAutoMode(await chooseRuntime(), {
    policy: loaded(policy),
    ...rest,
    classifier: (found) =>
      Promise.resolve(
        ownModel(classifier, { timeoutMs: timeoutMs ?? found?.timeoutMs ?? TIMEOUT.default }),
      ),
  });
  return mode;
}

/**
 * Loads the hooks of the policy's files, for a gate's `hooks`. Hooks of an untrusted workspace do not run. Throws
 * PolicyError if a hook has an error.
 */
export async function loadHooks(policy: Policy): Promise<HookRunner> {
  return openHooks(await chooseRuntime(), { policy: loaded(policy) });
}

/** Opens the audit log of this machine, for a gate's `audit`. */
export async function openAuditLog(): Promise<AuditLog> {
  return openLog(await chooseRuntime());
}
