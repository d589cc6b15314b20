import { foldCase } from "../pattern/fold_case.ts";
import type { PathGlob } from "../pattern/path_glob.ts";
import { keyOf } from "../policy/rule_keys.ts";
import type { Entry } from "../policy/rule_table.ts";
import { searchedPaths } from "../policy/search_matcher.ts";
import type { Facts } from "../tools/facts.ts";

/** Below this many rules it costs more than it saves. */
const WORTH_IT = 16;

/** Rules on paths, told apart by the rarest name that a path must have: many of them may share their longest. */
export class PathNames {
  readonly #rarest = new Map<Entry, string>();

  /** Finds the names. */
  constructor(entries: readonly Entry[]) {
    if (entries.length < WORTH_IT) return;
    const counts = new Map<string, number>();
    const all = entries.flatMap((entry) => {
      const names = namesOf(entry);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return names.length === 0 ? [] : [{ entry, names }];
    });
    const rarer = (a: string, b: string) => counts.get(b)! < counts.get(a)! ? b : a;
    for (const { entry, names } of all) this.#rarest.set(entry, names.reduce(rarer));
  }

  /** Those of the entries whose name one of the call's paths has. */
  narrowed(entries: readonly Entry[], facts: Facts): readonly Entry[] {
    if (entries.length < WORTH_IT || this.#rarest.size === 0) return entries;
    const names = namesIn(facts);
    if (names === undefined) return entries;
    return entries.filter((entry) => {
      const name = this.#rarest.get(entry);
      return name === undefined || names.has(name);
    });
  }
}

/** The names that a path must have, folded; empty where there need be none. */
function namesOf(entry: Entry): readonly string[] {
  if (keyOf(entry)?.kind !== "name") return [];
  const { spec } = entry;
  const test = spec?.kind === "first"
    ? spec.test
    : spec?.kind === "fields"
    ? spec.fields.find((field) => field.first && !field.negated)?.test
    : undefined;
  return test?.kind === "path" ? wholeNames(test.pattern.glob) : [];
}

/** The literal texts from slash to slash, or to an end. */
function wholeNames(glob: PathGlob): readonly string[] {
  return glob.flatMap((node, index) => {
    if (node.kind !== "text") return [];
    const names = node.text.split("/");
    const from = index === 0 ? 0 : 1;
    const to = index === glob.length - 1 ? names.length : names.length - 1;
    return names.slice(from, to).filter((name) => /^[\x20-\x7e]+$/.test(name)).map((name) =>
      name.toLowerCase()
    );
  });
}

/** Every name in the call's paths; undefined where one of them is not known. */
function namesIn(facts: Facts): ReadonlySet<string> | undefined {
  const { first, profile: { searches } } = facts;
  const texts = searches
    ? searchedPaths(facts, searches)
    : first.state === "text"
    ? [first.text]
    : undefined;
  if (texts === undefined) return undefined;
  const names = new Set<string>();
  for (const text of texts) {
    const path = facts.path(text);
    if (!path.ok) return undefined;
    for (const spelling of [text, ...path.forms.map(({ root }) => root)]) {
      const folded = foldCase(spelling);
      for (const name of folded.split("/")) names.add(name);
      for (const name of folded.split(/[\\/]/)) names.add(name);
    }
  }
  return names;
}
