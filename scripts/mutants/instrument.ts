import ts from "typescript";
import type { Mutant } from "./candidates.ts";

/** A mutant with the number that switches it on. */
export interface Numbered extends Mutant {
  /** From 1. */
  readonly id: number;
}

interface Insertion {
  readonly at: number;
  /** Insertions at one place stand in this order. */
  readonly order: number;
  readonly text: string;
}

/**
 * The file with every mutant in it: `$m(7) ? mutated : original`. `probe` is the number that each function of the file reports
 * when it is called.
 */
export function instrumented(
  text: string,
  { mutants, probe, from }: {
    readonly mutants: readonly Numbered[];
    readonly probe: number;
    readonly from: string;
  },
): string {
  const source = ts.createSourceFile("x.ts", text, ts.ScriptTarget.Latest, true);
  const insertions = [...mutants.flatMap(insertionsOf), ...probes(source, probe)]
    .toSorted((one, other) => one.at - other.at || one.order - other.order);
  const parts: string[] = [];
  let at = 0;
  for (const each of insertions) {
    parts.push(text.slice(at, each.at), each.text);
    at = each.at;
  }
  parts.push(text.slice(at));
  return `import { $m, $p } from ${JSON.stringify(from)}; ${parts.join("")}`;
}

/** Around outer places first at a beginning, last at an end. */
function insertionsOf({ id, kind, start, end, text }: Numbered): readonly Insertion[] {
  const size = end - start;
  switch (kind) {
    case "statement":
      // In braces, or an `else` behind it would belong to the inner `if`.
      return [
        { at: start, order: -size, text: `{ if (!$m(${id})) ` },
        { at: end, order: size - 1e9, text: " }" },
      ];
    case "case":
      return [
        { at: start, order: -size, text: `$m(${id}) ? Symbol() : (` },
        { at: end, order: size - 1e9, text: ")" },
      ];
    case "choice":
      return [
        { at: start, order: -size, text: `($m(${id}) ? (${text}) : (` },
        { at: end, order: size - 1e9, text: "))" },
      ];
  }
}

function probes(source: ts.SourceFile, probe: number): readonly Insertion[] {
  const found: Insertion[] = [];
  const visit = (node: ts.Node): void => {
    if (
      ts.isFunctionLike(node) && "body" in node && node.body && ts.isBlock(node.body as ts.Node)
    ) {
      const body = node.body as ts.Block;
      found.push({ at: body.getStart() + 1, order: -1e10, text: ` $p(${probe});` });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
