import shell from "../../../../defaults/shell.json" with { type: "json" };

/**
 * The names of all programs as one text: for each a newline and the name, and unless it is the first one of its program a space and
 * that; a newline at the end.
 */
const TEXTS: { readonly names: string } = shell;

/** A call looks for few names, and a map of all takes longer to make than its decision. */
const FEW = 32;

let looks = 0;
let kept: { readonly names: string; readonly all: ReadonlyMap<string, string> } | undefined;

/** The first name of a program, by any of its names; undefined for a name that no table has. */
export function firstName(name: string): string | undefined {
  const { names } = TEXTS;
  if (looks >= FEW) {
    // The text changes in tests.
    if (kept?.names !== names) kept = { names, all: allNames(names) };
    return kept.all.get(name);
  }
  looks++;
  // These would reach from one name into another.
  if (name.includes(" ") || name.includes("\n")) return undefined;
  if (names.includes(`\n${name}\n`)) return name === "" ? undefined : name;
  const at = names.indexOf(`\n${name} `);
  if (at < 0) return undefined;
  const start = at + name.length + 2;
  return names.slice(start, names.indexOf("\n", start));
}

/** The first name of each program, by each of its names. */
export function allNames(names: string = TEXTS.names): ReadonlyMap<string, string> {
  const pairs = names.split("\n").filter((line) => line !== "");
  return new Map(pairs.map((line) => {
    const [name = "", first = name] = line.split(" ");
    return [name, first];
  }));
}
