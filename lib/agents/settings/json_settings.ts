import type { Json } from "../../model/call.ts";
import { type JsonNode, jsonValue, memberOf } from "../../text/json_node.ts";
import { isSameJson } from "../../text/json_value.ts";
import type { AgentName } from "../registry.ts";
import {
  eachOnce,
  type InstalledHook,
  namesHook,
  requireFew,
  type TextEdits,
} from "./agent_settings.ts";
import { isOwnCommand } from "./own_command.ts";
import {
  type JsonValue,
  parseObject,
  withElement,
  withMember,
  withMemberAt,
  withoutElement,
  withoutInner,
} from "./json_text.ts";

export interface HookList {
  /** The names that lead to the list. */
  readonly path: readonly string[];
  /** Returns its element for a command. */
  elementFor(command: string): object;
}

/** The places of hooks in a JSON file that has more in it. */
export interface JsonForm {
  readonly agent: AgentName;
  /** The lists that get the hook. */
  readonly lists: readonly HookList[];
  /** Other members that the file needs. */
  readonly members?: Readonly<Record<string, string | number | boolean>>;
  /** Members that keep hooks switched on; one that is there stays as it is. */
  readonly flags?: readonly KeptOn[];
}

/** A member that keeps hooks switched on against settings of a lower rank. */
export interface KeptOn {
  /** The names that lead to it. */
  readonly path: readonly string[];
  readonly value: boolean;
}

/** Edits for such a file, which keep comments, order and layout of the rest. */
export function jsonSettings(form: JsonForm): TextEdits {
  return {
    install: (text, { command }) => install(text ?? "", { form, command }),
    uninstall(text) {
      const left = withoutOwn(text, form);
      return isEmpty(left, form) ? undefined : left;
    },
    commands: (text) => commandsIn(text, form),
    mentions: (text) => commandsIn(text, form, namesHook),
    empty: "{}\n",
  };
}

function install(
  text: string,
  { form, command }: InstalledHook & { readonly form: JsonForm },
): string {
  const isBlank = text.trim() === "";
  const start = isBlank ? "{}\n" : text;
  if (isInstalled(start, { form, command })) return text;
  const free = withoutOwn(start, form);
  const headed = Object.entries(form.members ?? {}).reduce(
    (changed, [name, value]) => withMember(changed, name, value),
    free,
  );
  const kept = (form.flags ?? []).reduce(
    (changed, { path, value }) => withMemberAt(changed, path, value),
    headed,
  );
  return form.lists.reduce(
    (changed, { path, elementFor }) => withElement(changed, path, elementFor(command)),
    kept,
  );
}

/** True if every list has exactly this hook, and no other of ours. */
function isInstalled(
  text: string,
  { form, command }: InstalledHook & { readonly form: JsonForm },
): boolean {
  const root = parseObject(text);
  const isKept = (form.flags ?? []).every(({ path }) => nodeAt(root, path) !== undefined);
  return isKept && form.lists.every(({ path, elementFor }) => {
    const own = ownEntries(text, path, form.agent);
    return own.length === 1 && own[0]?.json === JSON.stringify(elementFor(command));
  });
}

function withoutOwn(text: string, { lists, agent }: JsonForm): string {
  let left = text;
  for (const { path } of lists) {
    for (;;) {
      const own = ownEntries(left, path, agent);
      requireFew(own.flatMap(({ commands }) => commands).length);
      const [first] = own;
      if (first === undefined) break;
      left = first.inner === undefined
        ? withoutElement(left, path, first.index)
        : withoutInner(left, path, [first.index, HANDLERS, first.inner]);
    }
  }
  return left;
}

/** The list of commands in an element of Claude Code's form. */
const HANDLERS = "hooks";

interface OwnEntry {
  readonly index: number;
  /** The index among the element's commands, where others than ours are among them. */
  readonly inner?: number;
  readonly json: string;
  readonly commands: readonly string[];
}

function ownEntries(
  text: string,
  path: readonly string[],
  agent: AgentName,
  isWanted = isOwnCommand,
): readonly OwnEntry[] {
  const list = nodeAt(parseObject(text), path);
  if (list?.type !== "array") return [];
  return list.elements.flatMap((item, index) => {
    const plain = jsonValue(item);
    const commands = textsIn(plain).filter((each) => isWanted(each, agent));
    if (commands.length === 0) return [];
    const inner = innerIndex(item, agent);
    const json = JSON.stringify(plain);
    return [{ index, json, commands, ...(inner !== undefined && { inner }) }];
  });
}

/** The index of our command beside those of somebody else. */
function innerIndex(element: JsonNode, agent: AgentName): number | undefined {
  const handlers = memberOf(element, HANDLERS)?.value;
  if (handlers?.type !== "array") return undefined;
  const isOwn = (node: JsonNode) =>
    textsIn(jsonValue(node)).some((each) => isOwnCommand(each, agent));
  const own = handlers.elements.findIndex(isOwn);
  return own === -1 || handlers.elements.every(isOwn) ? undefined : own;
}

function nodeAt(root: JsonNode, path: readonly string[]): JsonNode | undefined {
  return path.reduce<JsonNode | undefined>((node, name) => memberOf(node, name)?.value, root);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function commandsIn(
  text: string,
  { lists, agent }: JsonForm,
  isWanted = isOwnCommand,
): readonly string[] {
  if (text.trim() === "") return [];
  const found = lists.flatMap(({ path }) => ownEntries(text, path, agent, isWanted));
  return eachOnce(found.flatMap(({ commands }) => commands));
}

/** True if nothing is left but what `install` writes around the hook. */
function isEmpty(text: string, { members = {}, flags = [] }: JsonForm): boolean {
  if (/\/[/*]/.test(text)) return false;
  const left = jsonValue(parseObject(text));
  const around = flags.reduce<object>(
    (object, { path, value }) => withFlag(object, path, value),
    members,
  );
  return isSameJson(left as Json, {}) || isSameJson(left as Json, around as Json);
}

function withFlag(
  object: object,
  [name = "", ...rest]: readonly string[],
  value: JsonValue,
): object {
  const inner: unknown = Object.entries(object).find(([key]) => key === name)?.[1];
  const below = typeof inner === "object" && inner !== null ? inner : {};
  return { ...object, [name]: rest.length === 0 ? value : withFlag(below, rest, value) };
}
