import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The exports of a module that `bun build` made of a package. */
const EXPORTS = /\bexport\s*\{([^}]*)\};?\s*$/;

/**
 * Puts the text of a package into a function, and exports a function for each of its own: the first call runs the package. The package
 * must contain all that it imports, and export functions alone. Parentheses make V8 compile the outer function with the file. Throws Error
 * for a text that imports something, or that has an export in another place than its end.
 */
export function latePackage(text: string): string {
  const found = EXPORTS.exec(text);
  if (found === null || /^(?:import|export)\b/m.test(text.slice(0, found.index))) {
    throw new Error("Cannot bundle a package on demand: it is no module that stands alone");
  }
  const names = found[1]!.split(",").map((each) => each.trim().split(/\s+as\s+/)).filter(([name]) =>
    name !== ""
  );
  const members = names.map(([own, name = own]) => `${name}: ${own}`);
  const functions = names.map(([own, name = own]) =>
    `export function ${name}(...of) {\nreturn (kept ??= all()).${name}(...of);\n}\n`
  );
  return `let kept;\nconst all = (function () {\n${text.slice(0, found.index)}\n` +
    `return { ${members.join(", ")} };\n});\n${functions.join("")}`;
}

/** Has the staged source run the package of a module when its first function is called. */
export function makeLate(stage: string, path: string): void {
  const whole = `${join(stage, path)}.late.js`;
  execFileSync("bun", ["build", "--target=node", path, `--outfile=${whole}`], {
    cwd: stage,
    stdio: ["ignore", "ignore", "inherit"],
  });
  writeFileSync(join(stage, path), latePackage(readFileSync(whole, "utf8")));
}
