import type { FileProblem } from "../../model/problem.ts";

/** The policy has errors, so no call can be decided by it. */
export class PolicyError extends Error {
  /** Everything wrong, in the order in which it is shown; at least one error among it. */
  readonly problems: readonly FileProblem[];

  /** The message counts the errors and quotes the first one, with its place. */
  constructor(problems: readonly FileProblem[]) {
    const errors = problems.filter((problem) => problem.severity === "error");
    const [first] = errors;
    const place = first
      ? `: ${first.path}:${first.span.line}:${first.span.column}: ${first.message}`
      : "";
    super(`Cannot use the policy: ${errors.length} error${errors.length === 1 ? "" : "s"}${place}`);
    this.name = "PolicyError";
    this.problems = problems;
  }
}
