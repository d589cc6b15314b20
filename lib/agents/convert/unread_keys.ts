import { quoted, type Span } from "../../model/problem.ts";
import { parseJsonc } from "../../text/json.ts";
import { type JsonMember, type JsonNode, shown } from "../../text/json_node.ts";
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

/** Starts the import of a JSON file with one of the known keys. `keys` adds some by the file. */
export function openJson(
  text: string,
  known: readonly string[],
  keys: (root: JsonNode) => readonly string[] = () => [],
): OpenedJson {
  const { root, problems } = parseJsonc(text);
  const builder = new ImportBuilder(problems);
  const isOther = refuseOtherFile(root, { known: [...known, ...keys(root)], builder });
  return { root, builder, isOther };
}

function refuseOtherFile(root: JsonNode, { known, builder }: KnownKeys): boolean {
  if (root.type !== "object") {
    builder.problem(root.span, "Cannot read the file: expected an object");
    return true;
  }
  const isOther = root.members.length > 0 &&
    !root.members.some(({ name }) => known.includes(name));
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
  if (isEmpty(value)) return;
  if (isPermissionKey(name)) {
    return loseUnreadKey(builder, { name: path + name, text: path + shown(member), span });
  }
  for (const each of membersOf(value)) loseMember(each, { path: `${path}${name}.`, builder });
}

function membersOf(value: JsonNode): readonly JsonMember[] {
  if (value.type === "object") return value.members;
  return value.type === "array" ? value.elements.flatMap(membersOf) : [];
}

function isEmpty(value: JsonNode): boolean {
  return value.type === "null" || value.type === "object" && value.members.length === 0 ||
    value.type === "array" && value.elements.length === 0;
}
