import { DISABLED, modeNamed } from "../decide/modes.ts";
import type { Policy } from "../decide/policy.ts";
import type { AskHandler, AskScope } from "../model/verdict.ts";
import type { JsonObject, ModeName, ToolCall } from "../model/call.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { NewRule } from "../policy/edit/policy_pairs.ts";
import type { AutoMode } from "./auto/opinion.ts";
import type { HookRunner } from "./hooks/hook_outcome.ts";

export type FileScope = Exclude<AskScope, "session">;

/** The text of a policy file with a rule added, as the verb `add` places it. */
export type AddedText =
  | { readonly kind: "added"; readonly text: string }
  /** The same rule stands there already. */
  | { readonly kind: "stands" }
  /** The file cannot be edited, or the rule cannot be written. */
  | { readonly kind: "refused"; readonly why: { readonly problem: { readonly message: string } } };

/** The files that “always” can be written to. */
export interface RuleFiles {
  /** Places a rule in a file's text, without its byte order mark. */
  add(
    text: string,
    options: {
      readonly rule: NewRule;
      readonly first: boolean;
      readonly profiles: ToolProfiles;
    },
  ): AddedText;
  /**
   * Edits a file (absolute path) so that nothing that others write is lost. `edit` may be called more than once; it gives
   * undefined to leave the text as it is. Gives a warning when all that failed stands beside the file; rejects when the
   * file cannot be written.
   */
  edit(
    file: { readonly scope: FileScope; readonly path: string },
    edit: (text: string) => string | undefined,
  ): Promise<string | undefined>;
}

/** A log of decisions. */
export interface AuditLine {
  /** Appends one line; a warning when that failed. */
  append(line: string): Promise<string | undefined>;
}

/** The parts of a gate; all but the policy can be left out. */
export interface GateParts {
  /** The rules. */
  readonly policy: Policy;
  /**
   * The mode, or a handle that can change it; when left out the policy's `default_mode`. The mode that a managed file sets
   * holds against any other.
   */
  readonly mode?: GateMode | GateModeName;
  /** The person; without one a question stays an `ask`, for the caller to answer. */
  readonly ask?: AskHandler;
  /** Auto mode, asked in the mode `auto`. */
  readonly classifier?: AutoMode;
  /** Runs the user's hooks; without it none run. */
  readonly hooks?: HookRunner;
  /** Checks of tools about their own calls, by name. */
  readonly tools?: Readonly<Record<string, GateTool>>;
  /** The audit log, also without `audit_log` in the policy. */
  readonly audit?: AuditLine;
  /** The audit log if the policy says `audit_log = true` and there is no `audit`. */
  readonly machineAudit?: AuditLine;
  /** True if there is no person to ask: then an ask is a deny. */
  readonly headless?: boolean;
  /** True if ordinary questions are answered with allow. */
  readonly autoAllow?: boolean;
  /** The time now, in ms since 1970-01-01T00:00Z; without it no allow rule counts that ends some day. */
  readonly now?: () => number;
  /** The agent's name for its session, for hooks and the audit log. */
  readonly session?: string;
  /** The agent, for the audit log. */
  readonly agent?: string;
}

/** The parts of a gate on a machine with files. */
export interface MachineParts extends GateParts {
  /** The files that “always” can be written to; without them it is kept for the session only. */
  readonly files?: RuleFiles;
}

/** The answer of a schema's `safeParse`, as zod has it. */
export interface ParsedInput {
  /** True if the input is valid. */
  readonly success: boolean;
  /** The parsed input, with defaults filled in: the tool runs with it. */
  readonly data?: unknown;
  /** The fault. */
  readonly error?: unknown;
}

/** A zod schema, or anything with the same method. */
export interface InputSchema {
  /** Checks an input. */
  safeParse(input: unknown): ParsedInput | Promise<ParsedInput>;
}

/** The context of a question to a tool. */
export interface ToolContext {
  /** The call; frozen. */
  readonly call: ToolCall;
  /** The absolute path of the folder it runs in. */
  readonly cwd: string;
  /** Aborted when the answer is no longer wanted. */
  readonly signal?: AbortSignal;
}

/** A tool's opinion on a call of its own: `passthrough` is no opinion. */
export interface ToolOpinion {
  /** `passthrough` leaves the question to the mode. */
  readonly decision: "allow" | "deny" | "ask" | "passthrough";
  /** Why, in one sentence without a final full stop; for the model too. */
  readonly reason?: string;
}

/** A tool's checks of its own calls; all of them can be left out. */
export interface GateTool {
  /** Validates the input before any rule sees it; a `zod` schema fits. */
  readonly schema?: InputSchema;
  /** Finds faults that the schema does not: returns one sentence for the model, or undefined. */
  validateInput?(
    input: JsonObject,
    context: ToolContext,
  ): string | undefined | Promise<string | undefined>;
  /** The tool's own opinion. */
  checkPermissions?(
    input: JsonObject,
    context: ToolContext,
  ): ToolOpinion | Promise<ToolOpinion>;
  /** True if only a person answers its asks, and no mode but bypass. */
  readonly needsPerson?: boolean;
}

/** The name of a mode, or of the state without permissions. */
export type GateModeName = ModeName | "disabled";

/** The mode in force, as a gate sees it (a `SharedPermissionMode` is one): it can be read and watched, not set. */
export interface GateMode {
  /** The mode now. */
  readonly current: GateModeName;
  /** Has the listener called after each change; what it returns ends that. */
  subscribe(listener: () => void): () => void;
}

/** A mode that never changes. Throws TypeError for an unknown mode, and for bypassPermissions. */
export function fixedMode(name: GateModeName): GateMode {
  const mode = name === "disabled" ? DISABLED : modeNamed(name);
  if (mode === undefined) throw new TypeError(`Unknown mode "${name}"`);
  if (mode !== DISABLED && mode.liftsDenials) {
    throw new TypeError(
      `Cannot start a gate in the mode "${name}": pass createSharedMode({ start, allowBypass: true })`,
    );
  }
  return { current: name, subscribe: () => () => {} };
}

/** A view of a mode without its setter. */
export function readOnlyMode(mode: GateMode): GateMode {
  return Object.freeze({
    get current() {
      return mode.current;
    },
    subscribe: (listener: () => void) => mode.subscribe(() => listener()),
  });
}
