import type { WrittenHook } from "../../model/rule.ts";
import { errorAt, inOrder, type Problem, quoted } from "../../model/problem.ts";
import { decodeHooks } from "../../policy/decode/decode_hooks.ts";
import { didYouMean } from "../../text/did_you_mean.ts";
import { readJson } from "../../text/json.ts";
import { duplicateKeys, type JsonMember, type JsonNode, memberOf } from "../../text/json_node.ts";
import type { TomlMember, TomlNode } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";

export interface HooksText {
  /** The hooks, in the order of the text. */
  readonly hooks: readonly WrittenHook[];
  /** The problems, in the order of the text; with an error among them, no hook of the text counts. */
  readonly problems: readonly Problem[];
}

/** The longest JSON text that is read, in UTF-16 code units. */
const LONGEST = 1_048_576;

/** Reads a JSON text `{"hooks": {…}}`, without its byte order mark. */
export function readHooksJson(text: string): HooksText {
  const read = readJson(text, { syntax: "json", longest: LONGEST });
  if (!read.ok) return { hooks: [], problems: [read.problem] };
  const { root } = read;
  if (root.type !== "object") {
    return { hooks: [], problems: [notHere(root, "it is not an object")] };
  }
  const problems = [...duplicateKeys(root), ...nulls(root)];
  if (problems.length > 0) return { hooks: [], problems: inOrder(problems) };
  for (const { name, key } of root.members) {
    if (name === "hooks" || name === "$schema") continue;
    problems.push(errorAt(key, {
      id: "unknown-key",
      message: `Cannot read key ${quoted(name)}: there is no such key here`,
      hint: didYouMean(name, ["hooks"]) ?? 'The only key here is "hooks"',
    }));
  }
  const member = memberOf(root, "hooks");
  const hooks = member === undefined ? [] : decodeHooks(tomlMember(member), problems);
  return { hooks, problems: inOrder(problems) };
}

function nulls(node: JsonNode): readonly Problem[] {
  switch (node.type) {
    case "object":
      return node.members.flatMap(({ value }) => nulls(value));
    case "array":
      return node.elements.flatMap(nulls);
    case "null":
      return [notHere(node, "null has no meaning here; omit it")];
    default:
      return [];
  }
}

function notHere({ span }: JsonNode, detail: string): Problem {
  const message = `Cannot read the file as JSON: ${detail}`;
  return errorAt(span, { id: "wrong-type", message });
}

/** The same value as an inline one of TOML has it, so that one decoder reads both. */
function tomlMember({ name, key, value }: JsonMember): TomlMember {
  return { name, key, value: tomlNode(value) };
}

function tomlNode(node: JsonNode): TomlNode {
  switch (node.type) {
    case "object": {
      const members = new Map(node.members.map((each) => [each.name, tomlMember(each)]));
      return { type: "table", form: "inline", span: node.span, end: node.span.end, members };
    }
    case "array":
      return {
        type: "array",
        form: "inline",
        span: node.span,
        elements: node.elements.map(tomlNode),
      };
    case "null":
      throw new TypeError("null has no place in TOML");
    default:
      return node;
  }
}

/** Reads the `[hooks]` table of a permissions.toml, without its byte order mark; the rest of the file is passed over. */
export function readHooksToml(text: string): HooksText {
  // Parsing TOML takes longer than all the rest, and a text without the word has no such table.
  if (!/hooks|\\[uUx]/.test(text)) return { hooks: [], problems: [] };
  const document = parseToml(text);
  const problems: Problem[] = [...document.problems];
  const member = document.root.members.get("hooks");
  const hooks = member === undefined ? [] : decodeHooks(member, problems);
  return { hooks, problems: inOrder(problems) };
}
