import { foldCase } from "../../pattern/unicode.ts";
import { printGlob } from "../../pattern/glob.ts";
import type { Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import { printPathPattern } from "../../pattern/path/path_pattern.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { ProtectedPlace } from "./protected_places.ts";

/** True if an allow rule names a protected file or folder in its literal text, and its source counts. */
export function namesPlace(
  { rule, specifier, readAs }: ToolRule,
  place: ProtectedPlace,
): boolean {
  if (rule.action !== "allow" || !specifier || place.notBy.includes(rule.source.kind)) return false;
  const folded = readAs?.context.ignoreCase ? foldCase : (text: string) => text;
  const names = place.names.map(folded);
  return testsOf(specifier).some((test) => mentions(folded(literalText(test)), names));
}

/** True if the names follow one another as whole path segments of a text: `.git` in `rm -r web/.git/x`, not in `.github`. */
export function mentions(text: string, names: readonly string[]): boolean {
  const key = names.join("/");
  let test = mentionTests.get(key);
  if (test === undefined) {
    if (mentionTests.size >= MOST_TESTS) mentionTests.clear();
    mentionTests.set(key, test = mentionTest(names));
  }
  return test.test(text);
}

/** A quick test that is true for every text which mentions one of some lists of names, and for a few others. */
export function mayMention(all: readonly (readonly string[])[]): (text: string) => boolean {
  const beginnings = all.map(([first = ""]) => escaped(first.replace(/^\*/, "")));
  const test = new RegExp([...new Set(beginnings)].join("|"));
  return (text) => test.test(text);
}

/** The tests by their names, which are those of protected places. */
const mentionTests = new Map<string, RegExp>();

/** The most of them that are kept. */
const MOST_TESTS = 1_024;

function mentionTest(names: readonly string[]): RegExp {
  const path = names.map((name, at) => {
    if (!name.startsWith("*")) return escaped(name);
    // Behind an edge there are any characters: at the beginning that is true of every place, and would take long to say.
    return (at === 0 ? "" : `[^\\s/"']*`) + escaped(name.slice(1));
  }).join("/");
  const before = names[0]?.startsWith("*") ? "" : `(?:^|${EDGE})`;
  return new RegExp(`${before}${path}(?:$|${EDGE})`, "s");
}

/** True if an allow rule has no wildcard, and so fits one text only. */
export function isExact({ rule, specifier }: ToolRule): boolean {
  if (rule.action !== "allow" || !specifier) return false;
  const tests = testsOf(specifier);
  return tests.length > 0 && tests.every((test) => !literalText(test).includes(WILD));
}

/** The characters that end a name in a command or path. */
const EDGE = "[\\s/\"'`=:;|&<>(){},]";

/** Stands for a wildcard: no name ends there. */
const WILD = "\uffff";

/** The tests of the first argument that are not negated. */
function testsOf(specifier: Specifier): readonly ValueTest[] {
  switch (specifier.kind) {
    case "any":
    case "class":
      return [];
    case "argument":
      return [specifier.test];
    case "fields":
      return specifier.fields.flatMap(({ isArgument: first, negated, test }) =>
        first && !negated ? [test] : []
      );
  }
}

/** The literal text, wildcards as one character. */
export function literalText(test: ValueTest): string {
  switch (test.kind) {
    case "command": {
      const text = withoutEscapes(printGlob(test.glob), /[*?]/);
      return test.anchor === "whole" ? text : `${text} ${WILD}`;
    }
    case "path":
      return withoutEscapes(printPathPattern(test.pattern), /[*?[\]]/);
    case "text":
    case "url":
    case "domain":
      return "";
  }
}

function withoutEscapes(text: string, wild: RegExp): string {
  return text.replace(
    /\\(.)|(.)/gs,
    (_, literal: string | undefined, plain: string) => literal ?? (wild.test(plain) ? WILD : plain),
  );
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
