import { unquoted } from "./command_words.ts";
import { noteOf } from "./left_out.ts";

/** A command without the contents that it holds. */
export interface WithoutBodies {
  /** The command; `[3 lines left out]` stands for each body. */
  readonly text: string;
  /** The bodies of its here-documents, in order. */
  readonly bodies: readonly string[];
}

/**
 * The opening of a here-document: `<<EOF`, `<<-'EOF'`, `<<"EOF"`, `<<\EOF`, `<<E"O"F`; not `<<<`.
 */
const OPENER = /(?<!<)<<(?!<)-?[ \t]*((?:\$?'[^'\n]*'|\$?"[^"\n]*"|\\[^\n]|[^\s"'\\;&|<>()`])+)/g;

/**
 * A command without the bodies of its here-documents, which are file contents. A body without an end goes on to the end of
 * the command, as in a shell. Never throws.
 */
export function withoutHereDocuments(command: string): WithoutBodies {
  if (!command.includes("<<") || !command.includes("\n")) return { text: command, bodies: [] };
  const lines = command.split("\n");
  const places = placesOf(lines);
  const kept: string[] = [];
  const bodies: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    kept.push(line);
    for (const delimiter of delimitersIn(line)) {
      const end = nextPlace(places.get(delimiter), at) ?? endWithout(lines, { at, delimiter });
      if (end === undefined) break;
      if (end > at + 1) {
        bodies.push(lines.slice(at + 1, end).join("\n"));
        kept.push(noteOf(end - at - 1, "line"));
      }
      if (end < lines.length) kept.push(lines[end] ?? "");
      at = end;
    }
  }
  return { text: kept.join("\n"), bodies };
}

function delimitersIn(line: string): readonly string[] {
  return [...line.matchAll(OPENER)].map(([, word = ""]) =>
    [...word.matchAll(/\$?'[^']*'|\$?"[^"]*"|\\.|[^"'\\]+/g)]
      .map(([piece]) => unquoted(piece.replace(/^\$(?=["'])/, ""))).join("")
  );
}

/** The end of a body that no line ends; undefined for what stands in arithmetic or in quotes, and opens none. */
function endWithout(
  lines: readonly string[],
  { at, delimiter }: { readonly at: number; readonly delimiter: string },
): number | undefined {
  if (/^\d*$/.test(delimiter)) return undefined;
  const line = lines[at] ?? "";
  const head = line.slice(0, line.indexOf("<<"));
  const isNone = head.includes("((") || count(head, "'") % 2 > 0 || count(head, '"') % 2 > 0;
  if (isNone && !/\$\([^)]*$/.test(head)) return undefined;
  return at + 1 < lines.length && lines.slice(at + 1).some((each) => each !== "")
    ? lines.length
    : undefined;
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** The first of the places after `at`. Earlier places are dropped, because `at` only grows. */
function nextPlace(places: number[] | undefined, at: number): number | undefined {
  while (places !== undefined && (places.at(-1) ?? Infinity) <= at) places.pop();
  return places?.at(-1);
}

/** The numbers of the lines that could end a here-document, last first, by their text without tabs before it. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const text = (lines[index] ?? "").replace(/^\t+/, "").replace(/\r$/, "");
    if (text.length > 200) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  return places;
}
