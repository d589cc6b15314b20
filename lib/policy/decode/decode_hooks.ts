import { HOOK_EVENTS, HOOK_TYPES, type HookEventName, type WrittenHook } from "../../model/hook.ts";
import type { Located } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import { readArray, readChoice, readString, readTable, wrongElement } from "./read_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";

/** The keys of one entry of an event's list. */
const GROUP_KEYS = ["matcher", "hooks"];
/** The keys of one hook. */
const HOOK_KEYS = ["type", "command"];

/**
 * The hooks of a `[hooks]` table, or of the `hooks` member of a JSON object, in the order of the text; what is wrong is
 * added to `problems`, and the hook is left out. Matchers are taken as they are: `compileHooks` parses them.
 */
export function decodeHooks(member: TomlMember, problems: Problem[]): readonly WrittenHook[] {
  const table = readTable(member, problems);
  if (table === undefined) return [];
  return [...table.members.values()].flatMap((each) => {
    const event = HOOK_EVENTS.find((name) => name === each.name);
    if (event !== undefined) {
      return tablesIn(each, problems).flatMap((group) => hooksOf(group, { event, problems }));
    }
    problems.push(unknownEvent(each));
    return [];
  });
}

/** What a hook's entry is read for. */
interface Reading {
  readonly event: HookEventName;
  readonly problems: Problem[];
}

/** The hooks of one entry: a matcher, and what runs for the tools that it fits. */
function hooksOf(group: TomlTable, { event, problems }: Reading): readonly WrittenHook[] {
  noOtherKeys(group, { keys: GROUP_KEYS, problems });
  const matcherMember = group.members.get("matcher");
  const matcher = matcherMember && readString(matcherMember, problems);
  // A matcher that is none must not become one of all tools, or of no tool.
  if (matcherMember !== undefined && matcher === undefined) return [];
  const hooks = group.members.get("hooks");
  if (hooks === undefined) {
    problems.push(missing(group, { key: "hooks", of: `an entry of ${event}` }));
    return [];
  }
  return tablesIn(hooks, problems).flatMap((table) => {
    const command = commandOf(table, { event, problems });
    if (command === undefined) return [];
    return [{ event, ...(matcher && { matcher }), command, span: table.span }];
  });
}

function commandOf(table: TomlTable, { event, problems }: Reading): Located<string> | undefined {
  noOtherKeys(table, { keys: HOOK_KEYS, problems });
  const type = table.members.get("type");
  if (type !== undefined && readChoice(type, { choices: HOOK_TYPES, problems }) === undefined) {
    return undefined;
  }
  const member = table.members.get("command");
  if (member === undefined) {
    problems.push(missing(table, { key: "command", of: `a hook of ${event}` }));
    return undefined;
  }
  const command = readString(member, problems);
  const fault = command && commandFault(command.value);
  if (command === undefined || fault === undefined) return command;
  const message = `Cannot read command ${quoted(command.value)}: ${fault}`;
  problems.push(errorAt(command.span, { id: "unknown-value", message }));
  return undefined;
}

/** Why no shell can be given the command; undefined when one can. */
function commandFault(command: string): string | undefined {
  if (command.trim() === "") return "it is empty";
  if (command.includes("\0")) return "it holds a NUL character";
  return command.isWellFormed() ? undefined : "it is not valid Unicode";
}

/** The tables of an array; a problem for everything else in it. */
function tablesIn(member: TomlMember, problems: Problem[]): readonly TomlTable[] {
  return (readArray(member, problems)?.items ?? []).flatMap((element) => {
    if (element.type === "table") return [element];
    problems.push(wrongElement(member, { element, expected: "a table" }));
    return [];
  });
}

function unknownEvent({ name, key }: TomlMember): Problem {
  return errorAt(key, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: hooks have no such event`,
    hint: didYouMean(name, HOOK_EVENTS) ?? `The events are ${HOOK_EVENTS.join(", ")}`,
  });
}

function noOtherKeys(
  table: TomlTable,
  { keys, problems }: { readonly keys: readonly string[]; readonly problems: Problem[] },
): void {
  for (const { name, key } of table.members.values()) {
    if (keys.includes(name)) continue;
    problems.push(errorAt(key, {
      id: "unknown-key",
      message: `Cannot read key ${quoted(name)}: there is no such key here`,
      hint: name === "timeout"
        ? "Every hook has 10 seconds; leave it out"
        : didYouMean(name, keys) ?? `The keys here are ${keys.join(", ")}`,
    }));
  }
}

function missing(
  table: TomlTable,
  { key, of }: { readonly key: string; readonly of: string },
): Problem {
  return errorAt(table.span, {
    id: "missing-key",
    message: `Cannot read ${of}: its "${key}" is missing`,
  });
}
