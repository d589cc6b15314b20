import { isJsonObject } from "../text/json_value.ts";
import { type AdapterOptions, askGate, type DecidingGate } from "./ask_gate.ts";

/** The answer to Claude Code where it would ask a person. */
export type ClaudePermission =
  | {
    /** It runs. */
    readonly behavior: "allow";
    /** With this input, which is the one that was decided. */
    readonly updatedInput: Record<string, unknown>;
  }
  | {
    /** It does not run. */
    readonly behavior: "deny";
    /** Why, for the model. */
    readonly message: string;
  };

/** The context of a question of Claude Code. */
export interface ClaudeQuestion {
  /** Gives the call up. */
  readonly signal: AbortSignal;
  /** Its name for the call. */
  readonly toolUseID?: string;
}

/** A function for the option `canUseTool` of the Claude Agent SDK. */
export type ClaudeCanUseTool = (
  tool: string,
  input: Record<string, unknown>,
  options: ClaudeQuestion,
) => Promise<ClaudePermission>;

/**
 * A gate as the option `canUseTool` of the Claude Agent SDK. Claude Code asks it only where it would ask a person: what its
 * own settings, modes or defaults allow does not get there, and it does not say in which folder the call runs. So give
 * `claudeHooks` as well, or instead. An ask without anybody to answer it is a deny.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { claudeCanUseTool } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(ls:*)"\naction = "allow"\n');
 * const canUseTool = claudeCanUseTool(createGate({ policy, headless: true }));
 * // query({ prompt, options: { canUseTool } })
 * const { signal } = new AbortController();
 * console.log((await canUseTool("Bash", { command: "ls" }, { signal })).behavior); // "allow"
 * ```
 */
export function claudeCanUseTool(
  gate: DecidingGate,
  options: AdapterOptions = {},
): ClaudeCanUseTool {
  return async (tool, input, question) => {
    const { signal, toolUseID: callId } = question ?? {};
    const answer = await askGate(gate, { tool, input, callId, signal }, options);
    if (answer.decision !== "allow") return { behavior: "deny", message: answer.reason };
    return { behavior: "allow", updatedInput: { ...answer.input } };
  };
}

/** The answer of a PreToolUse hook of the Claude Agent SDK. */
export interface ClaudeHookOutput {
  /** The answer. */
  readonly hookSpecificOutput: {
    readonly hookEventName: "PreToolUse";
    /** The decision; an ask goes on to `canUseTool`. */
    readonly permissionDecision: "allow" | "deny" | "ask";
    /** Why. */
    readonly permissionDecisionReason?: string;
    /** The input that runs, where it is another. */
    readonly updatedInput?: Record<string, unknown>;
  };
}

/** A hook of the Claude Agent SDK. */
export type ClaudeHook = (
  event: unknown,
  toolUseID: string | undefined,
  options: { readonly signal: AbortSignal },
) => Promise<ClaudeHookOutput>;

/** A value for the option `hooks` of the Claude Agent SDK. */
export interface ClaudeHooks {
  /** Asked before every tool call. */
  readonly PreToolUse: {
    hooks: ClaudeHook[];
    /** Its time limit, in seconds: a person may be asked, and a hook that is too late stops nothing. */
    timeout: number;
    /** A hook that fails stops the call; Claude Code lets it run otherwise. */
    onFailure: "block";
  }[];
}

/** One day: long enough for a person, and Claude Code takes no “never”. */
const LIMIT_S = 86_400;

/**
 * A gate as the option `hooks` of the Claude Agent SDK: it sees every tool call, also those that Claude Code would not ask
 * about, with the folder that it runs in. An ask that the gate leaves open goes on to Claude Code's own question.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { claudeHooks } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Read:**\/.env"\naction = "deny"\n');
 * const hooks = claudeHooks(createGate({ policy, headless: true }));
 * // query({ prompt, options: { hooks, canUseTool } })
 * console.log(hooks.PreToolUse.length); // 1
 * ```
 */
export function claudeHooks(gate: DecidingGate, options: AdapterOptions = {}): ClaudeHooks {
  const hook: ClaudeHook = async (event, toolUseID, { signal }) => {
    const { tool_name: tool, tool_input: input, cwd } = isJsonObject(event) ? event : {};
    const call = { tool, input, cwd, callId: toolUseID, signal };
    const answer = await askGate(gate, call, options);
    const hookEventName = "PreToolUse";
    if (answer.decision !== "allow") {
      const { decision: permissionDecision, reason: permissionDecisionReason } = answer;
      return {
        hookSpecificOutput: { hookEventName, permissionDecision, permissionDecisionReason },
      };
    }
    const changed = answer.isChanged ? { updatedInput: { ...answer.input } } : {};
    return { hookSpecificOutput: { hookEventName, permissionDecision: "allow", ...changed } };
  };
  return { PreToolUse: [{ hooks: [hook], timeout: LIMIT_S, onFailure: "block" }] };
}
