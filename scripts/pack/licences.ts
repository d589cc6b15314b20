import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The licence texts of the packages that a list of source files comes from, and of all that the program may contain, whose bundle
 * names no sources: its dependencies and theirs. Throws Error where one has none.
 */
export function licenceTexts(root: string, sources: readonly string[]): string {
  const names = new Set([
    ...sources.flatMap((path) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []),
    ...dependenciesOf(root),
  ]);
  const texts = [...names].toSorted().map((name) => {
    const folder = join(root, "node_modules", name);
    const manifest = join(folder, "package.json");
    const { version, license } = JSON.parse(readFileSync(manifest, "utf8"));
    const file = existsSync(folder)
      ? readdirSync(folder).find((each) => /^(?:licen[cs]e|copying)(?:\.\w+)?$/i.test(each))
      : undefined;
    if (file === undefined) throw new Error(`Cannot pack "${name}": it has no licence text`);
    return `${name} ${version} (${license})\n\n${
      readFileSync(join(folder, file), "utf8").trim()
    }\n`;
  });
  const head = "This package contains code of the packages below, under their own licences.\n";
  return [head, ...texts].join(`\n${"-".repeat(80)}\n\n`);
}

/** The names of a package's dependencies and peers that are installed, and of theirs. */
function dependenciesOf(root: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [root];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
      const next = join(root, "node_modules", name);
      if (found.has(name) || !existsSync(next)) continue;
      found.add(name);
      waiting.push(next);
    }
  }
  return found;
}
