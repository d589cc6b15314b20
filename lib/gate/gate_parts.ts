import type { AutoMode } from "./auto/opinion.ts";
import type { HookRunner } from "./hooks/hook_outcome.ts";
import type { AskHandler, AskScope } from "../model/ask.ts";
import type { NewRule } from "../policy/edit/rule_text.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { GivenPolicy } from "./gate.ts";
import type { GateMode, GateModeName } from "./gate_mode.ts";
import type { GateTool } from "./gate_tool.ts";

/** A scope that is a file. */
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

/** Where decisions are kept. */
export interface AuditLine {
  /** Appends one line; a warning when that failed. */
  append(line: string): Promise<string | undefined>;
}

/** What a gate is made of; all but the policy can be left out. */
export interface GateParts {
  /** The rules, as they were compiled or loaded. */
  readonly policy: GivenPolicy;
  /** The mode, or a handle that can change it; `default` when left out. */
  readonly mode?: GateMode | GateModeName;
  /** Who is asked; without one a question stays an `ask`, for the caller to answer. */
  readonly ask?: AskHandler;
  /** Auto mode, asked in the mode `auto`. */
  readonly classifier?: AutoMode;
  /** The hooks. */
  readonly hooks?: HookRunner;
  /** What tools know about their own calls, by name. */
  readonly tools?: Readonly<Record<string, GateTool>>;
  /** Where decisions are kept, whatever the policy says. */
  readonly audit?: AuditLine;
  /** Where decisions are kept when the policy says `audit_log = true`, in place of `audit`. */
  readonly machineAudit?: AuditLine;
  /** Nobody can be asked: ask is deny. */
  readonly headless?: boolean;
  /** Ordinary questions are answered with allow. */
  readonly autoAllow?: boolean;
  /** The time now, in ms since 1970-01-01T00:00Z; without it no allow rule counts that ends some day. */
  readonly now?: () => number;
  /** The agent's name for its session, for hooks and the audit log. */
  readonly session?: string;
  /** The agent, for the audit log. */
  readonly agent?: string;
  /** The files that “always” can be written to; without them it is kept for the session only. */
  readonly files?: RuleFiles;
}
