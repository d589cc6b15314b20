import type { FileProblem } from "../../model/problem.ts";

/** The policy has errors, so that it cannot decide any call. */
export class PolicyError extends Error {
  /** Every problem, in the order in which it is shown; at least one is an error. */
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
