import { foldCase } from "../../pattern/unicode.ts";
import { shownGlob } from "../../pattern/path/shell_glob.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { AllowText, CommandLine, Effect } from "../../shell/effect.ts";
import { mayBeRelinked } from "../settle_effect.ts";
import { shortened } from "../unit_result.ts";
import { type Check, checkOf, fittingAllows, NO_CHECKS, protectedReason } from "./safety_check.ts";
import { type FileUse, lineUses } from "./file_uses.ts";
import {
  allPlaces,
  placeName,
  type ProtectedPlace,
  type ProtectedPlaces,
  protectedPlaces,
  writingVerbs,
} from "./protected_places.ts";
import { isExact, mayMention, mentions, namesPlace } from "./names_place.ts";
import {
  broadFolder,
  fixedTarget,
  globTarget,
  heldBy,
  placesTouched,
  type Target,
  textTarget,
  touchesNone,
} from "./target.ts";
import { checkVerbs } from "./check_verbs.ts";

/** With more files than this, the rest is not looked at, and asked about. */
const MOST_FILES = 2_000;

/** The context of the checks of one line. */
interface CheckContext {
  readonly policy: CompiledPolicy;
  readonly request: Request;
  readonly line: CommandLine;
  /** The protected files that the line names otherwise than by reading them. */
  readonly named: () => readonly ProtectedPlace[];
  /** The effects whose text names caliban. */
  readonly namingCaliban: readonly Effect[];
}

/** The checks of a command line: protected files that it writes, moves, removes or links to, and verbs that write rules. */
export function checkLine(policy: CompiledPolicy, request: Request): readonly Check[] {
  // Files are protected with `shell = "literal"` too.
  const line = request.parsedLine;
  if (!line) return NO_CHECKS;
  const { namingCaliban, mayConcern, uses } = lineUses(line);
  if (mayConcern.length === 0 && uses.length === 0) return NO_CHECKS;
  let named: readonly ProtectedPlace[] | undefined;
  const context: CheckContext = {
    policy,
    request,
    line,
    named: () =>
      named ??= [...placesNamed(line, policy), ...placesMatched(line, { policy, request })],
    namingCaliban,
  };
  const checks: Check[] = [];
  for (const effect of mayConcern) {
    const check = checkVerbs(effect, context) ?? checkUnread(effect, context);
    if (check !== undefined) checks.push(check);
  }
  let count = 0;
  for (const use of uses) {
    if (++count > MOST_FILES) {
      const reason = `it writes more than ${MOST_FILES} files, of which some may be protected`;
      checks.push(checkOf(use.unit, { request, reason }));
      break;
    }
    const check = checkFile(use, context);
    if (check !== undefined) checks.push(check);
  }
  return checks;
}

/** True for a file that is known, which is no protected one and takes none along: most files are. */
function isOrdinary(use: FileUse, { policy, request }: CheckContext): boolean {
  if (use.path !== "fixed" || use.does !== "writes" && use.does !== "may write") return false;
  return touchesNone(request.path(use.text), protectedPlaces(policy)) &&
    !mayBeRelinked(use.unit, request);
}

function checkFile(use: FileUse, context: CheckContext): Check | undefined {
  if (isOrdinary(use, context)) return undefined;
  const { request, policy } = context;
  const places = protectedPlaces(policy);
  const target = targetOf(use, { request, places });
  // The folder itself was asked about already.
  const known = use.within === undefined
    ? []
    : placesTouched(fixedTarget(request.path(use.within), places), places);
  const named = placesTouched(target, places).filter((place) =>
    !known.includes(place) && (use.path !== "glob" || beginsLike(use.text, place))
  );
  // The file is not known, and the line names one that it may be (`d=.git; echo x > "$d/config"`).
  // The same is true of a path that may lead elsewhere by then (`echo .git | xargs -I{} ln -s {} h; echo x > h/config`).
  const isKnown = use.path !== "open" && !mayBeRelinked(use.unit, request);
  const touched = named.length > 0 || isKnown ? named : context.named();
  const held = touched.length === 0 ? heldBy(use, { target, places }) : [];
  if (touched.length === 0 && held.length === 0) return undefined;
  const place = touched.find((each) => !isNamed(each, { use, context })) ??
    held.find((each) => !isNamed(each, { use, context }) && !isSpokenOf(each, { use, context }));
  if (!place) return undefined;
  const isSure = use.path === "fixed";
  const does = isSure || use.does === "may write" ? use.does : `may ${use.does.replace(/s\b/, "")}`;
  const reason = protectedReason(shownGlob(use.text), {
    does,
    name: placeName(place),
    why: place.why,
    relation: held.length > 0 ? "holds" : "in",
    folder: held.length > 0 ? broadFolder(target, places) : undefined,
    more: held.length - 1,
  });
  return checkOf(use.unit, { request, reason });
}

/** The most files that a line reads which are told apart from those that it only names. */
const MOST_READ = 50;

function placesNamed(
  { effects, text }: CommandLine,
  { context }: CompiledPolicy,
): readonly ProtectedPlace[] {
  const read = effects.filter(({ kind, path, isListed }) =>
    kind === "read" && path === "fixed" && !isListed
  );
  const left = read.slice(0, MOST_READ)
    .reduce((rest, effect) => rest.replace(effect.text, () => " x "), text)
    .replace(/(?<![^\s;&|(])(?:source|\.)\s+[^\s;&|)]+/g, " x ");
  const folded = context.ignoreCase ? foldCase(left) : left;
  return placesIn(folded);
}

/** The most different words with wildcards of a line that are compared with protected files; a line with more may name any. */
const MOST_GLOBS = 200;

/** The places that a word of a line may name with wildcards: of `for f in .gi*; do rm -rf $f; done`, `.git`. */
function placesMatched(
  { text }: CommandLine,
  { policy, request }: { policy: CompiledPolicy; request: Request },
): readonly ProtectedPlace[] {
  const places = protectedPlaces(policy);
  const globs = new Set([
    ...text.split(/[\s;&|()<>"'`=]+/).filter((word) => GLOB.test(word)),
    ...text.split(/[\s;&<>"'`=]+/).filter((word) => EXTENDED.test(word)),
  ]);
  if (globs.size > MOST_GLOBS) return allPlaces();
  return [...globs].flatMap((glob) =>
    placesTouched(globTarget(glob, { request, places }), places)
      .filter((place) => beginsLike(glob, place))
  );
}

/** A word with wildcards and letters. */
const GLOB = /^(?=.*[*?[])[\w.~/@%+:,*?[\]!^-]*$/;

/** A word with a group of an extended glob. */
const EXTENDED = /^(?=.*[@+?*!]\()[\w.~/@%+:,*?[\]!^()|-]*$/;

/** False for a name of ordinary letters that a glob is not about: `mise*` is, and `*` is most often other files. */
export function beginsLike(glob: string, { base, names }: ProtectedPlace): boolean {
  if (base !== "any") return true;
  const segments = glob.split("/").map(foldCase);
  return names.map(foldCase).every((name) =>
    /^[.*]/.test(name) ||
    segments.some((segment) =>
      segment === name || /[*?[({]/.test(segment) && segment[0] === name[0]
    )
  );
}

/** The places that a text can name, and a quick test for the few texts that may name one; made on first use. */
let namable: readonly ProtectedPlace[] | undefined;
let mayName: ((text: string) => boolean) | undefined;

/** The places that a text names. */
export function placesIn(text: string): readonly ProtectedPlace[] {
  namable ??= allPlaces().filter(({ base, byPath }) => base !== "root" && !byPath);
  mayName ??= mayMention(namable.map(({ names }) => names));
  return mayName(text) ? namable.filter(({ names }) => mentions(text, names)) : NO_PLACES;
}

const NO_PLACES: readonly ProtectedPlace[] = [];

function targetOf(
  { text, path }: FileUse,
  { request, places }: { request: Request; places: ProtectedPlaces },
): Target {
  switch (path) {
    case "fixed":
      return fixedTarget(request.path(text), places);
    case "glob":
      return globTarget(text, { request, places });
    case "open":
      return textTarget(text, places);
  }
}

interface UseOfLine {
  readonly use: FileUse;
  readonly context: CheckContext;
}

/** True if an allow rule names the place: a rule of Write the file, a rule of the shell tool the operand up to the place. */
function isNamed(place: ProtectedPlace, { use, context }: UseOfLine): boolean {
  const { policy, request, line } = context;
  const unit = {
    ...use.unit,
    allowTexts: use.unit.allowTexts.map((allowText) => extendedTo(allowText, { use, place })),
  };
  const own = fittingAllows(policy, request.of({ effect: unit, line }));
  if (own.some((toolRule) => namesPlace(toolRule, place))) return true;
  if (use.path !== "fixed") return false;
  const write = request.withTool("Write", { path: use.text });
  return fittingAllows(policy, write).some((toolRule) => namesPlace(toolRule, place));
}

/** The text for a rule whose literal text reaches past the place's name in the operand, and not to the operand's end. */
function extendedTo(
  allowText: AllowText,
  { use, place }: { use: FileUse; place: ProtectedPlace },
): AllowText {
  const { text, minLiteral } = allowText;
  const name = place.names.join("/");
  const at = `/${use.text}/`.lastIndexOf(`/${name}/`);
  if (at < 0 || !text.slice(0, minLiteral).endsWith(use.text)) return allowText;
  return { ...allowText, minLiteral: minLiteral - use.text.length + at + name.length };
}

/** True if an allow rule without wildcards is about the folder that is removed or moved, with everything in it. */
function isSpokenOf(place: ProtectedPlace, { use, context }: UseOfLine): boolean {
  const { policy, request, line } = context;
  return fittingAllows(policy, request.of({ effect: use.unit, line })).some((toolRule) =>
    isExact(toolRule) && !place.notBy.includes(toolRule.rule.source.kind)
  );
}

/**
 * The code in an unknown part of a command, which may write the files that it names. Empty for a script that a program only
 * runs (`node .claude/x.js`), and for a file that it reads.
 */
function codeIn(
  { text, isOrdinaryScript, unknownFileAccess }: Effect,
  { context }: CompiledPolicy,
): string {
  if (isOrdinaryScript || unknownFileAccess || SCRIPT.test(text)) return "";
  return context.ignoreCase ? foldCase(text) : text;
}

const SCRIPT = /^[\w./-]+ [\w./~@-]+$|^(?:source|\.)\s/;

/**
 * The check of a line, or a piece of one, that could not be taken apart: it is broken, too long or nested too deeply. What
 * it does to files is not known then, so that it is enough that it names a protected one. Of any unknown command it is enough
 * that its line names caliban and a verb that writes rules (`c=caliban; $c trust`).
 */
function checkUnread(
  effect: Effect,
  { policy, request, line }: { policy: CompiledPolicy; request: Request; line: CommandLine },
): Check | undefined {
  if (effect.kind !== "opaque") return undefined;
  const isPart = effect.allowTexts.length > 0 && effect.text !== line.text;
  const text = policy.context.ignoreCase ? foldCase(line.text) : line.text;
  const named = placesIn(isPart ? codeIn(effect, policy) : text);
  const verb = /caliban/i.test(text)
    ? writingVerbs().find((words) => mentions(text, words.slice(-1)))
    : undefined;
  if (named.length === 0 && !verb) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  const place = named.find((each) => !allows.some((toolRule) => namesPlace(toolRule, each)));
  const isAllowed = allows.some(({ rule }) => !/^(?:project|local)$/.test(rule.source.kind));
  if (!place && (!verb || isAllowed)) return undefined;
  const name = place ? placeName(place) : `caliban ${verb?.join(" ")}`;
  const { kind, via, depth } = effect;
  const reason = `\`${shortened(effect.text)}\` cannot be analysed, and it names \`${name}\``;
  return { kind, text: effect.text, via, depth, tool: request.call.tool, reason };
}
