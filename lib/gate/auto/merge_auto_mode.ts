import type { Located } from "../../model/place.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { RuleSource } from "../../model/source.ts";
import type { Notice, PlacedRule } from "../../model/source_entry.ts";
import { untrusted } from "../../policy/sources/notices.ts";
import { singleRule } from "../../policy/sources/single_rule.ts";
import type {
  AutoList,
  AutoModeFile,
  ClassifierSettings,
  CuratedList,
  WrittenList,
} from "./auto_mode_file.ts";
import { AUTO_LISTS } from "./auto_mode_file.ts";
import { curated, CURATED_PATH } from "./curated.ts";

/** One auto-mode.toml that was read. */
export interface AutoModeEntry {
  /** `flag`: a person named it (`--auto-mode-config`). */
  readonly kind: "flag" | "project" | "user";
  /** Its absolute path. */
  readonly path: string;
  /** Its whole text, without a byte order mark. */
  readonly text: string;
  /** What it says. */
  readonly file: AutoModeFile;
  /** Whether the workspace's files are trusted as they now are; always true outside the workspace. */
  readonly trusted: boolean;
}

/** Everything that counts in auto mode. */
export interface AutoModeSettings {
  /** The patterns of each list: deny rules of the two denials, allow rules of `allow`. */
  readonly lists: Readonly<Record<AutoList, readonly PlacedRule[]>>;
  /** The lines that the model is told, variables not yet filled in. */
  readonly environment: readonly string[];
  /** Where auto mode is switched off; absent when it is not. */
  readonly disabled?: RuleSource;
  /** The model that is asked, and where that stands; absent when there is none. */
  readonly classifier?: { readonly value: ClassifierSettings; readonly source: RuleSource };
  /** Every pattern that a file has, whether it counts or not, for `listProblems`. */
  readonly written: readonly PlacedRule[];
  /** What did not count. */
  readonly notices: readonly Notice[];
  /** Everything wrong in the files; with an error among them the caller must not decide calls. */
  readonly problems: readonly FileProblem[];
}

/**
 * Makes one of all files, which stand highest first. The lists add up; a curated denial stays unless the user's own file
 * leaves it out; of a project that is not trusted only what makes things stricter counts. Never throws.
 */
export function mergeAutoMode(entries: readonly AutoModeEntry[]): AutoModeSettings {
  const usable = entries.filter(({ file }) =>
    !file.problems.some(({ severity }) => severity === "error")
  );
  const notices = usable.flatMap(untrustedParts);
  const lists = Object.fromEntries(AUTO_LISTS.map((name) => [name, rulesOf(usable, name)]));
  const disabling = usable.find(({ file }) => file.disableAutoMode?.value === true);
  const asking = usable.find((entry) => entry.trusted && entry.file.classifier !== undefined);
  return {
    lists: lists as Record<AutoList, readonly PlacedRule[]>,
    environment: elementsOf(usable, "environment").map(({ text }) => text),
    ...(disabling?.file.disableAutoMode && {
      disabled: sourceIn(disabling, disabling.file.disableAutoMode.span),
    }),
    ...(asking?.file.classifier && {
      classifier: {
        value: asking.file.classifier.value,
        source: sourceIn(asking, asking.file.classifier.span),
      },
    }),
    written: entries.flatMap((entry) => AUTO_LISTS.flatMap((name) => writtenRules(entry, name))),
    notices,
    problems: entries.flatMap(({ path, text, file }) =>
      file.problems.map((problem) => ({ ...problem, path, text }))
    ),
  };
}

/** What loosens, tells or sends something, and so counts in a project only when it is trusted. */
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

/** The patterns that a file has in a list, `$defaults` left out. */
function writtenRules(entry: AutoModeEntry, name: AutoList): readonly PlacedRule[] {
  const action = name === "allow" ? "allow" : "deny";
  return (entry.file.lists.get(name)?.items ?? [])
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

/** A list of all files together, `$defaults` written out and each text once. */
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
 * Whether the curated list does not count unless it is named: of a denial only the user's own file can say so, of the
 * others any file that has such a list.
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
  return list.items.flatMap((item) => {
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
      // Not of kind "builtin": what a command reads and writes is held against the rules of people only.
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
