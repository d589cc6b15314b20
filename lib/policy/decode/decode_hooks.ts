import type { WrittenHook } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { readArray, readChoice, readString, readTable, wrongElement } from "./read_value.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { HOOK_EVENTS, HOOK_TYPES, type HookEventName } from "../../model/call.ts";

/** The keys of one entry of an event's list. */
const GROUP_KEYS = ["matcher", "hooks"];
const HOOK_KEYS = ["type", "command"];

/**
 * The hooks of a `[hooks]` table, or of the `hooks` member of a JSON object, in the order of the text. A hook with a
 * problem is left out. Matchers are not parsed here: `compileHooks` does that.
 */
export function decodeHooks(member: TomlMember, problems: Problem[]): readonly WrittenHook[] {
  const table = readTable(member, problems);
  if (table === undefined) return [];
  return [...table.members.values()].flatMap((each) => {
    const event = HOOK_EVENTS.find((name) => name === each.name);
    if (event !== undefined) {
      return tablesIn(each, { problems, header: `hooks.${event}` }).flatMap((group) =>
        hooksOf(group, { event, problems })
      );
    }
    problems.push(unknownEvent(each));
    return [];
  });
}

/** The event and the list of problems that a hook's entry is read for. */
interface Reading {
  readonly event: HookEventName;
  readonly problems: Problem[];
}

/** The hooks of one entry: a matcher, and the commands for the tools that it matches. */
function hooksOf(group: TomlTable, { event, problems }: Reading): readonly WrittenHook[] {
  noOtherKeys(group, { keys: GROUP_KEYS, problems });
  const matcherMember = group.members.get("matcher");
  const matcher = matcherMember && readString(matcherMember, problems);
  // A malformed matcher must neither match all tools nor none.
  if (matcherMember !== undefined && matcher === undefined) return [];
  const hooks = group.members.get("hooks");
  if (hooks === undefined) {
    problems.push(missing(group, { key: "hooks", of: `an entry of ${event}` }));
    return [];
  }
  return tablesIn(hooks, { problems, header: `hooks.${event}.hooks` }).flatMap((table) => {
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

/** The reason why no shell can run the command; undefined if one can. */
function commandFault(command: string): string | undefined {
  if (command.trim() === "") return "it is empty";
  if (command.includes("\0")) return "it contains a NUL character";
  return command.isWellFormed() ? undefined : "it is not valid Unicode";
}

/** The tables of an array. Everything else in it is a problem. */
function tablesIn(
  member: TomlMember,
  { problems, header }: { readonly problems: Problem[]; readonly header: string },
): readonly TomlTable[] {
  return (readArray(member, problems, header)?.elements ?? []).flatMap((element) => {
    if (element.type === "table") return [element];
    problems.push(wrongElement(member, { element, expected: "a table" }));
    return [];
  });
}

function unknownEvent({ name, key }: TomlMember): Problem {
  return errorAt(key, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: there is no such hook event`,
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
        ? "Every hook has 10 seconds; omit it"
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
