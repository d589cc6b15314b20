import ts from "typescript";
import type { Functions } from "../warm_functions.ts";
import { HEAD } from "./script_of.ts";
import { type Unit, type Units, unitsOf, type Use } from "./units.ts";

/** The most characters of the units of a group: that many are parsed when one of them is first used. */
const MOST = 12_000;

/** Units that are set aside together. */
interface Group {
  /** The variable that has its exports, as soon as it was used. */
  readonly kept: string;
  /** The function that makes them. */
  readonly load: string;
  readonly units: readonly Unit[];
  /** True if common calls run some of them. */
  readonly isCommon: boolean;
}

/** The functions that calls run. */
export interface Calls {
  /** Those of typical calls. */
  readonly typical: Functions["ran"];
  /** Those of other common calls, too. */
  readonly common: Functions["ran"];
}

/**
 * The text of a minified module whose idle units stand inside of functions, in groups. A unit is a function or a class of the top level, or a
 * constant that only such units use; it is idle where no typical call runs it. V8 keeps a name, a scope and a place in the code cache for each
 * function of the top level, and makes its object at each start. It keeps nothing of a function inside of another one that never ran.
 * Units that other common calls run have groups of their own. V8 compiles the functions of these groups with the file, so that no common call parses
 * them again. Throws Error where a name of a group is taken.
 */
export function setAside(text: string, { typical, common }: Calls): string {
  const taken = /\$[kl]\d+\b/.exec(text)?.[0];
  if (taken !== undefined) throw new Error(`Cannot bundle hot.js: the name "${taken}" is taken`);
  const all = unitsOf(text);
  const idle = movable(all, { text, ran: typical });
  const cold = new Set(movable(all, { text, ran: [...typical, ...common] }));
  const groups = groupsOf(idle, (unit) => !cold.has(unit));
  const places = new Map(groups.flatMap((group) => group.units.map((each) => [each.name!, group])));
  const stubs = new Set<Unit>();
  const moved = new Map(groups.flatMap(({ units }) => units.map((each) => [each.name!, each])));
  const edits = all.units.flatMap((unit) =>
    unit.uses.flatMap((use): readonly Edit[] => {
      const group = places.get(use.name);
      if (group === undefined || group.units.includes(unit)) return [];
      const target = moved.get(use.name)!;
      const isFunction = ts.isFunctionDeclaration(target.node);
      if (use.isLater && (use.isCall || !isFunction)) return [editOf(use, group)];
      if (!isFunction) throw new Error(`Cannot bundle hot.js: "${use.name}" is used too early`);
      stubs.add(target);
      return [];
    })
  );
  const kept = keptStatements(all, { text, edits, isMoved: (name) => places.has(name) });
  const rest = edited(text, { start: 0, end: text.length }, [...kept, ...edits]);
  const end = rest.lastIndexOf("export{");
  const asides = groups.map((group) => groupText(text, { group, edits }));
  const heads = [...stubs].map((each) => stubText(each, places.get(each.name!)!));
  return `${rest.slice(0, end)}${asides.join("")}${heads.join("")}${rest.slice(end)}`;
}

interface Ran {
  readonly text: string;
  readonly ran: Functions["ran"];
}

/** The units that nothing needs while the module is loaded and in typical calls. */
function movable({ units, inner, changed, made }: Units, { text, ran }: Ran): readonly Unit[] {
  const first = text.startsWith(HEAD) ? HEAD.length : 0;
  const movable = new Set(units.filter(({ node, name }) => {
    if (name === undefined || inner.has(name) || changed.has(name)) return false;
    const [start, end] = [node.getStart(), node.end];
    if (start < first || ran.some((each) => each.start >= start && each.end <= end)) return false;
    // In another place a function would have another `this` and other `arguments`.
    if (ts.isFunctionDeclaration(node)) {
      return !made.has(name) && !/\b(?:this|arguments)\b/.test(text.slice(start, end));
    }
    return isPure(node);
  }));
  const users = usersOf(units);
  for (let size = -1; size !== movable.size;) {
    size = movable.size;
    for (const unit of movable) {
      const others = [...users.get(unit.name!) ?? []];
      const isFunction = ts.isFunctionDeclaration(unit.node);
      if (!isFunction && !others.every((each) => movable.has(each))) movable.delete(unit);
    }
  }
  return [...movable];
}

function usersOf(units: readonly Unit[]): ReadonlyMap<string, ReadonlySet<Unit>> {
  const users = new Map<string, Set<Unit>>();
  for (const unit of units) {
    for (const { name } of unit.uses) {
      const those = users.get(name) ?? new Set();
      users.set(name, those.add(unit));
    }
  }
  return users;
}

const COLLECTIONS: readonly string[] = ["Set", "Map", "WeakMap", "WeakSet"];

/** True if making it does nothing else, and may be done later. */
function isPure(node: ts.Node | undefined): boolean {
  const all = (nodes: readonly (ts.Node | undefined)[]) => nodes.every((each) => isPure(each));
  if (node === undefined) return true;
  if (ts.isVariableDeclaration(node)) {
    return !usesThis(node.initializer) && isPure(node.initializer);
  }
  if (ts.isClassLike(node)) return isPureClass(node);
  if (ts.isParenthesizedExpression(node)) return isPure(node.expression);
  if (ts.isArrayLiteralExpression(node)) return all(node.elements);
  if (ts.isObjectLiteralExpression(node)) {
    return node.properties.every((each) =>
      ts.isPropertyAssignment(each) && !ts.isComputedPropertyName(each.name) &&
      isPure(each.initializer)
    );
  }
  if (ts.isNewExpression(node)) {
    const { expression: made } = node;
    return ts.isIdentifier(made) && COLLECTIONS.includes(made.text) && all(node.arguments ?? []);
  }
  if (ts.isPrefixUnaryExpression(node)) return isPure(node.operand);
  if (ts.isVoidExpression(node)) return isPure(node.expression);
  return ts.isLiteralExpression(node) || ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

/** True for a function with a `this` of its own, which a call from a group would change. */
function usesThis(node: ts.Node | undefined): boolean {
  if (node === undefined || !ts.isFunctionExpression(node)) return false;
  return /\b(?:this|arguments)\b/.test(node.getText());
}

/** True for a class whose parts run nothing before one of it is made, and that has no base of ours. */
function isPureClass(node: ts.ClassLikeDeclaration): boolean {
  const bases = (node.heritageClauses ?? []).flatMap(({ types }) => types);
  if (bases.some(({ expression }) => expression.getText() !== "Error")) return false;
  return node.members.every((each) => {
    if (each.name !== undefined && ts.isComputedPropertyName(each.name)) return false;
    if (!ts.isPropertyDeclaration(each)) return !ts.isClassStaticBlockDeclaration(each);
    return each.modifiers === undefined || isPure(each.initializer);
  });
}

/** The units in the order of the text, by groups. */
function groupsOf(
  units: readonly Unit[],
  isCommon: (unit: Unit) => boolean,
): readonly Group[] {
  const groups: { units: Unit[]; size: number; isCommon: boolean }[] = [];
  for (const unit of [...units.filter((each) => !isCommon(each)), ...units.filter(isCommon)]) {
    const size = unit.node.end - unit.node.getStart();
    const last = groups.at(-1);
    const isFull = last === undefined || last.size + size > MOST;
    if (isFull || last.isCommon !== isCommon(unit)) {
      groups.push({ units: [unit], size, isCommon: isCommon(unit) });
    } else {
      last.units.push(unit);
      last.size += size;
    }
  }
  return groups.map(({ units, isCommon }, index) => {
    return { units, isCommon, kept: `$k${index}`, load: `$l${index}` };
  });
}

/** A text in the place of another. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The use of a unit of a group, written outside of the group. */
function editOf({ node, name }: Use, group: Group): Edit {
  const text = takenFrom(group, name);
  const isShort = ts.isShorthandPropertyAssignment(node.parent);
  return { start: node.getStart(), end: node.end, text: isShort ? `${name}:${text}` : text };
}

interface Kept {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly isMoved: (name: string) => boolean;
}

/** The edits that leave nothing of the moved units where they stood. */
function keptStatements({ units, lists }: Units, { text, edits, isMoved }: Kept): readonly Edit[] {
  const isGone = (node: ts.VariableDeclaration) =>
    ts.isIdentifier(node.name) && isMoved(node.name.text);
  const statements = units.flatMap(({ node, name }): readonly Edit[] => {
    if (name === undefined || ts.isVariableDeclaration(node) || !isMoved(name)) return [];
    return [{ start: node.getStart(), end: node.end, text: "" }];
  });
  const variables = lists.flatMap((list): readonly Edit[] => {
    const { declarations, flags } = list.declarationList;
    const left = declarations.filter((each) => !isGone(each));
    if (left.length === declarations.length) return [];
    const kind = flags & ts.NodeFlags.Const ? "const" : flags & ts.NodeFlags.Let ? "let" : "var";
    const texts = left.map((each) => edited(text, placeOf(each), edits));
    return [{ ...placeOf(list), text: left.length === 0 ? "" : `${kind} ${texts.join(",")};` }];
  });
  return [...statements, ...variables];
}

/** The variable and the function of a group. */
function groupText(
  text: string,
  { group, edits }: { readonly group: Group; readonly edits: readonly Edit[] },
): string {
  const own = group.units.map(({ node }) => {
    const unit = edited(text, placeOf(node), edits);
    return ts.isVariableDeclaration(node) ? `var ${unit};` : unit;
  });
  const names = group.units.map(({ name }) => name).join(",");
  const body = `(){${own.join("")}return ${group.kept}=[${names}]}`;
  return group.isCommon
    ? `var ${group.kept},${group.load}=(function ${body});`
    : `var ${group.kept};function ${group.load}${body}`;
}

/** A function that stands for a moved one, where it is a value while the module is loaded. */
function stubText({ name }: Unit, group: Group): string {
  return `function ${name}(...of){return${takenFrom(group, name!)}(...of)}`;
}

/** An expression for a unit of a group: of a list, as V8 makes a shape for each name of an object. */
function takenFrom({ kept, load, units }: Group, name: string): string {
  return `(${kept}||${load}())[${units.findIndex((each) => each.name === name)}]`;
}

function placeOf(node: ts.Node): { readonly start: number; readonly end: number } {
  return { start: node.getStart(), end: node.end };
}

/** A piece of the text with its edits; an edit inside of another one has no effect. */
function edited(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  edits: readonly Edit[],
): string {
  const inside = edits.filter((each) => each.start >= start && each.end <= end)
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  let at = start;
  let result = "";
  for (const edit of inside) {
    if (edit.start < at) continue;
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at, end);
}
