import type { Span } from "../../model/problem.ts";
import type { TomlNode } from "../../text/toml_node.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { ignoreComments } from "../decode/ignore_comments.ts";

/** A `# caliban-ignore` comment with the places where it ignores findings. */
export interface IgnoredPlaces {
  /** The comment as written. */
  readonly comment: string;
  /** The values on the lines that it applies to, by their path; the file for a comment at its head. In order. */
  readonly paths: readonly string[];
  readonly span: Span;
}

/** Every such comment of a policy that gives a reason, in order; none if the text is not valid TOML. */
export function ignoredPlaces(text: string): readonly IgnoredPlaces[] {
  const comments = ignoreComments({ text }, []).filter(({ why }) => why !== "");
  if (comments.length === 0) return [];
  const byLine = new Map<number, string[]>([[1, ["the file"]]]);
  collect(parseToml(text).root, { path: [], byLine });
  return comments.map(({ span, lines }) => ({
    comment: text.slice(span.start, span.end),
    paths: lines.flatMap((line) => byLine.get(line + 1) ?? []).toSorted(),
    span,
  }));
}

/** The same for two comments that say the same and ignore findings in the same places. */
export function keyOf({ comment, paths }: IgnoredPlaces): string {
  return JSON.stringify([comment, paths]);
}

/** Notes a value and those in it by the line that they begin on. */
function collect(
  node: TomlNode,
  { path, byLine }: {
    readonly path: readonly (string | number)[];
    readonly byLine: Map<number, string[]>;
  },
): void {
  const { line } = node.span;
  const paths = byLine.get(line);
  if (paths === undefined) byLine.set(line, [JSON.stringify(path)]);
  else paths.push(JSON.stringify(path));
  if (node.type === "array") {
    node.elements.forEach((each, at) => collect(each, { path: [...path, at], byLine }));
  } else if (node.type === "table") {
    for (const { name, value } of node.members.values()) {
      collect(value, { path: [...path, name], byLine });
    }
  }
}
