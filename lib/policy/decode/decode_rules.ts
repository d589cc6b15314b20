import type { Action } from "../../model/action.ts";
import type { Problem } from "../../model/problem.ts";
import type { FileShape, WrittenRule } from "../../model/settings.ts";
import { errorAt } from "../../text/problems.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { decodeRule } from "./decode_rule.ts";
import { BUCKETS } from "./keys.ts";
import { readArray, wrongElement } from "./read_value.ts";

/** The rules of a file, in the order in which they count, and their shape. */
export interface RuleList {
  /** The shape that the file's keys have; that of an empty list too. */
  readonly shape: FileShape;
  /** The rules in which nothing is wrong. */
  readonly rules: readonly WrittenRule[];
}

/** All rules of a file; what is wrong with them is added to `problems`. `permissions` is the table of that name. */
export function decodeRules(
  root: TomlTable,
  options: { readonly permissions: TomlTable | undefined; readonly problems: Problem[] },
): RuleList {
  const { permissions, problems } = options;
  const ordered = permissions?.members.get("rules");
  const buckets = BUCKETS.filter((action) => permissions?.members.has(action));
  const older = root.members.get("rule");
  const mixed = mixedShapes({ ordered, older, buckets, permissions });
  if (mixed !== undefined) problems.push(mixed);
  const rules = [
    ...(ordered === undefined ? [] : decodeArray(ordered, problems)),
    ...buckets.flatMap((action) => decodeBucket(action, { permissions, problems })),
    ...(older === undefined ? [] : decodeArray(older, problems)),
  ];
  const shape = ordered ? "canonical" : buckets.length > 0 ? "buckets" : older && "rule-array";
  return { shape: shape ?? "none", rules };
}

function decodeArray(member: TomlMember, problems: Problem[]): readonly WrittenRule[] {
  const rules: WrittenRule[] = [];
  for (const element of readArray(member, problems)?.items ?? []) {
    if (element.type !== "table") {
      problems.push(wrongElement(member, { element, expected: "a table" }));
      continue;
    }
    const rule = decodeRule(element, problems);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

function decodeBucket(
  action: Action,
  options: { readonly permissions: TomlTable | undefined; readonly problems: Problem[] },
): readonly WrittenRule[] {
  const { permissions, problems } = options;
  const member = permissions?.members.get(action);
  if (member === undefined) return [];
  const rules: WrittenRule[] = [];
  for (const element of readArray(member, problems)?.items ?? []) {
    if (element.type === "string") {
      const { value, span } = element;
      rules.push({ pattern: { value, span }, action, span });
    } else {
      problems.push(wrongElement(member, { element, expected: "a string" }));
    }
  }
  return rules;
}

/** The keys of a file that hold rules. */
interface RuleKeys {
  /** `permissions.rules`. */
  readonly ordered: TomlMember | undefined;
  /** `rule`. */
  readonly older: TomlMember | undefined;
  /** The lists under `permissions`. */
  readonly buckets: readonly Action[];
  /** The table that holds the lists. */
  readonly permissions: TomlTable | undefined;
}

/** The one problem of a file that has its rules in more than one shape, at the shape to give up. */
function mixedShapes(keys: RuleKeys): Problem | undefined {
  const { ordered, older, buckets, permissions } = keys;
  const lists = buckets.map((action) => `permissions.${action}`).join(", ");
  const list = buckets.map((action) => permissions?.members.get(action)).find(Boolean);
  if (ordered !== undefined && (older ?? list) !== undefined) {
    const others = [older && "[[rule]]", lists].filter(Boolean).join(" and ");
    return errorAt((older ?? list ?? ordered).key, {
      id: "mixed-shapes",
      message: `Cannot read the rules: the file has both [[permissions.rules]] and ${others}; ` +
        "keep [[permissions.rules]], whose order is the order of the file",
      hint: `Move the rules of ${others} into [[permissions.rules]]; for a file that has only ` +
        'one shape "caliban perms export FILE --format toml" does it',
    });
  }
  if (older === undefined || list === undefined) return undefined;
  return errorAt(list.key, {
    id: "mixed-shapes",
    message: `Cannot read the rules: the file has both [[rule]] and ${lists}; keep [[rule]], ` +
      "whose order is the order of the file",
    hint: `Move the rules of ${lists} into [[rule]], then let ` +
      '"caliban perms export FILE --format toml" write [[permissions.rules]]',
  });
}
