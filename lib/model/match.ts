/**
 * Whether a pattern fits a call. `indeterminate` means that the question has no answer (an argument is missing, is not a
 * string, or is malformed); it is never read as `yes` for an allow rule nor as `no` for a deny or ask rule.
 */
export type Match = "yes" | "no" | "indeterminate";

/** Every one must fit: `no` beats `indeterminate` beats `yes`. The empty list fits. */
export function all(matches: readonly Match[]): Match {
  if (matches.includes("no")) return "no";
  return matches.includes("indeterminate") ? "indeterminate" : "yes";
}

/** One must fit: `yes` beats `indeterminate` beats `no`. The empty list does not fit. */
export function any(matches: readonly Match[]): Match {
  if (matches.includes("yes")) return "yes";
  return matches.includes("indeterminate") ? "indeterminate" : "no";
}

/** The opposite; indeterminate stays indeterminate. */
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

/** `yes` or `no` for a boolean. */
export function fromBoolean(fits: boolean): Match {
  return fits ? "yes" : "no";
}
