import type { Range } from "../path/path_glob.ts";

/** A regular expression over a tool's name, taken apart. Positions count UTF-16 code units from 0. */
export type RegexNode =
  /** One code point. */
  | { readonly kind: "char"; readonly code: number }
  /** `.`: any code point, a newline too. */
  | { readonly kind: "any" }
  /** `[a-z]`, `\d`: a code point in one of the ranges, which are sorted and apart. */
  | { readonly kind: "set"; readonly ranges: readonly Range[] }
  /** `^` or `$`, and where it stands. */
  | { readonly kind: "edge"; readonly side: "start" | "end"; readonly at: number }
  /** One after the other; empty for nothing at all. */
  | { readonly kind: "sequence"; readonly parts: readonly RegexNode[] }
  /** `a|b`. */
  | { readonly kind: "either"; readonly options: readonly RegexNode[] }
  /** `a*`, `a{2,3}`: `most` is absent where there is no bound. */
  | {
    readonly kind: "repeat";
    readonly body: RegexNode;
    readonly least: number;
    readonly most: number | undefined;
  };

/** A regular expression cannot be used. */
export class RegexFault extends Error {
  /** Where, in UTF-16 code units from 0. */
  readonly at: number;

  /** `detail` says what is wrong, without a final full stop. */
  constructor(detail: string, at: number) {
    super(detail);
    this.name = "RegexFault";
    this.at = at;
  }
}

/**
 * Where `^` or `$` stands so that no text could fit, or only some ways through the expression; undefined when each one
 * that there is stands at the edge of the whole. Matching is anchored there anyway, so that they then say nothing.
 */
export function strayEdge(node: RegexNode): number | undefined {
  return strayIn(node, { start: true, end: true });
}

/** Which edges of the whole text a node stands at. */
interface Edges {
  readonly start: boolean;
  readonly end: boolean;
}

function strayIn(node: RegexNode, edges: Edges): number | undefined {
  switch (node.kind) {
    case "char":
    case "any":
    case "set":
      return undefined;
    case "edge":
      return edges[node.side] ? undefined : node.at;
    case "either":
      return firstOf(node.options, () => edges);
    case "sequence": {
      const last = node.parts.findLastIndex((part) => !isEdge(part, "end"));
      const first = node.parts.findIndex((part) => !isEdge(part, "start"));
      return firstOf(node.parts, (index) => ({
        start: edges.start && (first < 0 || index <= first),
        end: edges.end && index >= last,
      }));
    }
    case "repeat":
      return strayIn(node.body, { start: false, end: false });
  }
}

function isEdge(node: RegexNode, side: "start" | "end"): boolean {
  return node.kind === "edge" && node.side === side;
}

function firstOf(
  nodes: readonly RegexNode[],
  edgesOf: (index: number) => Edges,
): number | undefined {
  for (const [index, node] of nodes.entries()) {
    const stray = strayIn(node, edgesOf(index));
    if (stray !== undefined) return stray;
  }
  return undefined;
}
