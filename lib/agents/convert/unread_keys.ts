import { type Problem, quoted, type Span } from "../../model/problem.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { type JsonDocument, parseJsonc } from "../../text/json.ts";
import { type JsonMember, type JsonNode, memberOf, shown } from "../../text/json_node.ts";
import { agentOfOwn } from "../settings/own_command.ts";
import { ImportBuilder } from "./import_builder.ts";

/** Names of keys that decide about permissions in some agent. */
const PERMISSION_KEYS =
  /permission|hook|sandbox|approv|trust|yolo|bypass|dangerous|autonomy|den(?:y|ied)|^ask$|block|exclude|restrict|allow|(?:enable|disable|include|core)\w*(?:tool|mcp)/i;

/** Those that allow more; without them the agent asks more. */
const LOOSENS = /yolo|bypass|dangerous|autonomy|allow|approv|trust|enable/i;
const TIGHTENS = /disable|disallow|den(?:y|ied)|managed|untrust/i;

/** True if a key seems to decide about permissions, by its name. */
export function isPermissionKey(name: string): boolean {
  return PERMISSION_KEYS.test(name);
}

/** The loss of leaving out a key of that name. */
export function lossWithout(name: string): "widened" | "narrowed" {
  return LOOSENS.test(name) && !TIGHTENS.test(name) ? "narrowed" : "widened";
}

/** The keys of a format, with the import of a file. */
interface KnownKeys {
  /** The keys that the format reads itself. */
  readonly known: readonly string[];
  readonly builder: ImportBuilder;
}

/** A JSON file at the start of its import. */
export interface OpenedJson {
  readonly root: JsonNode;
  readonly builder: ImportBuilder;
  /** Set if the file is not of the format; `builder` has that problem. */
  readonly isOther: boolean;
}

/** Starts the import of a JSON file with one of the known keys. */
export function openJson(
  text: string,
  known: readonly string[],
  { keys = () => [], isSettings = false }: OpenOptions = {},
): OpenedJson {
  const parsed = parseJsonc(isSettings && text.trim() === "" ? "{}" : text);
  const root = withoutNulls(parsed.root);
  const all = [...known, ...keys(root)];
  const builder = new ImportBuilder(problemsIn(parsed, all));
  const isOther = refuseOtherFile(root, { known: all, builder, isSettings });
  return { root, builder, isOther };
}

/** The problems of a text but those of keys that the format does not read, as one that stands twice in the settings of an editor. */
function problemsIn(
  { root, problems }: JsonDocument,
  known: readonly string[],
): readonly Problem[] {
  const others = root.type === "object"
    ? root.members.filter(({ name }) => !known.includes(name))
    : [];
  return problems.filter(({ span }) =>
    !others.some(({ key, value }) => key.start <= span.start && span.start < value.span.end)
  );
}

/** The value without members that are null, which say nothing. */
function withoutNulls(node: JsonNode): JsonNode {
  if (node.type !== "object") return node;
  const members = node.members.filter(({ value }) => value.type !== "null")
    .map((member) => ({ ...member, value: withoutNulls(member.value) }));
  return { ...node, members };
}

/** Options of `openJson`. */
interface OpenOptions {
  /** Further known keys, by the file. */
  readonly keys?: (root: JsonNode) => readonly string[];
  /** True if the path is that of the agent's settings, which may have no rules. */
  readonly isSettings?: boolean;
}

/** Keys that hold rules in some format. */
const RULE_KEYS =
  /^(?:permissions?|allow(?:ed|list)?|den(?:y|ied|ylist)|ask|rules?|command\w*list)$/i;

/** True if a settings file without the keys of its rules may have none: no key holds rules in another format, or is misspelt. */
export function hasNoRules(names: readonly string[], known: readonly string[]): boolean {
  return !names.some((name) => RULE_KEYS.test(name) || nearest(name, known) !== undefined);
}

function refuseOtherFile(
  root: JsonNode,
  { known, builder, isSettings }: KnownKeys & { readonly isSettings: boolean },
): boolean {
  if (root.type !== "object") {
    builder.problem(root.span, "Cannot read the file: expected an object");
    return true;
  }
  const names = root.members.map(({ name }) => name);
  const isOther = names.length > 0 && !names.some((name) => known.includes(name)) &&
    !((isSettings || names.includes("hooks")) && hasNoRules(names, known));
  // With a syntax error the file has no members, and that is a problem already.
  if (isOther) {
    const [first = "", ...rest] = known;
    const none = rest.length === 0 ? quoted(first) : `none of ${known.join(", ")}`;
    const message = `Cannot read the file: it has ${rest.length === 0 ? `no ${none}` : none}`;
    builder.problem(root.span, message, "missing-key");
  }
  return isOther;
}

const UNREAD = "it decides about permissions, and caliban does not read it";

/** Adds the loss of a key about permissions that the format does not read. */
export function loseUnreadKey(
  builder: ImportBuilder,
  { name, text, span }: { readonly name: string; readonly text: string; readonly span: Span },
): void {
  builder.loseSetting(text, { span, detail: UNREAD, kind: lossWithout(name) });
}

/** Adds the loss of a key without a counterpart in caliban. */
export function loseUnknownKey(member: JsonMember, builder: ImportBuilder): void {
  const detail = "caliban has no such key";
  builder.loseSetting(shown(member), { span: member.key, detail, kind: "widened" });
}

/** Adds the losses of every key about permissions, at any depth, that the format does not read. */
export function loseUnreadKeys(root: JsonNode, { known, builder }: KnownKeys): void {
  if (root.type !== "object") return;
  for (const member of root.members) {
    if (!known.includes(member.name)) loseMember(member, { path: "", builder });
  }
}

function loseMember(
  member: JsonMember,
  { path, builder }: { readonly path: string; readonly builder: ImportBuilder },
): void {
  const { name, key: span, value } = member;
  if (isEmpty(value) || name === "hooks" && areOwnHooks(value)) return;
  if (isPermissionKey(name)) {
    return loseUnreadKey(builder, { name: path + name, text: path + shown(member), span });
  }
  for (const each of membersOf(value)) loseMember(each, { path: `${path}${name}.`, builder });
}

/** True if all hooks are those that `hook install` writes. */
function areOwnHooks(value: JsonNode): boolean {
  const children = value.type === "object"
    ? value.members.map((member) => member.value)
    : value.type === "array"
    ? value.elements
    : [];
  const inner = children.filter(({ type }) => type === "object" || type === "array");
  if (inner.length > 0) return inner.every(areOwnHooks);
  const command = value.type === "object" ? memberOf(value, "command")?.value : undefined;
  return command?.type === "string" && agentOfOwn(command.value) !== undefined;
}

function membersOf(value: JsonNode): readonly JsonMember[] {
  if (value.type === "object") return value.members;
  return value.type === "array" ? value.elements.flatMap(membersOf) : [];
}

function isEmpty(value: JsonNode): boolean {
  return value.type === "null" || value.type === "object" && value.members.length === 0 ||
    value.type === "array" && value.elements.length === 0;
}
