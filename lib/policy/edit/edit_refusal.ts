import { errorAt, type Problem, type Span } from "../../model/problem.ts";
import type { TomlDocument, TomlMember } from "../../text/toml_node.ts";
import { decodeDocument } from "../decode/decode_document.ts";
import { decodeTests } from "../decode/decode_tests.ts";
import { BUCKETS } from "../decode/table_keys.ts";

/** The first error of a file, which is not edited then. */
export function faultOf(document: TomlDocument): Problem | undefined {
  return readFile(document).problems.find((problem) => problem.severity === "error");
}

/** The problem of a file to which no rule can be added as a table. */
export function additionRefusal(document: TomlDocument): Problem | undefined {
  const fault = faultOf(document);
  if (fault !== undefined) return fault;
  const older = olderProblem(document, "add a rule to");
  if (older !== undefined) return older;
  const permissions = document.root.members.get("permissions")?.value;
  if (permissions?.type !== "table" || permissions.form !== "inline") return undefined;
  if (permissions.members.get("rules")?.value.type === "array") return undefined;
  return errorAt(permissions.span, {
    id: "mixed-shapes",
    message: `Cannot add a rule to the file: "permissions = {…}" cannot be extended`,
    hint: "Write it as a [permissions] table with one key per line",
  });
}

/** The problem of a file from which no rule can be removed. */
export function removalRefusal(document: TomlDocument): Problem | undefined {
  const fault = faultOf(document);
  if (fault !== undefined) return fault;
  return hasLists(document) ? undefined : olderProblem(document, "remove a rule from");
}

/** True if the rules of a file without an error stand in lists under `[permissions]`. */
export function hasLists(document: TomlDocument): boolean {
  return readFile(document).shape === "buckets";
}

/** The lists under `[permissions]`, by their keys. */
export function listKeys({ root }: TomlDocument): ReadonlyMap<string, TomlMember> {
  const permissions = root.members.get("permissions")?.value;
  return permissions?.type === "table" ? permissions.members : new Map();
}

/** The first list under `[permissions]`, in the order of the text. */
export function firstList(document: TomlDocument): TomlMember | undefined {
  return [...listKeys(document).values()].find(({ name, value }) =>
    value.type === "array" && BUCKETS.some((action) => action === name)
  );
}

function readFile(document: TomlDocument): ReturnType<typeof decodeDocument> {
  return decodeDocument(document, decodeTests);
}

/** The problem of rules in an older format. */
function olderProblem(document: TomlDocument, verb: string): Problem | undefined {
  const { shape } = readFile(document);
  if (shape !== "buckets" && shape !== "rule-array") return undefined;
  const name = shape === "buckets" ? "lists under [permissions]" : "[[rule]] tables";
  return errorAt(olderRules(document), {
    id: "mixed-shapes",
    message: `Cannot ${verb} the file: its rules are in an older format, ${name}; ` +
      'convert it with "caliban perms export FILE --format toml" first',
  });
}

/** The key of the first rules in an older format. */
function olderRules(document: TomlDocument): Span {
  const { root } = document;
  return (root.members.get("rule") ?? firstList(document))?.key ?? root.span;
}
