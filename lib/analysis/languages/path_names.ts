import { foldCase } from "../../pattern/fold_case.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import { keyOf } from "../../policy/compile/rule_keys.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import { searchedPaths } from "../../policy/compile/search_matcher.ts";
import type { Request } from "../../policy/compile/facts.ts";

/** Below this many rules it costs more than it saves. */
const WORTH_IT = 16;

/** Rules on paths, told apart by the rarest name that a path must have: many of them may share their longest. */
export class PathNames {
  readonly #rarest = new Map<ToolRule, string>();

  /** Finds the names. */
  constructor(toolRules: readonly ToolRule[]) {
    if (toolRules.length < WORTH_IT) return;
    const counts = new Map<string, number>();
    const all = toolRules.flatMap((toolRule) => {
      const names = namesOf(toolRule);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return names.length === 0 ? [] : [{ entry: toolRule, names }];
    });
    const rarer = (a: string, b: string) => counts.get(b)! < counts.get(a)! ? b : a;
    for (const { entry: toolRule, names } of all) this.#rarest.set(toolRule, names.reduce(rarer));
  }

  /** Those of the entries whose name one of the call's paths has. */
  narrowed(toolRules: readonly ToolRule[], request: Request): readonly ToolRule[] {
    if (toolRules.length < WORTH_IT || this.#rarest.size === 0) return toolRules;
    const names = namesIn(request);
    if (names === undefined) return toolRules;
    return toolRules.filter((toolRule) => {
      const name = this.#rarest.get(toolRule);
      return name === undefined || names.has(name);
    });
  }
}

/** The names that a path must have, folded; empty where there need be none. */
function namesOf(toolRule: ToolRule): readonly string[] {
  if (keyOf(toolRule)?.kind !== "name") return [];
  const { specifier } = toolRule;
  const test = specifier?.kind === "argument"
    ? specifier.test
    : specifier?.kind === "fields"
    ? specifier.fields.find((field) => field.first && !field.negated)?.test
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
function namesIn(request: Request): ReadonlySet<string> | undefined {
  const { first, profile: { searches } } = request;
  const texts = searches
    ? searchedPaths(request, searches)
    : first.state === "text"
    ? [first.text]
    : undefined;
  if (texts === undefined) return undefined;
  const names = new Set<string>();
  for (const text of texts) {
    const path = request.path(text);
    if (!path.ok) return undefined;
    for (const spelling of [text, ...path.forms.map(({ root }) => root)]) {
      const folded = foldCase(spelling);
      for (const name of folded.split("/")) names.add(name);
      for (const name of folded.split(/[\\/]/)) names.add(name);
    }
  }
  return names;
}
