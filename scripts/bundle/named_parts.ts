/** The files of the bundler, by their names without the hash. */
const ENTRIES: ReadonlyMap<RegExp, string> = new Map([
  [/^cli\.js$/, "caliban.js"],
  [/^hot-\w+\.js$/, "start.js"],
  [/^setting-\w+\.js$/, "setting.js"],
  [/^rest-\w+\.js$/, "rest.js"],
]);

/** A file that only names what others have. */
const NAMES_ONLY = /^(?:import\{[^}]*\}from"\.\/([^"]+)";)+export\{[^}]*\};\s*$/;

/**
 * The texts of the bundle's parts by their names, from those that the bundler wrote with a hash in each name. It puts what several parts
 * need into chunks: that of `hot.ts` becomes `hot.js`, that of `setting.ts` becomes `setting.js` with the names that the part itself exports.
 * Throws Error when the bundler wrote something else.
 */
export function namedParts(built: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  for (const file of built.keys()) {
    const name = [...ENTRIES].find(([form]) => form.test(file))?.[1];
    if (name !== undefined) entries.set(name, file);
  }
  const [hot] = chunksOf(built, entries.get("start.js"));
  const setting = chunksOf(built, entries.get("setting.js")).find((chunk) => chunk !== hot);
  if (entries.size !== ENTRIES.size || hot === undefined || setting === undefined) {
    throw new Error("Cannot name the files of the bundle: the bundler wrote something else");
  }
  const stub = entries.get("setting.js")!;
  const names = new Map([[hot, "hot.js"], [setting, "setting.js"], [stub, "setting.js"]]);
  for (const [name, file] of entries) if (file !== stub) names.set(file, name);
  const unknown = [...built.keys()].find((file) => !names.has(file));
  if (unknown !== undefined) {
    throw new Error(`Cannot name "${unknown}": it is no file of the bundle`);
  }
  const texts = new Map([...built].filter(([file]) => file !== stub));
  texts.set(setting, texts.get(setting)! + ownNames(built.get(stub)!, setting));
  return new Map([...texts].map(([file, text]) => [names.get(file)!, renamed(text, names)]));
}

/** The chunks that a file of names takes them from, as far as they are there; none where it is something else. */
function chunksOf(built: ReadonlyMap<string, string>, file: string | undefined): readonly string[] {
  const text = built.get(file ?? "") ?? "";
  if (!NAMES_ONLY.test(text)) return [];
  return [...text.matchAll(/from"\.\/([^"]+)"/g)].map(([, chunk]) => chunk!)
    .filter((chunk) => built.has(chunk));
}

/** The export of what a file of names takes from a chunk, to stand in that chunk. */
function ownNames(text: string, chunk: string): string {
  const taken = [...text.matchAll(/import\{([^}]*)\}from"\.\/([^"]+)"/g)]
    .find(([, , from]) => from === chunk)?.[1]?.split(",") ?? [];
  const [, exported = ""] = /export\{([^}]*)\}/.exec(text) ?? [];
  const own = exported.split(",").filter((each) => taken.includes(each.split(" as ")[0]!));
  return `export{${own.join(",")}};\n`;
}

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((each, [from, to]) => each.replaceAll(`"./${from}"`, `"./${to}"`), text);
}
