import type { Evaluation } from "../decide/evaluate.ts";
import { namedArguments } from "../decide/named_arguments.ts";
import type { CallFile, CallPlaces } from "../model/verdict.ts";
import type { CallPath, PathForm } from "../pattern/path/call_path.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { searchedPaths } from "../policy/compile/value_matcher.ts";

/** The places that a call is about, with links followed as they are when this is called. */
export function placesOf(
  evaluation: Evaluation,
  { context }: Pick<CompiledPolicy, "context">,
): CallPlaces {
  const { request } = evaluation;
  const { cwd } = request;
  const [workspace = cwd] = context.workspace;
  const folder = request.path(".");
  const { certain, others } = fileTexts(evaluation);
  const paths = certain.map((text) => request.path(text));
  const perhaps = others.map((text) => request.path(text));
  const all = [folder, ...paths, ...perhaps];
  const links = all.map(({ raw, ok, forms }) => [raw, ok, ...forms.map(({ root }) => root)]);
  return {
    workspace,
    folder: { ...fileOf(folder), text: cwd },
    files: [
      ...paths.map(fileOf).filter(({ real, isUnknown, isOutside }) =>
        real !== undefined || isUnknown || isOutside
      ),
      // A word may be no path at all; below a folder that is a link, every word would seem to be one.
      ...isLink(folder) ? [] : perhaps.filter(isLink).map(fileOf),
    ],
    fingerprint: JSON.stringify([context.workspace, cwd, links]),
  };
}

/** The most words of a text that are tried as paths, and the longest of them, in UTF-16 code units. */
const MOST_WORDS = 200;
const LONGEST_WORD = 1_000;

/**
 * The words of a text that may be paths: those of a command line, each between its quotes, and whole without them, behind a
 * colon or the letter of an option.
 */
function wordsOf(text: string): readonly string[] {
  const begin = text.slice(0, MOST_WORDS * 100);
  const parts = begin.match(/[^\s'"`;|&<>(){}=,]+/g) ?? [];
  const whole = begin.replace(/['"\\]/g, "").match(/[^\s`;|&<>(){}=,:]+/g) ?? [];
  return [parts, whole.map((word) => word.replace(/^-[A-Za-z]/, ""))].flatMap((words) =>
    words.filter((word) => word.length <= LONGEST_WORD).slice(0, MOST_WORDS)
  );
}

/** True for a path that is, or goes through, a link. */
function isLink(path: CallPath): boolean {
  return fileOf(path).real !== undefined;
}

/** The paths of files in a call, as written, each once: those that name a file for certain, and those that may. */
function fileTexts(
  { request, line, verdict }: Evaluation,
): { readonly certain: readonly string[]; readonly others: readonly string[] } {
  const { profile, first, call } = request;
  const own = profile.kind === "path" && first.state === "text" ? [first.text] : [];
  const searched = profile.searches === undefined
    ? []
    : searchedPaths(request, profile.searches) ?? [];
  const parts = [...line?.effects ?? [], ...verdict.units].flatMap(({ kind, text, path }) =>
    (kind === "read" || kind === "write") && path !== "open" ? [text] : []
  );
  const { named } = namedArguments(call.input, profile);
  const texts = (isCertain: boolean) =>
    named.flatMap((each) =>
      each.kind === "file" && each.isCertain === isCertain ? [each.text] : []
    );
  const certain = new Set([...own, ...searched.slice(0, 1), ...parts, ...texts(true)]);
  const words = [
    ...profile.kind !== "path" && first.state === "text" ? wordsOf(first.text) : [],
    ...named.flatMap(({ kind, text, folder }) =>
      kind === "command" ? [...(folder === undefined ? [] : [folder]), ...wordsOf(text)] : []
    ).slice(0, 2 * MOST_WORDS),
    ...searched.slice(1, MOST_WORDS),
  ];
  const others = new Set([...texts(false), ...words].filter((text) => !certain.has(text)));
  return { certain: [...certain], others: [...others] };
}

/** A path as a person must know it: the place that its links lead to, and if that is outside of the workspace. */
function fileOf(path: CallPath): CallFile {
  const [written, ...others] = path.forms.filter(({ isDoubtful }) => !isDoubtful);
  const elsewhere = written === undefined ? [] : others.filter((form) => !isSame(form, written));
  const real = elsewhere.find(({ workspace }) => workspace === undefined) ?? elsewhere[0];
  const isOutside = path.forms.some(({ workspace }) => workspace === undefined);
  return {
    text: path.raw,
    ...(real === undefined ? {} : { real: absolute(real) }),
    ...(path.ok ? {} : { isUnknown: true }),
    ...(isOutside ? { isOutside: true } : {}),
  };
}

/** True if two paths are one file but for links above the workspace or the home folder. */
function isSame(one: PathForm, other: PathForm): boolean {
  if (one.root === other.root) return true;
  if (one.workspace !== undefined) return one.workspace === other.workspace;
  return one.home !== undefined && one.home === other.home && other.workspace === undefined;
}

function absolute({ root }: PathForm): string {
  return /^[A-Za-z]:/.test(root) ? root : `/${root}`;
}
