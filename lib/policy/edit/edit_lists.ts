import type { Action } from "../../model/call.ts";
import { errorAt, type Problem } from "../../model/problem.ts";
import { applySplices, type Splice } from "../../text/splice.ts";
import {
  attachedStart,
  lineAt,
  lineEnd,
  linesOf,
  startOf,
  type TextLines,
} from "../../text/text_lines.ts";
import type { TomlArray, TomlDocument, TomlMember } from "../../text/toml_node.ts";
import { tomlString } from "../../text/toml_text.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { BUCKETS } from "../decode/table_keys.ts";
import { cutElements, insertElements } from "./edit_array.ts";
import { faultOf, firstList, listKeys } from "./edit_refusal.ts";
import type { EditResult } from "./edit_rules.ts";
import { isListable, placeInLists } from "./place_rule.ts";
import type { NewRule } from "./policy_pairs.ts";

/** Text of a line before the key of a list that stands under `[permissions]` or is written with a dot. */
const BEFORE_KEY = /^[ \t]*(?:permissions[ \t]*\.[ \t]*)?$/;

/** The start of a text without anything but remarks. */
const REMARKS = /^(?:[ \t\r]*(?:#[^\n]*)?\n)*$/;

/** A list of patterns under `[permissions]`. */
interface List {
  readonly action: Action;
  readonly member: TomlMember;
  readonly array: TomlArray;
}

/**
 * Inserts a rule into its list under `[permissions]`; everything else stays byte for byte. `before` is the index of the rule above
 * which it goes, among those of all lists; undefined is the end. A list that is not there yet is written. The rule must be one that a
 * file can hold.
 */
export function insertInList(
  text: string,
  rule: NewRule,
  { before }: { readonly before: number | undefined },
): EditResult {
  const document = parseToml(text);
  const refused = (problem: Problem): EditResult => ({ ok: false, problem, about: text });
  const fault = faultOf(document);
  if (fault !== undefined) return refused(fault);
  if (!isListable(rule)) {
    return refused(listProblem(
      document,
      "a list under [permissions] holds patterns alone, without a comment, a reason or an expiry",
    ));
  }
  const lists = listsOf(document);
  const actions = lists.flatMap(({ action, array }) => array.elements.map(() => ({ action })));
  const place = placeInLists(actions, { action: rule.action, before });
  if (place === undefined) {
    return refused(listProblem(
      document,
      "lists under [permissions] decide in the order deny, ask, allow, so this rule cannot come first",
    ));
  }
  const splices = insertion(document, { lists, rule, at: place.at });
  return splices === undefined
    ? refused(missingList(document, rule.action))
    : { ok: true, text: applySplices(text, splices) };
}

/** The cuts that remove the rules at these indexes from the lists. */
export function cutFromLists(
  document: TomlDocument,
  indexes: readonly number[],
): readonly Splice[] {
  const lines = linesOf(document);
  let first = 0;
  return listsOf(document).flatMap(({ array }) => {
    const own = indexes.map((index) => index - first)
      .filter((index) => index >= 0 && index < array.elements.length);
    first += array.elements.length;
    return own.length === 0 ? [] : cutElements(lines, { array, indexes: own });
  });
}

/** The number of rules in all lists. */
export function countInLists(document: TomlDocument): number {
  return listsOf(document).reduce((sum, { array }) => sum + array.elements.length, 0);
}

/** The lists in the order of their priority. */
function listsOf(document: TomlDocument): readonly List[] {
  const keys = listKeys(document);
  return BUCKETS.flatMap((action) => {
    const member = keys.get(action);
    return member?.value.type === "array" ? [{ action, member, array: member.value }] : [];
  });
}

function listProblem(document: TomlDocument, why: string): Problem {
  return errorAt(firstList(document)?.key ?? document.root.span, {
    id: "mixed-shapes",
    message: `Cannot add the rule to the file: ${why}; convert it with ` +
      '"caliban perms export FILE --format toml" first',
  });
}

/** The problem of a file whose lists stand on one line, or have quoted keys: a person has to write the missing one. */
function missingList(document: TomlDocument, action: Action): Problem {
  return errorAt(firstList(document)?.key ?? document.root.span, {
    id: "mixed-shapes",
    message: `Cannot add the rule to the file: it has no list "${action}"`,
    hint: `Write ${action} = [] beside the other lists, then add the rule again`,
  });
}

/** The insertion of a rule at an index of its list; undefined if the list is missing and there is no line to write it on. */
function insertion(
  document: TomlDocument,
  { lists, rule: { action, pattern }, at }: {
    readonly lists: readonly List[];
    readonly rule: NewRule;
    readonly at: number;
  },
): readonly Splice[] | undefined {
  const lines = linesOf(document);
  const own = lists.find((list) => list.action === action);
  const texts = [tomlString(pattern)];
  if (own === undefined) {
    return newList(lines, { lists, text: `${action} = [${texts[0]}]`, action });
  }
  const before = at < own.array.elements.length ? at : undefined;
  return insertElements(lines, { array: own.array, before, texts });
}

/**
 * A list on a line of its own, above the next one by priority, or below the last; also below that one if remarks of the whole file stand
 * above it, which would no longer be the first lines.
 */
function newList(
  lines: TextLines,
  { lists, text, action }: {
    readonly lists: readonly List[];
    readonly text: string;
    readonly action: Action;
  },
): readonly Splice[] | undefined {
  const rank = BUCKETS.indexOf(action);
  const next = lists.find((list) => BUCKETS.indexOf(list.action) > rank);
  const beside = next ?? lists.at(-1);
  if (beside === undefined) return undefined;
  const { key, value } = beside.member;
  const line = lineAt(lines, key.start);
  const prefix = lines.text.slice(startOf(lines, line), key.start);
  if (!BEFORE_KEY.test(prefix)) return undefined;
  const eol = lineEnd(lines.text);
  const attached = attachedStart(lines, line);
  const isAbove = next !== undefined &&
    !(attached < line && REMARKS.test(lines.text.slice(0, startOf(lines, attached))));
  const at = startOf(lines, isAbove ? attached : lineAt(lines, value.span.end - 1) + 1);
  const isOpen = at > 0 && lines.text[at - 1] !== "\n";
  return [{
    start: at,
    end: at,
    text: isOpen ? `${eol}${prefix}${text}` : `${prefix}${text}${eol}`,
  }];
}
