import ts from "typescript";
import { type Change, changesOf } from "./operators.ts";

/** A change of a file of the tree, with its names. */
export interface Mutant extends Change {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The text of that line, without the blanks around it. */
  readonly code: string;
  /** The change as text for people: `a && b -> a`. */
  readonly change: string;
  /** A number that depends on the seed and on the names alone, not on the lines around. */
  readonly rank: number;
}

const LONGEST = 70;

/** Every mutant of a file, in the order of the text. */
export function candidates(file: string, text: string, seed: number): readonly Mutant[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Change[] = [];
  const visit = (node: ts.Node): void => {
    if (isTypeOnly(node)) return;
    found.push(...changesOf(node, source));
    ts.forEachChild(node, visit);
  };
  visit(source);
  const lines = text.split("\n");
  const counts = new Map<string, number>();
  return found.map((each) => {
    const line = source.getLineAndCharacterOfPosition(each.start).line + 1;
    const named = { file, code: lines[line - 1]!.trim(), change: changeText(each, text) };
    const key = JSON.stringify([seed, file, named.code, each.operator, named.change]);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return { ...each, ...named, line, rank: hash(`${key}${count}`) };
  });
}

/** The mutants of lowest rank, at most one a line and at most `count`, in the order of their places. */
export function chosen(all: readonly Mutant[], count: number): readonly Mutant[] {
  const lowest = new Map<string, Mutant>();
  for (const mutant of all) {
    const place = `${mutant.file}:${mutant.line}`;
    const before = lowest.get(place);
    if (before === undefined || mutant.rank < before.rank) lowest.set(place, mutant);
  }
  return [...lowest.values()]
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, count)
    .toSorted((one, other) =>
      one.file < other.file ? -1 : one.file > other.file ? 1 : one.start - other.start
    );
}

/** Declarations that leave nothing behind at run time. */
function isTypeOnly(node: ts.Node): boolean {
  return ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
}

function changeText({ kind, start, end, text }: Change, whole: string): string {
  const before = brief(whole.slice(start, end));
  if (kind === "statement") return `${before} left out`;
  return kind === "case"
    ? `case ${before} left out`
    : `${before} -> ${differing(before, brief(text))}`;
}

/** The text instead, on one line. */
function differing(before: string, after: string): string {
  return after === before ? `${after} (behind its beginning)` : after;
}

function brief(text: string): string {
  const flat = text.replaceAll(/\s+/g, " ");
  return flat.length <= LONGEST ? flat : `${flat.slice(0, LONGEST)}…${hash(flat).toString(36)}`;
}

/** FNV-1a, then mixed: the same number for the same text everywhere. */
export function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
