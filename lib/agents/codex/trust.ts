import type { Json } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import type { HookTrust } from "../settings/agent_settings.ts";
import {
  type PlacedHook,
  type ReadFile,
  type SwitchCheck,
  valueAt,
} from "../settings/hook_switches.ts";

/** The place of a hook in hooks.json, and the texts by which Codex knows it. */
interface KnownHook {
  /** The member of `hooks.state` in config.toml. */
  readonly key: string;
  /** The text whose hash is the hook's: its definition in canonical JSON. */
  readonly definition: string;
}

/** Each hook with this command in a hooks.json. */
function knownHooks(file: Json, { path, command }: PlacedHook): readonly KnownHook[] {
  const groups = valueAt(file, ["hooks", "PreToolUse"]);
  if (!isList(groups)) return [];
  return groups.flatMap((group, at) => {
    const hooks = valueAt(group, ["hooks"]);
    if (!isList(hooks)) return [];
    return hooks.flatMap((hook, index) => {
      if (!isJsonObject(hook) || hook["command"] !== command) return [];
      const key = `${path}:pre_tool_use:${at}:${index}`;
      return [{ key, definition: definitionOf(group, hook["timeout"] ?? 600, command) }];
    });
  });
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** The members in the order of their names, as Codex writes them for its hash. */
function definitionOf(group: Json, timeout: Json, command: string): string {
  const hook = { async: false, command, timeout, type: "command" };
  const matcher = valueAt(group, ["matcher"]);
  const named = typeof matcher === "string" ? { matcher } : {};
  return JSON.stringify({ event_name: "pre_tool_use", hooks: [hook], ...named });
}

function stateOf(files: readonly ReadFile[], key: string): Json | undefined {
  const config = files.find(({ scope }) => scope === "user");
  return config && valueAt(config.value, ["hooks", "state", key]);
}

/** The record of a person's trust in a hook; hooks of managed settings need none. */
export function trustOf(
  files: readonly ReadFile[],
  hook: PlacedHook,
  file: Json,
): HookTrust | undefined {
  const [known] = hook.scope === "managed" ? [] : knownHooks(file, hook);
  if (known === undefined) return undefined;
  const hash = valueAt(stateOf(files, known.key) ?? null, ["trusted_hash"]);
  return {
    definition: known.definition,
    ...(typeof hash === "string" && { trusted: hash.replace(/^sha256:/, "") }),
    remedy: 'start codex, and trust the hook with "/hooks"',
  };
}

/** The check for a hook that a person switched off in Codex's list. */
export const switchedOffByPerson: SwitchCheck = (files, hook) => {
  const config = files.find(({ scope }) => scope === "user");
  const states = config && valueAt(config.value, ["hooks", "state"]);
  if (config === undefined || !isJsonObject(states)) return undefined;
  const off = Object.entries(states).find(([key, state]) =>
    key.startsWith(`${hook.path}:pre_tool_use:`) && valueAt(state, ["enabled"]) === false
  );
  return off && {
    path: config.path,
    scope: config.scope,
    what: `"hooks.state" switches off a hook of ${hook.path}`,
    sparesManaged: true,
  };
};
