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
    if (name === undefined) continue;
    if (entries.has(name)) throw new Error(`Cannot name "${file}": there is another ${name}`);
    entries.set(name, file);
  }
  const [hot = "", ...others] = chunksOf(built, entries.get("start.js"));
  const settings = chunksOf(built, entries.get("setting.js")).filter((chunk) => chunk !== hot);
  const [setting = ""] = settings;
  const isWhole = built.has(hot) && others.length === 0 && settings.length === 1;
  if (entries.size !== ENTRIES.size || !isWhole) {
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
  texts.set(setting, withNames(built.get(setting)!, { stub: built.get(stub)!, chunk: setting }));
  return new Map([...texts].map(([file, text]) => [names.get(file)!, renamed(text, names)]));
}

/** The chunks that a file of names takes them from, as far as they are there; none where it is something else. */
function chunksOf(built: ReadonlyMap<string, string>, file: string | undefined): readonly string[] {
  const text = built.get(file ?? "") ?? "";
  if (!NAMES_ONLY.test(text)) return [];
  const chunks = [...text.matchAll(/from"\.\/([^"]+)"/g)].map(([, chunk]) => chunk!);
  return [...new Set(chunks)].filter((chunk) => built.has(chunk));
}

/** The name under which the part for settings passes on `hot.ts`. */
const PASSED_ON = "hot";

/**
 * The text of a chunk that also exports the names of a file of names. It has one export statement: with two, a text that is cut between
 * them would still be a whole module. Throws Error where a name comes from elsewhere.
 */
function withNames(text: string, { stub, chunk }: { stub: string; chunk: string }): string {
  const taken = [...stub.matchAll(/import\{([^}]*)\}from"\.\/([^"]+)"/g)]
    .flatMap(([, names, from]) => from === chunk ? names!.split(",") : []);
  const [, exported = ""] = /export\{([^}]*)\}/.exec(stub) ?? [];
  const own = exported.split(",").filter((each) => each.split(" as ").at(-1) !== PASSED_ON);
  const foreign = own.find((each) => !taken.includes(each.split(" as ")[0]!));
  if (foreign !== undefined) {
    throw new Error(`Cannot name "${foreign}": it is not in the file for settings`);
  }
  const named = text.replace(
    /export\{([^}]*)\};\s*$/,
    (_, names) => `export{${names},${own.join(",")}};\n`,
  );
  if (named === text) throw new Error("Cannot name the file for settings: it exports nothing");
  return named;
}

function renamed(text: string, names: ReadonlyMap<string, string>): string {
  return [...names].reduce((each, [from, to]) => each.replaceAll(`"./${from}"`, `"./${to}"`), text);
}
