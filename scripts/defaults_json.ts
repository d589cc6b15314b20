import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import type { AST } from "toml-eslint-parser";
import { isAction, type ToolClass, type ToolKind, type ToolProfile } from "../lib/model/call.ts";

const KINDS: readonly string[] = ["command", "path", "url", "text"] satisfies readonly ToolKind[];
const CLASSES: readonly string[] = [
  "read",
  "edit",
  "execute",
  "network",
  "control",
] satisfies readonly ToolClass[];

/** A TOML table as a plain value. */
type Table = Readonly<Record<string, unknown>>;

/** The text of defaults/permissions.json for that of permissions.toml. Throws Error on anything unexpected. */
export function permissionsJson(toml: string): string {
  const tree = parseTOML(toml);
  const headers = headersOf(tree).filter(({ kind }) => kind === "array");
  const root = table(getStaticTOMLValue(tree), "permissions.toml");
  onlyKeys(root, { where: "permissions.toml", keys: ["permissions"] });
  const permissions = table(root["permissions"], "permissions");
  onlyKeys(permissions, { where: "permissions", keys: ["rules"] });
  const rules = list(permissions["rules"], "permissions.rules").map((value, index) => {
    const where = `permissions.rules[${index}]`;
    const rule = table(value, where);
    onlyKeys(rule, { where, keys: ["pattern", "action", "comment"] });
    const header = headers[index];
    if (header?.resolvedKey.slice(0, 2).join(".") !== "permissions.rules") {
      throw new Error(`Cannot find the header of ${where}`);
    }
    const action = text(rule["action"], `${where}.action`);
    if (!isAction(action)) throw new Error(`Cannot use ${where}.action "${action}"`);
    const { line, column } = header.loc.start;
    const comment = rule["comment"] === undefined ? "" : text(rule["comment"], `${where}.comment`);
    const pattern = text(rule["pattern"], `${where}.pattern`);
    return { pattern, action, comment, line, column: column + 1 };
  });
  return json({ rules });
}

/** The text of defaults/tools.json for that of tools.toml. Throws Error on anything unexpected. */
export function toolsJson(toml: string): string {
  const root = table(getStaticTOMLValue(parseTOML(toml)), "tools.toml");
  const { keys, names, rights, ...tools } = root;
  return json({
    tools: Object.entries(tools).map(([name, value]) => toolProfile(name, value)),
    keys: wordLists(keys, { where: "keys", lists: KEY_LISTS }),
    names: wordLists(names, { where: "names", lists: NAME_LISTS }),
    rights: list(rights, "rights").map(rightsFields),
  });
}

/** The lists of words that say what a key names. */
const KEY_LISTS = [
  "files",
  "may_files",
  "folders",
  "urls",
  "may_urls",
  "commands",
  "may_commands",
  "arguments",
  "call_folders",
  "texts",
  "network_schemes",
];
/** The lists of words that say what a tool does. */
const NAME_LISTS = ["reads", "writes", "subjects"];

function wordLists(
  value: unknown,
  { where, lists }: { readonly where: string; readonly lists: readonly string[] },
): Readonly<Record<string, readonly string[]>> {
  const written = table(value, where);
  onlyKeys(written, { where, keys: lists });
  return Object.fromEntries(lists.map((name) => [name, texts(written[name], `${where}.${name}`)]));
}

function rightsFields(value: unknown, index: number): Table {
  const where = `rights[${index}]`;
  const written = table(value, where);
  onlyKeys(written, { where, keys: ["fields", "safe", "raises"] });
  const lists = Object.entries(written).map((
    [key, words],
  ) => [key, texts(words, `${where}.${key}`)]);
  return Object.fromEntries(lists);
}

function toolProfile(name: string, value: unknown): ToolProfile {
  const written = table(value, name);
  onlyKeys(written, {
    where: name,
    keys: ["alias_of", "first_arg", "kind", "class", "shell", "fields", "searches"],
  });
  const kind = text(written["kind"], `${name}.kind`);
  const toolClass = text(written["class"], `${name}.class`);
  if (!isKind(kind)) throw new Error(`Cannot use ${name}.kind "${kind}"`);
  if (!isClass(toolClass)) throw new Error(`Cannot use ${name}.class "${toolClass}"`);
  return {
    name,
    ...(written["alias_of"] === undefined
      ? {}
      : { aliasOf: text(written["alias_of"], `${name}.alias_of`) }),
    firstArg: texts(written["first_arg"], `${name}.first_arg`),
    kind,
    class: toolClass,
    ...(written["shell"] === "other" ? { shell: "other" } : {}),
    fields: texts(written["fields"] ?? [], `${name}.fields`),
    ...(written["searches"] === undefined ? {} : searches(written["searches"], name)),
  };
}

function searches(value: unknown, name: string): Pick<ToolProfile, "searches"> {
  const where = `${name}.searches`;
  const written = table(value, where);
  onlyKeys(written, { where, keys: ["path", "glob", "lists"] });
  const path = text(written["path"], `${where}.path`);
  if (written["glob"] === undefined) return { searches: { path } };
  const lists = written["lists"] === true ? { lists: true as const } : {};
  return { searches: { path, glob: text(written["glob"], `${where}.glob`), ...lists } };
}

function headersOf(tree: AST.TOMLProgram): readonly AST.TOMLTable[] {
  return tree.body[0].body.filter((node) => node.type === "TOMLTable");
}

function table(value: unknown, where: string): Table {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Table;
  throw new Error(`Cannot read ${where}: it is not a table`);
}

function onlyKeys(value: Table, options: { where: string; keys: readonly string[] }): void {
  const unknown = Object.keys(value).find((key) => !options.keys.includes(key));
  if (unknown !== undefined) throw new Error(`Unknown key "${unknown}" in ${options.where}`);
}

function list(value: unknown, where: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`Cannot read ${where}: it is not an array`);
}

function texts(value: unknown, where: string): readonly string[] {
  return list(value, where).map((element, index) => text(element, `${where}[${index}]`));
}

function text(value: unknown, where: string): string {
  if (typeof value === "string" && value !== "") return value;
  throw new Error(`Cannot read ${where}: it is not a text`);
}

function isKind(word: string): word is ToolKind {
  return KINDS.includes(word);
}

function isClass(word: string): word is ToolClass {
  return CLASSES.includes(word);
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) + "\n";
}
