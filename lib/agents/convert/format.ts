import type { Action, ModeName } from "../../model/call.ts";
import type { FileSettings, PolicyFile, WrittenHook, WrittenRule } from "../../model/rule.ts";
import type { Loss, Problem, Span } from "../../model/problem.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { lossOf } from "./parts.ts";

/** A rule in caliban's form. */
export interface FormatRule {
  readonly pattern: string;
  readonly action: Action;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
  /** The end of its validity, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number;
  /** The place of its source in the text that was read. */
  readonly span?: Span;
}

/** The rules of another agent's file. */
export interface ImportResult {
  /** In caliban's order: the first match decides. */
  readonly rules: readonly FormatRule[];
  /** The mode that the file starts in, where caliban has the same. */
  readonly defaultMode?: ModeName;
  /** The hooks in the shape of ours, in the order of the text; absent where there are none. */
  readonly hooks?: readonly WrittenHook[];
  readonly losses: readonly Loss[];
  /** With an error among them nothing else counts. */
  readonly problems: readonly Problem[];
}

/** The policy around rules that are exported. */
export interface ExportContext {
  readonly profiles: ToolProfiles;
  /** The settings of the policy. */
  readonly settings: FileSettings;
  /** The hooks of the policy. */
  readonly hooks?: readonly WrittenHook[];
  /** Returns true if a call can match both rules; false only where no call can. */
  readonly mayOverlap: (first: FormatRule, stricter: FormatRule) => boolean;
}

/** Rules in another agent's form. */
export interface ExportResult {
  /** The whole text of a file, ending in a newline. */
  readonly text: string;
  readonly losses: readonly Loss[];
}

/** A rule file of another agent. Pure: texts in, texts out. */
export interface Format {
  /** The word on the command line. */
  readonly name: string;
  /** The name for people: `Claude Code settings.json`. */
  readonly title: string;
  /** The difference from caliban that holds for every rule, and so is no loss; one sentence without a final full stop. */
  readonly caveat: string;
  /** Returns true if a file is of this format, by its path and text. */
  readonly detect: (path: string, text: string) => boolean;
  /** The paths of the agent's settings, which name the format of a file that `detect` does not know. */
  readonly settings?: RegExp;
  /** Reads a file without its byte order mark; absent for a format that is only written. Total. */
  readonly read?: (text: string, path: string) => ImportResult;
  /** Set if the written file has the hooks too; otherwise they are lost. */
  readonly keepsHooks?: true;
  /** Writes rules, highest first. Total. */
  readonly write: (rules: readonly FormatRule[], context: ExportContext) => ExportResult;
}

/** The policy file with the rules that were read. */
export function policyFileOf({ rules, defaultMode, hooks }: ImportResult): PolicyFile {
  const none = { start: 0, end: 0, line: 1, column: 1 };
  return {
    shape: "canonical",
    rules: rules.map(({ pattern, span = none, ...rule }) => ({
      ...rule,
      pattern: { value: pattern, span },
      span,
    })),
    settings: defaultMode === undefined || defaultMode === "default"
      ? {}
      : { defaultMode: { value: defaultMode, span: none } },
    tools: new Map(),
    ...(hooks === undefined ? {} : { hooks }),
    problems: [],
  };
}

/** The rules of a policy file that can be exported. An allow that expires is dropped: there it would stay for ever. */
export function exportableRules(
  { rules }: PolicyFile,
): { readonly rules: readonly FormatRule[]; readonly losses: readonly Loss[] } {
  const all = rules.map(formatRule);
  const left = (rule: FormatRule) => rule.action === "allow" && rule.expiresAt !== undefined;
  return {
    rules: all.filter((rule) => !left(rule)),
    losses: all.filter(left).map((rule) =>
      lossOf({ rule }, "dropped", "there it would not expire")
    ),
  };
}

function formatRule({ pattern, action, comment, reason, expiresAt }: WrittenRule): FormatRule {
  return {
    pattern: pattern.value,
    action,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
