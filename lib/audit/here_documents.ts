import { noteOf } from "./left_out.ts";

/** What opens a here-document: `<<EOF`, `<<-'EOF'`, `<<"EOF"`, `<<\EOF`; not `<<<`. */
const OPENER = /(?<!<)<<(?!<)-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.+-]+))/g;

/**
 * A command without the bodies of its here-documents, which are what is written to a file: `[3 lines left out]` stands in
 * their place. A body whose end is not there stays. Never throws.
 */
export function withoutHereDocuments(command: string): string {
  if (!command.includes("<<") || !command.includes("\n")) return command;
  const lines = command.split("\n");
  const places = placesOf(lines);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    kept.push(lines[at] ?? "");
    for (const delimiter of delimitersIn(lines[at] ?? "")) {
      const end = nextPlace(places.get(delimiter), at);
      if (end === undefined) break;
      if (end > at + 1) kept.push(noteOf(end - at - 1, "line"));
      kept.push(lines[end] ?? "");
      at = end;
    }
  }
  return kept.join("\n");
}

function delimitersIn(line: string): readonly string[] {
  return [...line.matchAll(OPENER)].map(([, single, double, bare]) =>
    single ?? double ?? bare ?? ""
  );
}

/** The first of the places behind `at`; those before it are forgotten, for it only grows. */
function nextPlace(places: number[] | undefined, at: number): number | undefined {
  while (places !== undefined && (places.at(-1) ?? Infinity) <= at) places.pop();
  return places?.at(-1);
}

/** The numbers of the lines that could end a here-document, last first, by their text without tabs before it. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const text = (lines[index] ?? "").replace(/^\t+/, "").replace(/\r$/, "");
    if (!/^[^\s].{0,200}$/.test(text)) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  return places;
}
