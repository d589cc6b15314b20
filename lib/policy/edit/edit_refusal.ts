import { errorAt, type Problem, type Span } from "../../model/problem.ts";
import type { TomlDocument, TomlMember } from "../../text/toml_node.ts";
import type { FileShape } from "../../model/rule.ts";
import { decodeDocument } from "../decode/decode_document.ts";
import { decodeTests } from "../decode/decode_tests.ts";
import { BUCKETS } from "../decode/table_keys.ts";

/** The first error of a file, which is not edited then, and the shape of its rules. */
function readFile(document: TomlDocument): {
  readonly fault: Problem | undefined;
  readonly shape: FileShape;
} {
  const { problems, shape } = decodeDocument(document, decodeTests);
  return { fault: problems.find((problem) => problem.severity === "error"), shape };
}

/** The first error of a file. */
export function faultOf(document: TomlDocument): Problem | undefined {
  return readFile(document).fault;
}

/** The problem of a file to which no rule can be added as a table. */
export function additionRefusal(document: TomlDocument): Problem | undefined {
  const { fault, shape } = readFile(document);
  if (fault !== undefined) return fault;
  if (shape === "buckets") return olderProblem(document, { verb: "add a rule to", name: LISTS });
  if (shape === "rule-array") {
    return olderProblem(document, { verb: "add a rule to", name: TABLES });
  }
  const permissions = document.root.members.get("permissions")?.value;
  if (permissions?.type !== "table" || permissions.form !== "inline") return undefined;
  if (permissions.members.get("rules")?.value.type === "array") return undefined;
  return errorAt(permissions.span, {
    id: "mixed-shapes",
    message: `Cannot add a rule to the file: "permissions = {…}" cannot be extended`,
    hint: "Write it as a [permissions] table with one key per line",
  });
}

/** The problem of a file from which no rule can be removed; else true if its rules stand in lists under `[permissions]`. */
export function removalOf(document: TomlDocument): {
  readonly problem: Problem | undefined;
  readonly isOfLists: boolean;
} {
  const { fault, shape } = readFile(document);
  const problem = fault ??
    (shape === "rule-array"
      ? olderProblem(document, { verb: "remove a rule from", name: TABLES })
      : undefined);
  return { problem, isOfLists: shape === "buckets" };
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

const LISTS = "lists under [permissions]";
const TABLES = "[[rule]] tables";

/** The problem of rules in an older format. */
function olderProblem(
  document: TomlDocument,
  { verb, name }: { readonly verb: string; readonly name: string },
): Problem {
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
