import type { Loss } from "../../model/loss.ts";
import type { Part } from "./parts.ts";

/** What one part of a rule is in another agent's words. */
export interface Said {
  /** Entries of its list; none where it cannot be said. */
  readonly texts: readonly string[];
  /** What that costs. */
  readonly losses: readonly Loss[];
}

/** Each loss of a rule once. */
export function distinctLosses(losses: readonly Loss[]): readonly Loss[] {
  const seen = new Set<string>();
  return losses.filter((loss) => {
    const key = JSON.stringify([loss.kind, loss.subject, loss.action, loss.detail]);
    return !seen.has(key) && seen.add(key);
  });
}

/** Whether the same is allowed of all these tools, so that one entry may speak of them together. */
export function allAllow(
  part: Part,
  { parts, tools }: { parts: readonly Part[]; tools: readonly string[] },
): boolean {
  const wanted = JSON.stringify(part.spec);
  return tools.every((tool) =>
    parts.some((other) =>
      other.rule.action === "allow" && other.tool === tool && JSON.stringify(other.spec) === wanted
    )
  );
}
