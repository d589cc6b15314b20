import { quoted } from "../../model/problem.ts";
import { type JsonMember, type JsonNode, memberOf, shown } from "../../text/json_node.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";

/** One approval: of a list of commands, one of them. */
export interface Approval {
  /** The same for two approvals of the same calls. */
  readonly key: string;
  readonly subject: Subject;
  /** Its kind and names; null as it stands there. */
  readonly fields: ReadonlyMap<string, string | null>;
}

/** The approvals of a folder. */
export interface Location {
  readonly path: string;
  readonly approvals: readonly Approval[];
}

/** Reads `locations`. What is not of its form is a problem, and what caliban has not is a loss. */
export function readApprovals(root: JsonNode, builder: ImportBuilder): readonly Location[] {
  return membersAt(root, "locations", builder).map(({ name: path, value }) => {
    for (const member of value.type === "object" ? value.members : []) {
      if (member.name !== "tool_approvals") loseMember(member, { path, builder });
    }
    const list = memberOf(value, "tool_approvals")?.value;
    if (value.type !== "object" || list !== undefined && list.type !== "array") {
      builder.problem((list ?? value).span, `Cannot read the approvals of ${quoted(path)}`);
    }
    const items = list?.type === "array" ? list.elements : [];
    return { path, approvals: items.flatMap((item) => approvalsIn(item, builder)) };
  });
}

function membersAt(root: JsonNode, name: string, builder: ImportBuilder): readonly JsonMember[] {
  const value = memberOf(root, name)?.value;
  if (value?.type === "object") return value.members;
  if (value !== undefined) {
    builder.problem(value.span, `Cannot read key ${quoted(name)}: expected an object`);
  }
  return [];
}

function loseMember(
  member: JsonMember,
  { path, builder }: { readonly path: string; readonly builder: ImportBuilder },
): void {
  const isFolders = member.name === "allowed_directories";
  builder.loseSetting(`${path}: ${shown(member)}`, {
    span: member.key,
    detail: isFolders ? "in caliban rules name their paths" : "caliban has no such key",
    kind: isFolders ? "narrowed" : "widened",
  });
}

/** The keys of an approval, by its kind; one with others is another approval than the one that its kind names. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  commands: ["kind", "commandIdentifiers"],
  mcp: ["kind", "serverName", "toolName"],
  read: ["kind"],
  write: ["kind"],
};

function approvalsIn(item: JsonNode, builder: ImportBuilder): readonly Approval[] {
  const members = item.type === "object" ? item.members : [];
  const fields = new Map(
    members.flatMap(({ name, value }): readonly (readonly [string, string | null])[] =>
      value.type === "string" ? [[name, value.value]] : value.type === "null" ? [[name, null]] : []
    ),
  );
  const kind = fields.get("kind");
  if (typeof kind !== "string") {
    builder.problem(item.span, "Cannot read an approval: it has no kind");
    return [];
  }
  const known = Object.hasOwn(KEYS, kind) ? KEYS[kind]! : undefined;
  const other = known && members.find(({ name }) => !known.includes(name));
  if (other !== undefined) {
    const { subject } = approval(item, fields);
    builder.lose("dropped", subject, `caliban does not know its key ${quoted(other.name)}`);
    return [];
  }
  if (kind !== "commands") return [approval(item, fields)];
  const list = memberOf(item, "commandIdentifiers")?.value;
  const elements = list?.type === "array" ? list.elements : [];
  if (list?.type !== "array" || elements.some(({ type }) => type !== "string")) {
    builder.problem((list ?? item).span, "Cannot read an approval: expected texts of commands");
    return [];
  }
  return elements.flatMap((each) =>
    each.type === "string"
      ? [approval(each, new Map([["kind", kind], ["identifier", each.value]]))]
      : []
  );
}

function approval(node: JsonNode, fields: ReadonlyMap<string, string | null>): Approval {
  const pairs = [...fields].toSorted(([a], [b]) => a < b ? -1 : 1);
  const text = fields.get("identifier") ??
    pairs.map(([name, value]) => `${name} ${value}`).join(", ");
  return {
    key: JSON.stringify(pairs),
    subject: { text, action: "allow", span: node.span },
    fields,
  };
}
