import defaults from "../../../defaults/auto-mode.json" with { type: "json" };
import type { FileProblem, Located } from "../../model/problem.ts";
import type { Notice, PlacedRule, RuleSource } from "../../model/rule.ts";
import { untrusted } from "../../policy/sources/entry_text.ts";
import { singleRule } from "../../policy/sources/source_order.ts";
import { defined } from "../../text/json_value.ts";
import {
  AUTO_LISTS,
  type AutoList,
  type AutoModeFile,
  type ClassifierSettings,
  type CuratedList,
  type WrittenList,
} from "./auto_mode_file.ts";

/** One auto-mode.toml that was read. */
export interface AutoModeEntry {
  /** `flag`: a person named it (`--auto-mode-config`). */
  readonly kind: "flag" | "project" | "user";
  /** Its absolute path. */
  readonly path: string;
  /** Its whole text, without a byte order mark. */
  readonly text: string;
  /** Its contents. */
  readonly file: AutoModeFile;
  /** True if the workspace's files are trusted in their current state; always true outside the workspace. */
  readonly trusted: boolean;
}

/** Everything that counts in auto mode. */
export interface AutoModeSettings {
  /** The patterns of each list: deny rules of the two denials, allow rules of `allow`. */
  readonly lists: Readonly<Record<AutoList, readonly PlacedRule[]>>;
  /** Lines for the model, variables not yet filled in. */
  readonly environment: readonly string[];
  /** The place that switches auto mode off; absent if it is on. */
  readonly disabled?: RuleSource;
  /** The model to ask, with its place; absent without one. */
  readonly classifier?: { readonly value: ClassifierSettings; readonly source: RuleSource };
  /** All patterns of all files, those that do not count included, for `listProblems`. */
  readonly written: readonly PlacedRule[];
  /** The parts that do not count. */
  readonly notices: readonly Notice[];
  /** The problems of the files; with an error among them the caller must not decide calls. */
  readonly problems: readonly FileProblem[];
}

/**
 * Merges the files, which are highest first. The lists add up. A curated denial stays unless the user's own file leaves it
 * out. Of an untrusted project only the stricter parts count. Never throws.
 */
export function mergeAutoMode(entries: readonly AutoModeEntry[]): AutoModeSettings {
  const usable = entries.filter(({ file }) =>
    !file.problems.some(({ severity }) => severity === "error")
  );
  const notices = usable.flatMap(untrustedParts);
  const lists = Object.fromEntries(AUTO_LISTS.map((name) => [name, rulesOf(usable, name)]));
  const disabling = usable.find(({ file }) => file.disableAutoMode?.value === true);
  const asking = usable.find((entry) => entry.trusted && entry.file.classifier !== undefined);
  return defined({
    lists: lists as Record<AutoList, readonly PlacedRule[]>,
    environment: elementsOf(usable, "environment").map(({ text }) => text),
    disabled: disabling?.file.disableAutoMode &&
      sourceIn(disabling, disabling.file.disableAutoMode.span),
    classifier: asking?.file.classifier && {
      value: asking.file.classifier.value,
      source: sourceIn(asking, asking.file.classifier.span),
    },
    written: entries.flatMap((entry) => AUTO_LISTS.flatMap((name) => writtenRules(entry, name))),
    notices,
    problems: entries.flatMap(({ path, text, file }) =>
      file.problems.map((problem) => ({ ...problem, path, text }))
    ),
  });
}

/** Parts that allow, disclose or send something: those of a project count only if it is trusted. */
function untrustedParts(entry: AutoModeEntry): readonly Notice[] {
  if (entry.trusted) return [];
  const { lists, classifier } = entry.file;
  const parts = [
    ["allow", lists.get("allow")?.span],
    ["environment", lists.get("environment")?.span],
    ["[classifier]", classifier?.span],
  ] as const;
  return parts.flatMap(([what, span]) =>
    span === undefined ? [] : [untrusted(`${what} (auto-mode.toml)`, sourceIn(entry, span))]
  );
}

interface Element {
  readonly text: string;
  readonly rule: (action: "allow" | "deny") => PlacedRule;
}

function rulesOf(entries: readonly AutoModeEntry[], name: AutoList): readonly PlacedRule[] {
  const action = name === "allow" ? "allow" : "deny";
  return elementsOf(entries, name).map(({ rule }) => rule(action));
}

/** The patterns of a file's list, without `$defaults`. */
function writtenRules(entry: AutoModeEntry, name: AutoList): readonly PlacedRule[] {
  const action = name === "allow" ? "allow" : "deny";
  return (entry.file.lists.get(name)?.elements ?? [])
    .filter(({ value }) => !value.startsWith("$defaults"))
    .map((item) => ruleOf(item, { entry, action }));
}

function ruleOf(
  item: Located<string>,
  { entry, action }: { entry: AutoModeEntry; action: "allow" | "deny" },
): PlacedRule {
  const { span } = item;
  return { pattern: item, action, span, source: sourceIn(entry, span), text: entry.text };
}

/** A list of all files together, `$defaults` replaced by its patterns, each text once. */
function elementsOf(entries: readonly AutoModeEntry[], name: CuratedList): readonly Element[] {
  const counted = entries.flatMap((entry) => {
    const list = entry.file.lists.get(name);
    return list && (entry.trusted || isDenial(name)) ? [{ entry, list }] : [];
  });
  const written = counted.flatMap(({ entry, list }) => writtenElements(list, { entry, name }));
  const all = leavesOut(counted, name) ? written : [...written, ...curatedElements(name)];
  const seen = new Set<string>();
  return all.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/**
 * True if the curated list counts only where it is named: for a denial if the user's own file has the list, for another list
 * if any file has it.
 */
function leavesOut(counted: readonly { readonly entry: AutoModeEntry }[], name: CuratedList) {
  return counted.some(({ entry }) => entry.kind === "user" || !isDenial(name));
}

function isDenial(name: CuratedList): boolean {
  return name === "hard_deny" || name === "soft_deny";
}

function writtenElements(
  list: WrittenList,
  { entry, name }: { entry: AutoModeEntry; name: CuratedList },
): readonly Element[] {
  return list.elements.flatMap((item) => {
    const { value: text } = item;
    if (text === "$defaults") return curatedElements(name);
    const other = /^\$defaults\.(\w+)$/.exec(text)?.[1];
    if (other !== undefined) return curatedElements(other as CuratedList);
    return [{ text, rule: (action) => ruleOf(item, { entry, action }) }];
  });
}

function curatedElements(name: CuratedList): readonly Element[] {
  return curated(name).map(({ text, line, column }) => ({
    text,
    rule: (action) => {
      // Not of kind "builtin": files that a command reads and writes are checked against the rules of people only.
      return singleRule(text, {
        action,
        source: { kind: "flag", path: CURATED_PATH, line, column },
      });
    },
  }));
}

function sourceIn(
  { kind, path }: AutoModeEntry,
  { line, column }: { readonly line: number; readonly column: number },
): RuleSource {
  return { kind, path, line, column };
}

/** The file of the curated lists. */
const CURATED_PATH = "defaults/auto-mode.toml";

/** The version of the curated lists; it counts up with every change. */
export const CURATED_VERSION: number = defaults.version;

/** One element of a curated list. */
interface CuratedElement {
  readonly text: string;
  /** Its line in `CURATED_PATH`, from 1. */
  readonly line: number;
  /** Its column there, from 1. */
  readonly column: number;
}

/** A curated list, in the order of its file. */
export function curated(name: CuratedList): readonly CuratedElement[] {
  return defaults[name];
}
