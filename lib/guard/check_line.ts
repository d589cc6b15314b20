import { foldCase } from "../pattern/fold_case.ts";
import { literalHead } from "../pattern/glob.ts";
import type { Policy } from "../policy/policy.ts";
import type { Entry } from "../policy/rule_table.ts";
import { readLine } from "../shell/read_line.ts";
import type { CommandLine, Cover, Unit } from "../shell/unit.ts";
import type { Facts } from "../tools/facts.ts";
import { type Check, protectedReason, short } from "./check.ts";
import { fittingAllows } from "./check_edit.ts";
import { checkUnread } from "./check_unread.ts";
import { type FileUse, fileUses } from "./file_uses.ts";
import { type GuardedPlaces, guardedPlaces } from "./guarded_places.ts";
import { gitSetting } from "./git_setting.ts";
import { isExact, mentions, namesPlace } from "./names_place.ts";
import { placeName, PLACES, type ProtectedPlace } from "./protected_place.ts";
import {
  fixedTarget,
  globTarget,
  placesHeld,
  placesTouched,
  type Target,
  textTarget,
} from "./target.ts";
import { writingVerb } from "./writing_verb.ts";

/** With more files than this, the rest is not looked at, and asked about. */
const MOST_FILES = 2_000;

/** A line as the guard reads it. */
interface Guarding {
  readonly policy: Policy;
  readonly facts: Facts;
  readonly line: CommandLine;
  /** The protected files that the line names otherwise than by reading them. */
  readonly named: () => readonly ProtectedPlace[];
}

/** The checks of a command line: protected files that it writes, moves or removes, and verbs that write rules. */
export function checkLine(policy: Policy, facts: Facts): readonly Check[] {
  if (facts.first.state !== "text") return [];
  // What is protected is so too where rules read the line as one string.
  const line = policy.line(facts) ?? readLine(facts.first.text);
  let named: readonly ProtectedPlace[] | undefined;
  const guarding: Guarding = {
    policy,
    facts,
    line,
    named: () => named ??= placesNamed(line, policy),
  };
  const verbs = line.units.flatMap((unit) =>
    checkVerb(unit, guarding) ?? checkSetting(unit, guarding) ?? checkUnread(unit, guarding) ?? []
  );
  const uses = fileUses(line.units);
  const files = uses.slice(0, MOST_FILES).flatMap((use) => checkFile(use, guarding) ?? []);
  const more = uses[MOST_FILES];
  if (!more) return [...verbs, ...files];
  const reason = `it writes more than ${MOST_FILES} files, of which some may be protected`;
  return [...verbs, ...files, checkOf(more.unit, { facts, reason })];
}

function checkVerb(unit: Unit, { policy, facts, line }: Guarding): Check | undefined {
  const verb = unit.kind === "command" ? writingVerb(unit) : undefined;
  if (verb === undefined) return undefined;
  const allows = fittingAllows(policy, facts.of({ unit, line }));
  if (allows.some((entry) => namesVerb(entry, verb))) return undefined;
  const reason = `it runs \`caliban ${verb}\`, which changes the rules`;
  return checkOf(unit, { facts, reason });
}

/** Whether a rule names the verb before its first wildcard; one that comes with a clone does not count. */
function namesVerb({ rule, spec }: Entry, verb: string): boolean {
  if (rule.source.kind === "project" || rule.source.kind === "local") return false;
  if (spec?.kind !== "first" || spec.test.kind !== "command") return false;
  const words = verb.replace(/^perms /, "(?:perms\\s+)?").replaceAll(" ", "\\s+");
  return new RegExp(`caliban\\S*\\s+${words}(?:\\s|$)`).test(literalHead(spec.test.glob));
}

/** What `git config` writes runs when git does; a rule that speaks of `config` before its first wildcard is about that. */
function checkSetting(unit: Unit, { policy, facts, line }: Guarding): Check | undefined {
  const key = unit.kind === "command" ? gitSetting(unit) : undefined;
  if (key === undefined) return undefined;
  const allows = fittingAllows(policy, facts.of({ unit, line }));
  const isNamed = allows.some(({ spec }) =>
    spec?.kind === "first" && spec.test.kind === "command" &&
    /\sconfig(?:\s|$)/.test(literalHead(spec.test.glob))
  );
  if (isNamed) return undefined;
  const what = key === "" ? "git's configuration" : `\`${short(key)}\` in git's configuration`;
  return checkOf(unit, { facts, reason: `it writes ${what}, which git may run` });
}

function checkFile(use: FileUse, guarding: Guarding): Check | undefined {
  const { facts, policy } = guarding;
  const places = guardedPlaces(policy);
  const target = targetOf(use, { facts, places });
  // What the folder itself is, was asked about already.
  const known = use.within === undefined
    ? []
    : placesTouched(fixedTarget(facts.path(use.within), places), places);
  const named = placesTouched(target, places).filter((place) => !known.includes(place));
  // Which file it is, nobody knows, and the line names one that it may be (`d=.git; echo x > "$d/config"`).
  const touched = named.length > 0 || use.path !== "open" ? named : guarding.named();
  const takesAll = use.does === "removes" || use.does === "moves";
  const held = takesAll && touched.length === 0 ? placesHeld(target, places) : [];
  if (touched.length === 0 && held.length === 0) return undefined;
  const place = touched.find((each) => !isNamed(each, { use, guarding })) ??
    held.find((each) => !isNamed(each, { use, guarding }) && !isSpokenOf(each, { use, guarding }));
  if (!place) return undefined;
  const isSure = use.path === "fixed";
  const does = isSure || use.does === "may write" ? use.does : `may ${use.does.replace(/s\b/, "")}`;
  const reason = protectedReason(use.text, {
    does,
    name: placeName(place),
    why: place.why,
    reach: held.length > 0 ? "holds" : "in",
  });
  return checkOf(use.unit, { facts, reason });
}

/** So many files that a line reads are told from those that it only names. */
const MOST_READ = 50;

function placesNamed({ units, text }: CommandLine, { context }: Policy): readonly ProtectedPlace[] {
  const read = units.filter(({ kind, path }) => kind === "read" && path === "fixed");
  const left = read.slice(0, MOST_READ)
    .reduce((rest, unit) => rest.replace(unit.text, () => " x "), text)
    .replace(/(?<![^\s;&|(])(?:source|\.)\s+[^\s;&|)]+/g, " x ");
  const folded = context.ignoreCase ? foldCase(left) : left;
  return PLACES.filter(({ base, names }) => base !== "root" && mentions(folded, names));
}

function targetOf(
  { text, path }: FileUse,
  { facts, places }: { facts: Facts; places: GuardedPlaces },
): Target {
  switch (path) {
    case "fixed":
      return fixedTarget(facts.path(text), places);
    case "glob":
      return globTarget(text, { facts, places });
    case "open":
      return textTarget(text, places);
  }
}

interface UseOfLine {
  readonly use: FileUse;
  readonly guarding: Guarding;
}

/** Whether a rule that fits names the place: one of Write the file, one of the shell tool the operand up to the place. */
function isNamed(place: ProtectedPlace, { use, guarding }: UseOfLine): boolean {
  const { policy, facts, line } = guarding;
  const unit = {
    ...use.unit,
    covers: use.unit.covers.map((cover) => reachedBy(cover, { use, place })),
  };
  const own = fittingAllows(policy, facts.of({ unit, line }));
  if (own.some((entry) => namesPlace(entry, place))) return true;
  if (use.path !== "fixed") return false;
  const write = policy.facts({ ...facts.call, tool: "Write", input: { path: use.text } });
  return fittingAllows(policy, write).some((entry) => namesPlace(entry, place));
}

/** The cover for a rule whose literal text reaches past the place's name in the operand, and not to the operand's end. */
function reachedBy(
  cover: Cover,
  { use, place }: { use: FileUse; place: ProtectedPlace },
): Cover {
  const { text, need } = cover;
  const name = place.names.join("/");
  const at = `/${use.text}/`.lastIndexOf(`/${name}/`);
  if (at < 0 || !text.slice(0, need).endsWith(use.text)) return cover;
  return { ...cover, need: need - use.text.length + at + name.length };
}

/** Whether a rule without wildcards is about a folder that is removed or moved: it speaks of what the folder holds. */
function isSpokenOf(place: ProtectedPlace, { use, guarding }: UseOfLine): boolean {
  const { policy, facts, line } = guarding;
  return fittingAllows(policy, facts.of({ unit: use.unit, line })).some((entry) =>
    isExact(entry) && !place.notBy.includes(entry.rule.source.kind)
  );
}

function checkOf(
  { kind, text, via, depth }: Unit,
  { facts, reason }: { facts: Facts; reason: string },
): Check {
  const tool = kind === "write" || kind === "read" ? FILE_TOOLS[kind] : facts.call.tool;
  return { kind, text, via, depth, tool, reason };
}

const FILE_TOOLS = { write: "Write", read: "Read" } as const;
