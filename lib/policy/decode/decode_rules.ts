import { type Action, ACTIONS } from "../../model/call.ts";
import type { FileShape, WrittenRule } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import { type InstantResult, parseInstant, parseTomlInstant } from "../../text/instant.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { BUCKETS, unknownKeys } from "./table_keys.ts";
import { readArray, readChoice, readString, readStrings, wrongElement } from "./read_value.ts";

/** The rules of a file, in the order of their priority, and their shape. */
export interface RuleList {
  /** The shape of the file's keys, even of an empty list. */
  readonly shape: FileShape;
  /** The rules without a problem. */
  readonly rules: readonly WrittenRule[];
}

/** Decodes all rules of a file and adds their problems. `permissions` is the table of that name. */
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
    ...(ordered === undefined
      ? []
      : decodeArray(ordered, { header: "permissions.rules", problems })),
    ...buckets.flatMap((action) => decodeBucket(action, { permissions, problems })),
    ...(older === undefined ? [] : decodeArray(older, { header: "rule", problems })),
  ];
  const shape = ordered ? "canonical" : buckets.length > 0 ? "buckets" : older && "rule-array";
  return { shape: shape ?? "none", rules };
}

function decodeArray(
  member: TomlMember,
  { header, problems }: { readonly header: string; readonly problems: Problem[] },
): readonly WrittenRule[] {
  const rules: WrittenRule[] = [];
  for (const element of readArray(member, problems, header)?.elements ?? []) {
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
  for (const element of readArray(member, problems)?.elements ?? []) {
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

/** The problem of a file with rules in more than one shape, at the shape to give up. */
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
        'one format "caliban perms export FILE --format toml" does it',
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

/** The rule of a table; undefined if anything in it is wrong, which is added to the problems. */
function decodeRule(table: TomlTable, problems: Problem[]): WrittenRule | undefined {
  const before = problems.length;
  problems.push(...unknownKeys(table, "rule"));
  const pattern = readPattern(table, problems);
  const action = readAction(table, problems);
  const comment = readText(table, { key: "comment", problems });
  const reason = readText(table, { key: "reason", problems });
  if (action !== undefined && action.value !== "deny" && reason !== undefined) {
    problems.push(misplacedReason(table, action.value));
  }
  const expiresMember = table.members.get("expires_at");
  const expiresAt = expiresMember && readInstant(expiresMember, problems);
  const match = readExamples(table, { key: "match", problems });
  const notMatch = readExamples(table, { key: "not_match", problems });
  if (problems.length > before || pattern === undefined || action === undefined) return undefined;
  return {
    pattern,
    action: action.value,
    ...(comment !== undefined && { comment }),
    ...(reason !== undefined && { reason }),
    ...(expiresAt !== undefined && { expiresAt }),
    ...(match && { match }),
    ...(notMatch && { notMatch }),
    span: table.span,
  };
}

function readPattern(table: TomlTable, problems: Problem[]): Located<string> | undefined {
  const pattern = table.members.get("pattern");
  const tool = table.members.get("tool");
  if (pattern !== undefined && tool !== undefined) {
    problems.push(errorAt(tool.key, {
      id: "misplaced-key",
      message: 'Cannot read key "tool": the rule has "pattern" as well, which means the same',
      hint: 'Keep "pattern"',
    }));
  }
  const member = pattern ?? tool;
  if (member !== undefined) return readString(member, problems);
  problems.push(missingKey(table, "pattern"));
  return undefined;
}

function readAction(table: TomlTable, problems: Problem[]): Located<Action> | undefined {
  const member = table.members.get("action");
  if (member !== undefined) return readChoice(member, { choices: ACTIONS, problems });
  problems.push(missingKey(table, "action"));
  return undefined;
}

function missingKey(table: TomlTable, key: string): Problem {
  const pattern = (table.members.get("pattern") ?? table.members.get("tool"))?.value;
  const name = pattern?.type === "string" ? `the rule ${quoted(pattern.value)}` : "the rule";
  const message = `Cannot read ${name}: its "${key}" is missing`;
  return errorAt(table.span, { id: "missing-key", message });
}

function readText(
  table: TomlTable,
  options: { readonly key: string; readonly problems: Problem[] },
): string | undefined {
  const member = table.members.get(options.key);
  return member && readString(member, options.problems)?.value;
}

function readExamples(
  table: TomlTable,
  options: { readonly key: string; readonly problems: Problem[] },
): readonly Located<string>[] | undefined {
  const member = table.members.get(options.key);
  return member && readStrings(member, options.problems);
}

function misplacedReason(table: TomlTable, action: Action): Problem {
  return errorAt(table.members.get("reason")?.key ?? table.span, {
    id: "misplaced-reason",
    message: `Cannot read key "reason": only a deny rule has one, and this is ${action}`,
    hint: 'Use "comment" for notes to people',
  });
}

function readInstant(member: TomlMember, problems: Problem[]): number | undefined {
  const { value } = member;
  if (value.type !== "date-time") {
    const text = readString(member, problems);
    return text && instantOf(text, { result: parseInstant(text.value), problems });
  }
  return instantOf(value, { result: parseTomlInstant(value.value), problems });
}

function instantOf(
  text: Located<string>,
  options: { readonly result: InstantResult; readonly problems: Problem[] },
): number | undefined {
  const { result, problems } = options;
  if (result.ok) return result.value;
  const message = `Cannot read expires_at ${quoted(text.value)}: ${result.detail}`;
  problems.push(errorAt(text.span, { id: "invalid-date", message }));
  return undefined;
}
