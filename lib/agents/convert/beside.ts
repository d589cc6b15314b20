import type { Draft } from "./draft.ts";
import { type JsonMember, type JsonNode, shown } from "../../text/json_tree.ts";
import { quoted } from "../../text/problems.ts";

/** Names of keys that say, in one agent or another, what may be done. */
const STEERS =
  /permission|hook|sandbox|approv|trust|yolo|bypass|dangerous|autonomy|den(?:y|ied)|^ask$|block|exclude|restrict|allow|(?:enable|disable|include|core)\w*(?:tool|mcp)/i;

/** Those that let something through; without them more is asked. */
const LOOSENS = /yolo|bypass|dangerous|autonomy|allow|approv|trust|enable/i;
const TIGHTENS = /disable|disallow|den(?:y|ied)|managed|untrust/i;

/** Whether a key's name says that it is about what may be done. */
export function steers(name: string): boolean {
  return STEERS.test(name);
}

/** Which way the rules are off without a key of that name. */
export function kindWithout(name: string): "widened" | "narrowed" {
  return LOOSENS.test(name) && !TIGHTENS.test(name) ? "narrowed" : "widened";
}

/** Where rules are looked for, and what is known of the file. */
interface Beside {
  /** The keys that the format reads itself. */
  readonly known: readonly string[];
  readonly draft: Draft;
}

/** Says that a file is not one of this format: no object, or one with other keys only. */
export function refuseOther(root: JsonNode, { known, draft }: Beside): boolean {
  if (root.type !== "object") {
    draft.problem(root.span, "Cannot read the file: expected an object");
    return true;
  }
  const isOther = root.members.length > 0 &&
    !root.members.some(({ name }) => known.includes(name));
  // With a syntax error there is nothing to find, and that is told already.
  if (isOther) {
    const [first = "", ...rest] = known;
    const none = rest.length === 0 ? `no ${quoted(first)}` : `none of ${known.join(", ")}`;
    draft.problem(root.span, `Cannot read the file: there is ${none} in it`, "missing-key");
  }
  return isOther;
}

/** Tells of every key, at any depth, whose name says that it is about what may be done, and that is not read. */
export function loseBeside(root: JsonNode, { known, draft }: Beside): void {
  if (root.type !== "object") return;
  for (const member of root.members) {
    if (!known.includes(member.name)) loseMember(member, { path: "", draft });
  }
}

function loseMember(
  member: JsonMember,
  { path, draft }: { readonly path: string; readonly draft: Draft },
): void {
  const { name, key: span, value } = member;
  if (isEmpty(value)) return;
  if (!steers(name)) {
    return membersOf(value).forEach((each) => loseMember(each, { path: `${path}${name}.`, draft }));
  }
  const detail = "it is about what may be done, and is not read here";
  draft.loseSetting(path + shown(member), { span, detail, kind: kindWithout(path + name) });
}

function membersOf(value: JsonNode): readonly JsonMember[] {
  if (value.type === "object") return value.members;
  return value.type === "array" ? value.items.flatMap(membersOf) : [];
}

function isEmpty(value: JsonNode): boolean {
  return value.type === "null" || value.type === "object" && value.members.length === 0 ||
    value.type === "array" && value.items.length === 0;
}
