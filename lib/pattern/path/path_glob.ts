import { failed, type Parsed, parsed } from "../glob.ts";

export type PathNode =
  /** Literal text; may contain slashes. */
  | { readonly kind: "text"; readonly text: string }
  /** `*`: any text within one segment. */
  | { readonly kind: "star" }
  /** `?`: one code point but a slash. */
  | { readonly kind: "anyChar" }
  /** `**` as a whole segment: any number of segments. */
  | { readonly kind: "globstar" }
  /** `[a-z]`, `[!a]`: one code point, never a slash; matches its own text too. */
  | {
    readonly kind: "set";
    readonly negated: boolean;
    readonly ranges: readonly Range[];
    readonly text: string;
  }
  /** `{a,b}`: one of several; matches its own text too. */
  | { readonly kind: "either"; readonly options: readonly PathGlob[] };

/** The first and last code point, both included. */
export type Range = readonly [number, number];

/** A glob over a path relative to some folder: segments joined by `/`, no leading slash. */
export type PathGlob = readonly PathNode[];

/** The deepest nesting of braces; a deeper pattern is rejected, since each level multiplies its content. */
const MAX_BRACE_DEPTH = 8;

interface Reader {
  readonly text: string;
  at: number;
}

/** The surroundings of a node: the depth of the braces around it, and the segment boundaries at their ends. */
interface Surroundings {
  readonly depth: number;
  readonly opens: boolean;
  readonly closes: boolean;
}

/**
 * Parses a path glob. `*` and `?` stay within a segment, `**` as a whole segment crosses segments, `{a,b}` and `[a-z]` are
 * alternatives, `\` makes the next character literal. A brace without a comma or its end, and a bracket without its end, are
 * literal text.
 */
export function parsePathGlob(text: string): Parsed<PathGlob> {
  const reader: Reader = { text, at: 0 };
  return parseNodes(reader, { depth: 0, opens: true, closes: true });
}

function parseNodes(reader: Reader, around: Surroundings): Parsed<PathGlob> {
  const nodes: PathNode[] = [];
  const { text } = reader;
  while (reader.at < text.length) {
    const char = text[reader.at]!;
    if (around.depth > 0 && (char === "," || char === "}")) break;
    const last = nodes.at(-1);
    const opens = last ? last.kind === "text" && last.text.endsWith("/") : around.opens;
    const node = parseNode(reader, { ...around, opens });
    if (!node.ok) return node;
    append(nodes, node.value);
  }
  return parsed(nodes);
}

function append(nodes: PathNode[], node: PathNode): void {
  const last = nodes.at(-1);
  if (node.kind === "text" && last?.kind === "text") {
    nodes[nodes.length - 1] = { kind: "text", text: last.text + node.text };
  } else if (node.kind === "star" && last?.kind === "star") return;
  // `**/**` is `**`: any number of folders, and any number more.
  else if (node.kind === "globstar" && isSlash(last) && nodes.at(-2)?.kind === "globstar") {
    nodes.pop();
  } else nodes.push(node);
}

function isSlash(node: PathNode | undefined): boolean {
  return node?.kind === "text" && node.text === "/";
}

function parseNode(reader: Reader, around: Surroundings): Parsed<PathNode> {
  const { text, at } = reader;
  switch (text[at]) {
    case "\\":
      if (at + 1 === text.length) {
        return failed(
          at,
          "a lone backslash at the end",
          "write \\\\ for a backslash, / between folders",
        );
      }
      reader.at += 2;
      return parsed({ kind: "text", text: text[at + 1]! });
    case "*":
      return parsed(parseStars(reader, around));
    case "?":
      reader.at++;
      return parsed({ kind: "anyChar" });
    case "[":
      return parsed(parseSet(reader));
    case "{":
      return parseEither(reader, around);
    default:
      do reader.at++; while (isPlain(text[reader.at], around));
      return parsed({ kind: "text", text: text.slice(at, reader.at) });
  }
}

/** True for a character that is itself wherever it stands, and ends nothing around it. */
function isPlain(char: string | undefined, { depth }: Surroundings): boolean {
  return char !== undefined && !"\\*?[{".includes(char) && (depth === 0 || !",}".includes(char));
}

/** Parses stars: `**` crosses segments only as a whole segment: between slashes, braces that are one, or the ends of the text. */
function parseStars(reader: Reader, around: Surroundings): PathNode {
  const start = reader.at;
  while (reader.text[reader.at] === "*") reader.at++;
  const whole = around.opens && closesSegment(reader, around);
  return reader.at - start === 2 && whole ? { kind: "globstar" } : { kind: "star" };
}

function closesSegment({ text, at }: Reader, { depth, closes }: Surroundings): boolean {
  const next = text[at];
  if (depth > 0 && (next === "," || next === "}")) return closes;
  return next === undefined || next === "/";
}

function parseSet(reader: Reader): PathNode {
  const { text } = reader;
  const start = reader.at;
  const negated = text[start + 1] === "!" || text[start + 1] === "^";
  let at = start + (negated ? 2 : 1);
  const ranges: Range[] = [];
  for (let first = true; at < text.length && (first || text[at] !== "]"); first = false) {
    const low = readMember(text, at);
    at = low.next;
    if (text[at] === "-" && at + 1 < text.length && text[at + 1] !== "]") {
      const high = readMember(text, at + 1);
      at = high.next;
      ranges.push([low.code, high.code]);
    } else ranges.push([low.code, low.code]);
  }
  const own = text.slice(start, at + 1);
  if (at >= text.length || own.includes("/")) {
    reader.at++;
    return { kind: "text", text: "[" };
  }
  reader.at = at + 1;
  return { kind: "set", negated, ranges, text: own };
}

function readMember(text: string, at: number): { code: number; next: number } {
  const start = text[at] === "\\" && at + 1 < text.length ? at + 1 : at;
  const code = text.codePointAt(start)!;
  return { code, next: start + (code > 0xffff ? 2 : 1) };
}

function parseEither(reader: Reader, around: Surroundings): Parsed<PathNode> {
  const start = reader.at;
  const end = endOfEither(reader.text, start);
  if (end === undefined) {
    reader.at++;
    return parsed({ kind: "text", text: "{" });
  }
  if (around.depth === MAX_BRACE_DEPTH) {
    return failed(start, `braces nested more than ${MAX_BRACE_DEPTH} deep`);
  }
  const closes = closesSegment({ text: reader.text, at: end }, around);
  const inside: Surroundings = { depth: around.depth + 1, opens: around.opens, closes };
  const options: PathGlob[] = [];
  do {
    reader.at++;
    const option = parseNodes(reader, inside);
    if (!option.ok) return option;
    options.push(option.value);
  } while (reader.text[reader.at] === ",");
  reader.at++;
  return parsed({ kind: "either", options });
}

/** The offset behind the braces that begin here; undefined if they have no end or no comma of their own. */
function endOfEither(text: string, start: number): number | undefined {
  let depth = 0;
  let comma = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (char === "\\") at++;
    else if (char === "[") at = skipSet(text, at);
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) comma = true;
    else if (char === "}" && --depth === 0) return comma ? at + 1 : undefined;
  }
  return undefined;
}

function skipSet(text: string, at: number): number {
  const reader: Reader = { text, at };
  return parseSet(reader).kind === "set" ? reader.at - 1 : at;
}

/** The canonical text of a path glob; `parsePathGlob` turns it into the same glob. */
export function printPathGlob(glob: PathGlob): string {
  return glob.map(printPathNode).join("");
}

/** The text of one node. */
export function printPathNode(node: PathNode): string {
  switch (node.kind) {
    case "text":
      return node.text.replace(/[\\*?[\]{},]/g, "\\$&");
    case "star":
      return "*";
    case "anyChar":
      return "?";
    case "globstar":
      return "**";
    case "set":
      return node.text;
    case "either":
      return `{${node.options.map(printPathGlob).join(",")}}`;
  }
}
