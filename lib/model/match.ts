/**
 * The result of a pattern on a call. `indeterminate`: the pattern cannot be evaluated, since an argument is missing, not a
 * string, or malformed; never taken for `yes` in an allow rule, nor for `no` in a deny or ask rule.
 */
export type Match = "yes" | "no" | "indeterminate";

/** Conjunction: `no` beats `indeterminate` beats `yes`; `yes` for an empty list. */
export function all(matches: readonly Match[]): Match {
  if (matches.includes("no")) return "no";
  return matches.includes("indeterminate") ? "indeterminate" : "yes";
}

/** Disjunction: `yes` beats `indeterminate` beats `no`; `no` for an empty list. */
export function any(matches: readonly Match[]): Match {
  if (matches.includes("yes")) return "yes";
  return matches.includes("indeterminate") ? "indeterminate" : "no";
}

/** Negation; `indeterminate` stays. */
export function negated(match: Match): Match {
  switch (match) {
    case "yes":
      return "no";
    case "no":
      return "yes";
    case "indeterminate":
      return "indeterminate";
  }
}

/** `yes` for true, `no` for false. */
export function fromBoolean(isMatch: boolean): Match {
  return isMatch ? "yes" : "no";
}
