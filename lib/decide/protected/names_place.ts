import { foldCase } from "../../pattern/fold_case.ts";
import { printGlob } from "../../pattern/glob.ts";
import type { Specifier, ValueTest } from "../../pattern/pattern.ts";
import { printPathPattern } from "../../pattern/path/path_pattern.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import type { ProtectedPlace } from "./protected_place.ts";

/** Whether an allow rule names a protected file or folder in its literal text, and stands where that counts. */
export function namesPlace(
  { rule, specifier, readAs }: ToolRule,
  place: ProtectedPlace,
): boolean {
  if (rule.action !== "allow" || !specifier || place.notBy.includes(rule.source.kind)) return false;
  const folded = readAs?.context.ignoreCase ? foldCase : (text: string) => text;
  const names = place.names.map(folded);
  return testsOf(specifier).some((test) => mentions(folded(literalText(test)), names));
}

/** Whether names stand in a text one below the other, and as a whole: `.git` in `rm -r web/.git/x`, not in `.github`. */
export function mentions(text: string, names: readonly string[]): boolean {
  const path = names.map(escaped).join("/");
  return new RegExp(`(?:^|${EDGE})${path}(?:$|${EDGE})`, "s").test(text);
}

/** Whether an allow rule has no wildcard, so that it speaks of exactly one thing. */
export function isExact({ rule, specifier }: ToolRule): boolean {
  if (rule.action !== "allow" || !specifier) return false;
  const tests = testsOf(specifier);
  return tests.length > 0 && tests.every((test) => !literalText(test).includes(WILD));
}

/** What ends a name in a command or path. */
const EDGE = "[\\s/\"'`=:;|&<>(){},]";

/** Stands for a wildcard: no name ends there. */
const WILD = "\uffff";

/** The tests of the first argument that say what it is, not what it is not. */
function testsOf(specifier: Specifier): readonly ValueTest[] {
  switch (specifier.kind) {
    case "any":
      return [];
    case "argument":
      return [specifier.test];
    case "fields":
      return specifier.fields.flatMap(({ first, negated, test }) =>
        first && !negated ? [test] : []
      );
  }
}

/** The literal text, wildcards as one character. */
function literalText(test: ValueTest): string {
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
