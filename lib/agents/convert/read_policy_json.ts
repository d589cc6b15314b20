import type { Span } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";
import type { PolicyFile } from "../../model/settings.ts";
import { decodeDocument } from "../../policy/decode/decode_document.ts";
import { decodeTests } from "../../policy/decode/decode_tests.ts";
import { errorAt } from "../../text/problems.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { type JsonMember, type JsonNode, parseJsonc } from "../../text/json_tree.ts";

/**
 * Reads a policy that was exported as JSON, by the keys and rules of permissions.toml. Total: whatever is wrong is told in
 * `problems`, in the order of the text.
 */
export function readPolicyJson(text: string): PolicyFile {
  const { root, problems } = parseJsonc(text);
  const nulls = new Map<number, Problem>();
  const own: Problem[] = [];
  if (root.type !== "object") {
    const message = "Cannot read the policy: expected a JSON object";
    own.push(errorAt(root.span, { id: "wrong-type", message }));
  }
  const members = root.type === "object" ? root.members : [];
  const object = { type: "object", span: root.span, members } as const;
  const table = tableOf(object, { form: "root", nulls });
  const file = decodeDocument({ text, root: table, comments: [], problems: [] }, decodeTests);
  // What stands for a null is not to be told a second time.
  const decoded = file.problems.filter(({ span }) => !nulls.has(span.start));
  const all = [...problems, ...own, ...nulls.values(), ...decoded];
  return { ...file, problems: all.toSorted((a, b) => a.span.start - b.span.start) };
}

/** A member of a JSON object as one of a table, and what no table can hold. */
export function tomlMember(
  member: JsonMember,
): { readonly member: TomlMember; readonly problems: readonly Problem[] } {
  const nulls = new Map<number, Problem>();
  return { member: memberOf(member, { nulls }), problems: [...nulls.values()] };
}

interface Reading {
  /** What is wrong with each null, by its offset. */
  readonly nulls: Map<number, Problem>;
}

type ObjectNode = Extract<JsonNode, { type: "object" }>;

function tableOf(
  { span, members }: ObjectNode,
  { form, nulls }: Reading & { readonly form: TomlTable["form"] },
): TomlTable {
  const known = members.map((member) => [member.name, memberOf(member, { nulls })] as const);
  return { type: "table", form, span, end: span.end, members: new Map(known) };
}

function memberOf({ name, key, value }: JsonMember, reading: Reading): TomlMember {
  return { name, key, value: nodeOf(value, reading) };
}

function nodeOf(node: JsonNode, reading: Reading): TomlNode {
  switch (node.type) {
    case "object":
      return tableOf(node, { form: "inline", ...reading });
    case "array": {
      const items = node.items.map((item) => nodeOf(item, reading));
      return { type: "array", form: "inline", span: node.span, items };
    }
    case "null":
      return nothing(node.span, reading);
    case "string":
    case "boolean":
    case "number":
      return node;
  }
}

/** TOML has no null, and what no value at all would mean is not to be guessed. */
function nothing(span: Span, { nulls }: Reading): TomlNode {
  const message = "Cannot read null: leave the key out";
  nulls.set(span.start, errorAt(span, { id: "wrong-type", message }));
  return { type: "boolean", span, value: false };
}
