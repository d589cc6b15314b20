import type { Pattern } from "../pattern/pattern.ts";
import { printPattern } from "../pattern/print_pattern.ts";

const KEYS = new WeakMap<Pattern, string>();

/** A text that two patterns share only when they are compiled to the same: `Bash:x` and `Bash(x)`, but not `Bash(x:*)`. */
export function patternKey(pattern: Pattern): string {
  const known = KEYS.get(pattern);
  if (known !== undefined) return known;
  const isPrefix = pattern.form === "paren" && pattern.specifier?.endsWith(":*");
  const key = printPattern(isPrefix ? pattern : { ...pattern, form: "colon" });
  KEYS.set(pattern, key);
  return key;
}
