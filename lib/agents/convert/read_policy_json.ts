import { errorAt, type Problem, type Span } from "../../model/problem.ts";
import type { PolicyFile } from "../../model/rule.ts";
import { decodeDocument } from "../../policy/decode/decode_document.ts";
import { decodeTests } from "../../policy/decode/decode_tests.ts";
import type { TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";
import { parseJsonc } from "../../text/json.ts";
import type { JsonMember, JsonNode } from "../../text/json_node.ts";

/**
 * Reads a policy that was exported as JSON, with the keys of permissions.toml. Total: `problems` has every error, in the
 * order of the text.
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
  // The stand-in for a null is reported only once.
  const decoded = file.problems.filter(({ span }) => !nulls.has(span.start));
  const all = [...problems, ...own, ...nulls.values(), ...decoded];
  return { ...file, problems: all.toSorted((a, b) => a.span.start - b.span.start) };
}

/** A member of a JSON object as a member of a table, with the problems of values that no table can hold. */
export function tomlMember(
  member: JsonMember,
): { readonly member: TomlMember; readonly problems: readonly Problem[] } {
  const nulls = new Map<number, Problem>();
  return { member: memberOf(member, { nulls }), problems: [...nulls.values()] };
}

interface NullProblems {
  /** The problem of each null, by its offset. */
  readonly nulls: Map<number, Problem>;
}

type ObjectNode = Extract<JsonNode, { type: "object" }>;

function tableOf(
  { span, members }: ObjectNode,
  { form, nulls }: NullProblems & { readonly form: TomlTable["form"] },
): TomlTable {
  const known = members.map((member) => [member.name, memberOf(member, { nulls })] as const);
  return { type: "table", form, span, end: span.end, members: new Map(known) };
}

function memberOf({ name, key, value }: JsonMember, context: NullProblems): TomlMember {
  return { name, key, value: nodeOf(value, context) };
}

function nodeOf(node: JsonNode, context: NullProblems): TomlNode {
  switch (node.type) {
    case "object":
      return tableOf(node, { form: "inline", ...context });
    case "array": {
      const items = node.elements.map((item) => nodeOf(item, context));
      return { type: "array", form: "inline", span: node.span, elements: items };
    }
    case "null":
      return nullStandIn(node.span, context);
    case "string":
    case "boolean":
    case "number":
      return node;
  }
}

/** A value in place of a null, which TOML does not have. */
function nullStandIn(span: Span, { nulls }: NullProblems): TomlNode {
  const message = "Cannot read null: omit the key";
  nulls.set(span.start, errorAt(span, { id: "wrong-type", message }));
  return { type: "boolean", span, value: false };
}
