import { foldCase } from "../../pattern/unicode.ts";
import { matchGlob, parseGlob } from "../../pattern/glob.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import { shortened } from "../unit_result.ts";
import { type Check, fittingAllows } from "./safety_check.ts";
import {
  allPlaces,
  placeName,
  type ProtectedPlace,
  protectedPlaces,
  segmentsOf,
  writingVerbs,
} from "./protected_places.ts";
import { isExact, mentions } from "./names_place.ts";
import { fixedTarget, placesHeld } from "./target.ts";

/**
 * The check of a line for PowerShell or cmd, which is not taken apart. What it does to files is not known, so that it is
 * enough that it names a protected one, a verb that writes rules, or text that is made up while it runs. Only an allow rule
 * that is the very line lifts it.
 */
export function checkForeign(policy: CompiledPolicy, request: Request): Check | undefined {
  const { first, call: { tool } } = request;
  if (first.state !== "text") return undefined;
  const line = plainLine(first.text);
  const places = placesIn(line, { policy, request });
  const unknown = places === undefined ? "names too many files" : whyUnknown(line);
  if (places?.length === 0 && unknown === undefined) return undefined;
  const exact = fittingAllows(policy, request).filter(isExact);
  const place = places?.find(({ notBy }) =>
    !exact.some(({ rule }) => !notBy.includes(rule.source.kind))
  );
  const isOwn = exact.some(({ rule }) => !/^(?:project|local)$/.test(rule.source.kind));
  const why = place === undefined ? isOwn ? undefined : unknown : names(place);
  if (why === undefined) return undefined;
  const reason = `\`${shortened(first.text)}\` cannot be analysed, and it ${why}`;
  return { kind: "call", text: first.text, via: null, depth: 0, tool, reason };
}

function names(place: ProtectedPlace): string {
  return `names \`${placeName(place)}\`, or a folder that contains it`;
}

/** The line without its quoting, folded, with `/` in every path and one spelling for each. */
function plainLine(text: string): string {
  return foldCase(text)
    .replace(/[`^]\r?\n/g, " ")
    // PowerShell takes curly quotes for straight ones.
    .replace(/[\u2018-\u201b]/g, "'").replace(/[\u201c-\u201e]/g, '"')
    .replace(/["']\s*\+\s*["']/g, "")
    .replace(/["'`^%]/g, "")
    .replaceAll("\\", "/")
    .replace(/\/(?:\.?\/)+/g, "/")
    // Windows leaves out dots at the end of a name.
    .replace(/([^\s./])\.+(?=\/|\s|$)/g, "$1")
    .replace(/\bappdata\/(?!roaming|local)/g, "appdata/roaming/");
}

/** With more words than this that may be files, they are not looked at, and the line is asked about. */
const MOST_WORDS = 2_000;

/**
 * The protected places that a line names, may name with wildcards, or may take away with the folder they are in; undefined
 * where it has too many words.
 */
function placesIn(
  line: string,
  { policy, request }: { policy: CompiledPolicy; request: Request },
): readonly ProtectedPlace[] | undefined {
  const places = protectedPlaces(policy);
  const all = [...new Set([...allPlaces(), ...places.anchored.map(({ place }) => place)])]
    .filter(({ byPath }) => !byPath);
  const bare = line.replace(/[[\]@#!$+~*?]/g, " ");
  const words = new Set(line.split(/[\s,;|&(){}<>=]+/).filter((word) => word !== ""));
  const taken = REMOVES.test(line) ? [...words] : [];
  const wild = [...words].filter((word) => /[*?[~]/.test(word));
  if (taken.length > MOST_WORDS || wild.length > MOST_WORDS) return undefined;
  const paths = wild.map((word) => segmentsOf(word));
  const isWindows = policy.context.platform === "windows";
  const named = all.filter(({ names }) => {
    const folded = names.filter((name) => !name.endsWith(":")).map(foldCase);
    const isNear = folded.every((name) => bare.includes(name.replace(/^\*/, "")));
    return isNear && mentions(bare, folded) ||
      paths.some((path) => mayName(path, { folded, isWindows }));
  });
  const profile = /\$profile\b/.test(line) ? all.filter(isShellProfile) : [];
  const held = taken.flatMap((word) =>
    placesHeld(fixedTarget(request.path(folderOf(word)), places), places)
  );
  return [...named, ...profile, ...held];
}

function isShellProfile({ names }: ProtectedPlace): boolean {
  return /powershell/i.test(names.at(-1) ?? "");
}

/** True if names may follow one another in a path; a segment may have wildcards behind its first letter. */
function mayName(
  path: readonly string[],
  { folded, isWindows }: { folded: readonly string[]; isWindows: boolean },
): boolean {
  return path.some((_, at) =>
    folded.every((name, index) => {
      const segment = path[at + index];
      return segment !== undefined && mayBe(segment, { name, isWindows });
    })
  );
}

function mayBe(
  segment: string,
  { name, isWindows }: { name: string; isWindows: boolean },
): boolean {
  if (segment === name) return true;
  // `git~1` is a name that Windows gives `.git` besides.
  if (isWindows && /^\w+~\d/.test(segment)) {
    const short = name.replace(/^\./, "").slice(0, 6);
    return segment.startsWith(short.slice(0, segment.indexOf("~")));
  }
  if (!/^[^*?[][^]*[*?[]|^\[/.test(segment)) return false;
  const glob = parseGlob(segment.replace(/\[[^\][]*\]/g, "?"));
  return !glob.ok || matchGlob(glob.value, name);
}

const REMOVES =
  /(?:^|[\s;|&({])(?:remove-item|ri|rm|rmdir|rd|del|erase|move-item|mi|mv|move|rename-item|rni|ren|clear-item|cli|robocopy)(?:\.exe)?(?=\s)/;

/** The folder that a word stands for; what it holds, where it ends in `*`. */
function folderOf(word: string): string {
  const path = word
    .replace(/^(?:\$home|\$env:userprofile|\$\{?env:home\}?|userprofile)(?=\/|$)/, "~")
    .replace(/^(?:\$pwd|cd)(?=\/|$)/, ".")
    .replace(/(?:^|\/)\*(?:\.\*)?$/, "/");
  return path === "/" && !word.startsWith("/") ? "." : path.replace(/(?!^)\/$/, "") || ".";
}

/** Commands that run text, and text that is made up at run time. */
const MADE_UP: readonly RegExp[] = [
  /\b(?:iex|invoke-expression)\b/,
  /frombase64string|\[(?:[\w.]*\.)?scriptblock\]|\$executioncontext|\[char(?:\[\])?\]/,
  /(?:^|[\s;|&({=])[&.]\s?[$(]/,
  // cmd's substrings and substitutions of variables; the percent signs are gone.
  /(?:^|\s)[\w.]+:~-?\d|![^!\s]+!/,
];

function whyUnknown(line: string): string | undefined {
  if (MADE_UP.some((each) => each.test(line))) return "builds the command that it runs";
  const verb = /caliban/.test(line)
    ? writingVerbs().find((words) => mentions(line, words.slice(-1)))
    : undefined;
  if (verb) return `may run \`caliban ${verb.join(" ")}\`, which changes the rules`;
  for (const part of line.split(/[;|&\n]/)) {
    const words = part.split(/\s+/);
    const after = (program: RegExp) =>
      words.slice(words.findIndex((word) => program.test(word)) + 1);
    if (
      RUNS_SHELL.test(part) &&
      after(RUNS_SHELL).some((word) => /^[-/\u2013-\u2015]e(?:c|n\w*)?$/.test(word))
    ) {
      return "builds the command that it runs";
    }
    if (!RUNS_GIT.test(part) || !after(RUNS_GIT).includes("config")) continue;
    const reads = words.slice(words.indexOf("config")).some((word) => READS_GIT.test(word));
    if (!reads) return "writes git's configuration, which git may run";
  }
  return undefined;
}

const RUNS_SHELL = /\b(?:powershell|pwsh)(?:\.exe)?(?=\s|$)/;
const RUNS_GIT = /\bgit(?:\.exe)?(?=\s|$)/;
const READS_GIT = /^(?:--get.*|--list|-l|get|list)$/;
