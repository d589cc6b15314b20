/**
 * The places of `lib/shell` that make a part of a line unknown, each with a number. A copy of the library says its number behind the
 * reason of a place, and a place that opens a folder can be switched off.
 */
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** One place. */
export interface UnknownPlace {
  /** File and line. */
  readonly at: string;
  /** The source text of the reason, or of the folder that is left open. */
  readonly text: string;
}

/** Numbers of the places that are switched off, as the copy asks for them. */
export const OFF = "unknownPlacesThatAreOff";

const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*|^(?:import|export) [^;]*? from "[^"]*";/gm;
const CONSTANT = /^(?:export )?const ([A-Z][A-Z_]*) =\s+("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*');/gm;
/** A list of names, which is no reason. */
const NAMES = /\bnamesIn\(\s*"[^"]*"/g;
const QUOTED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\\n]|\\.)*`/g;

/** Copies the library and the tests' policies into a folder with its places numbered; the places in the order of their numbers. */
export function copyWithPlaces(root: string, folder: string): readonly UnknownPlace[] {
  for (const name of ["lib", "defaults"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  // The parser's package is found from here alone.
  const parser = "lib/shell/parse/unbash.ts";
  const original = pathToFileURL(join(root, parser)).href;
  writeFileSync(join(folder, parser), `export * from ${JSON.stringify(original)};\n`);
  const files = readdirSync(join(folder, "lib/shell"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts")).map((name) => join(folder, "lib/shell", name)).sort();
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const constants = new Set(
    [...texts.values()].flatMap((text) =>
      [...text.matchAll(CONSTANT)].filter(([, , quoted]) => isReason(quoted!)).map(([, name]) =>
        name!
      )
    ),
  );
  const places: UnknownPlace[] = [];
  for (const [file, text] of texts) {
    const at = (index: number) =>
      `${file.slice(folder.length + 1)}:${text.slice(0, index).split("\n").length}`;
    writeFileSync(file, marked(text, { constants, at, places }));
  }
  return places;
}

interface Marking {
  readonly constants: ReadonlySet<string>;
  readonly at: (index: number) => string;
  readonly places: UnknownPlace[];
}

function marked(text: string, { constants, at, places }: Marking): string {
  const hidden = [COMMENT, CONSTANT, NAMES].flatMap((each) => [...text.matchAll(each)])
    .map(({ index, 0: { length } }) => [index, index + length] as const);
  const names = [...constants].join("|") || "(?!)";
  const pattern = new RegExp(
    `(?<compared>=== (?:${names})\\b)|${QUOTED.source}|\\b(?:${names})\\b|(?<open>\\bopen: true\\b)`,
    "g",
  );
  return text.replaceAll(pattern, (found, ...rest) => {
    const groups = rest.at(-1) as { compared?: string; open?: string };
    const index = rest.at(-3) as number;
    if (hidden.some(([start, end]) => index >= start && index < end)) return found;
    if (groups.compared) return `?.startsWith(${found.slice(4)})`;
    if (!groups.open && !constants.has(found) && !isReason(found)) return found;
    const number = places.push({ at: at(index), text: found }) - 1;
    return groups.open ? `open: !globalThis.${OFF}?.has(${number})` : `(${found} + " #${number}")`;
  });
}

/** True for a quoted text that reads like a reason: words, at least two of them behind each other. */
function isReason(quoted: string): boolean {
  return /[a-z"'}] [a-z"]*[a-z]/.test(quoted.replaceAll(/\$\{[^}]*\}/g, "}")) &&
    quoted.length > 14 &&
    /[a-z] [a-z]/.test(quoted);
}
