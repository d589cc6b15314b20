import { evaluate as valueOf, type ObjectNode, type ValueNode } from "@humanwhocodes/momoa";
import type { AgentSettings, InstalledHook } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { memberOf, parseJson, withElement, withMember, withoutElement } from "./json_text.ts";
import { isOwnCommand } from "./own_command.ts";

/** A list in which a hook stands. */
export interface HookList {
  /** The names that lead to the list. */
  readonly path: readonly string[];
  /** What stands in it. */
  entry(command: string): object;
}

/** Where hooks stand in a file of JSON that has more in it. */
export interface JsonForm {
  /** The agent. */
  readonly agent: AgentName;
  /** Every list that gets the hook. */
  readonly lists: readonly HookList[];
  /** Members that a file must have besides; none when left out. */
  readonly members?: Readonly<Record<string, string | number | boolean>>;
  /** What switches every hook off, with the value that does; none when left out. */
  readonly switches?: readonly Switch[];
}

/** A member of settings that switches every hook off. */
export interface Switch {
  /** The names that lead to it. */
  readonly path: readonly string[];
  /** The value with which it does. */
  readonly off: boolean;
}

type TextEdits = Pick<AgentSettings, "install" | "uninstall" | "commands" | "offBy">;

/** How a hook gets into such a file and out of it; comments, order and layout of the rest stay. */
export function jsonSettings(form: JsonForm): TextEdits {
  return {
    install: (text, { command }) => install(text ?? "", { form, command }),
    uninstall(text) {
      const left = withoutOwn(text, form);
      return isEmpty(left, form) ? undefined : left;
    },
    commands: (text) => commandsIn(text, form),
    offBy: (text) => offBy(text, form),
  };
}

function offBy(text: string, { switches = [] }: JsonForm): string | undefined {
  const root = parseJson(text);
  return switches.find(({ path, off }) => {
    const node = nodeAt(root, path);
    return node?.type === "Boolean" && node.value === off;
  })?.path.join(".");
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
  return form.lists.reduce(
    (changed, { path, entry }) => withElement(changed, path, entry(command)),
    headed,
  );
}

/** Whether every list has this very hook once, and nothing else of ours. */
function isInstalled(
  text: string,
  { form, command }: InstalledHook & { readonly form: JsonForm },
): boolean {
  return form.lists.every(({ path, entry }) => {
    const own = ownEntries(text, path, form.agent);
    return own.length === 1 && own[0]?.json === JSON.stringify(entry(command));
  });
}

function withoutOwn(text: string, { lists, agent }: JsonForm): string {
  let left = text;
  for (const { path } of lists) {
    for (;;) {
      const [first] = ownEntries(left, path, agent);
      if (first === undefined) break;
      left = withoutElement(left, path, first.index);
    }
  }
  return left;
}

interface OwnEntry {
  readonly index: number;
  readonly json: string;
  readonly commands: readonly string[];
}

function ownEntries(
  text: string,
  path: readonly string[],
  agent: AgentName,
): readonly OwnEntry[] {
  const list = nodeAt(parseJson(text), path);
  if (list?.type !== "Array") return [];
  return list.elements.flatMap(({ value }, index) => {
    const plain: unknown = valueOf(value);
    const commands = textsIn(plain).filter((each) => isOwnCommand(each, agent));
    return commands.length === 0 ? [] : [{ index, json: JSON.stringify(plain), commands }];
  });
}

function nodeAt(root: ObjectNode, path: readonly string[]): ValueNode | undefined {
  let node: ValueNode | undefined = root;
  for (const name of path) {
    node = node?.type === "Object" ? memberOf(node, name)?.value : undefined;
  }
  return node;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function commandsIn(text: string, { lists, agent }: JsonForm): readonly string[] {
  if (text.trim() === "") return [];
  const found = lists.flatMap(({ path }) => ownEntries(text, path, agent));
  return [...new Set(found.flatMap(({ commands }) => commands))];
}

/** Whether nothing is left but what `install` would have written around the hook. */
function isEmpty(text: string, { members = {} }: JsonForm): boolean {
  if (/\/[/*]/.test(text)) return false;
  return JSON.stringify(valueOf(parseJson(text))) === "{}" ||
    JSON.stringify(valueOf(parseJson(text))) === JSON.stringify(members);
}
