import { foldCase } from "../../pattern/fold_case.ts";
import { literalHead } from "../../pattern/glob.ts";
import type { Request } from "../../policy/compile/facts.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { ToolRule } from "../../policy/compile/rule_table.ts";
import { readLine } from "../../shell/read_line.ts";
import type { AllowText, CommandLine, Effect } from "../../shell/unit.ts";
import { type Check, protectedReason, shortened } from "./check.ts";
import { fittingAllows } from "./check_edit.ts";
import { type FileUse, fileUses } from "./file_uses.ts";
import { type ProtectedPlaces, protectedPlaces } from "./guarded_places.ts";
import { isExact, mentions, namesPlace } from "./names_place.ts";
import { placeName, PLACES, type ProtectedPlace, WRITING_VERBS } from "./protected_place.ts";
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
interface CheckContext {
  readonly policy: Policy;
  readonly request: Request;
  readonly line: CommandLine;
  /** The protected files that the line names otherwise than by reading them. */
  readonly named: () => readonly ProtectedPlace[];
}

/** The checks of a command line: protected files that it writes, moves or removes, and verbs that write rules. */
export function checkLine(policy: Policy, request: Request): readonly Check[] {
  if (request.first.state !== "text") return [];
  // What is protected is so too where rules read the line as one string.
  const line = policy.line(request) ?? readLine(request.first.text);
  let named: readonly ProtectedPlace[] | undefined;
  const context: CheckContext = {
    policy,
    request,
    line,
    named: () => named ??= placesNamed(line, policy),
  };
  const verbs = line.units.flatMap((effect) =>
    checkVerb(effect, context) ?? checkSetting(effect, context) ?? checkUnread(effect, context) ??
      []
  );
  const uses = fileUses(line.units);
  const files = uses.slice(0, MOST_FILES).flatMap((use) => checkFile(use, context) ?? []);
  const more = uses[MOST_FILES];
  if (!more) return [...verbs, ...files];
  const reason = `it writes more than ${MOST_FILES} files, of which some may be protected`;
  return [...verbs, ...files, checkOf(more.unit, { facts: request, reason })];
}

function checkVerb(
  effect: Effect,
  { policy, request, line }: CheckContext,
): Check | undefined {
  const verb = effect.kind === "command" ? writingVerb(effect) : undefined;
  if (verb === undefined) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  if (allows.some((toolRule) => namesVerb(toolRule, verb))) return undefined;
  const reason = `it runs \`caliban ${verb}\`, which changes the rules`;
  return checkOf(effect, { facts: request, reason });
}

/** Whether a rule names the verb before its first wildcard; one that comes with a clone does not count. */
function namesVerb({ rule, specifier }: ToolRule, verb: string): boolean {
  if (rule.source.kind === "project" || rule.source.kind === "local") return false;
  if (specifier?.kind !== "argument" || specifier.test.kind !== "command") return false;
  const words = verb.replace(/^perms /, "(?:perms\\s+)?").replaceAll(" ", "\\s+");
  return new RegExp(`caliban\\S*\\s+${words}(?:\\s|$)`).test(literalHead(specifier.test.glob));
}

/** What `git config` writes runs when git does; a rule that speaks of `config` before its first wildcard is about that. */
function checkSetting(
  effect: Effect,
  { policy, request, line }: CheckContext,
): Check | undefined {
  const key = effect.kind === "command" ? gitSetting(effect) : undefined;
  if (key === undefined) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  const isNamed = allows.some(({ specifier }) =>
    specifier?.kind === "argument" && specifier.test.kind === "command" &&
    /\sconfig(?:\s|$)/.test(literalHead(specifier.test.glob))
  );
  if (isNamed) return undefined;
  const what = key === "" ? "git's configuration" : `\`${shortened(key)}\` in git's configuration`;
  return checkOf(effect, { facts: request, reason: `it writes ${what}, which git may run` });
}

function checkFile(use: FileUse, context: CheckContext): Check | undefined {
  const { request, policy } = context;
  const places = protectedPlaces(policy);
  const target = targetOf(use, { facts: request, places });
  // What the folder itself is, was asked about already.
  const known = use.within === undefined
    ? []
    : placesTouched(fixedTarget(request.path(use.within), places), places);
  const named = placesTouched(target, places).filter((place) => !known.includes(place));
  // Which file it is, nobody knows, and the line names one that it may be (`d=.git; echo x > "$d/config"`).
  const touched = named.length > 0 || use.path !== "open" ? named : context.named();
  const takesAll = use.does === "removes" || use.does === "moves";
  const held = takesAll && touched.length === 0 ? placesHeld(target, places) : [];
  if (touched.length === 0 && held.length === 0) return undefined;
  const place = touched.find((each) => !isNamed(each, { use, context })) ??
    held.find((each) => !isNamed(each, { use, context }) && !isSpokenOf(each, { use, context }));
  if (!place) return undefined;
  const isSure = use.path === "fixed";
  const does = isSure || use.does === "may write" ? use.does : `may ${use.does.replace(/s\b/, "")}`;
  const reason = protectedReason(use.text, {
    does,
    name: placeName(place),
    why: place.why,
    relation: held.length > 0 ? "holds" : "in",
  });
  return checkOf(use.unit, { facts: request, reason });
}

/** So many files that a line reads are told from those that it only names. */
const MOST_READ = 50;

function placesNamed(
  { units: effects, text }: CommandLine,
  { context }: Policy,
): readonly ProtectedPlace[] {
  const read = effects.filter(({ kind, path }) => kind === "read" && path === "fixed");
  const left = read.slice(0, MOST_READ)
    .reduce((rest, effect) => rest.replace(effect.text, () => " x "), text)
    .replace(/(?<![^\s;&|(])(?:source|\.)\s+[^\s;&|)]+/g, " x ");
  const folded = context.ignoreCase ? foldCase(left) : left;
  return PLACES.filter(({ base, names }) => base !== "root" && mentions(folded, names));
}

function targetOf(
  { text, path }: FileUse,
  { facts: request, places }: { facts: Request; places: ProtectedPlaces },
): Target {
  switch (path) {
    case "fixed":
      return fixedTarget(request.path(text), places);
    case "glob":
      return globTarget(text, { facts: request, places });
    case "open":
      return textTarget(text, places);
  }
}

interface UseOfLine {
  readonly use: FileUse;
  readonly context: CheckContext;
}

/** Whether a rule that fits names the place: one of Write the file, one of the shell tool the operand up to the place. */
function isNamed(place: ProtectedPlace, { use, context }: UseOfLine): boolean {
  const { policy, request, line } = context;
  const unit = {
    ...use.unit,
    allowTexts: use.unit.allowTexts.map((cover) => reachedBy(cover, { use, place })),
  };
  const own = fittingAllows(policy, request.of({ effect: unit, line }));
  if (own.some((toolRule) => namesPlace(toolRule, place))) return true;
  if (use.path !== "fixed") return false;
  const write = policy.request({ ...request.call, tool: "Write", input: { path: use.text } });
  return fittingAllows(policy, write).some((toolRule) => namesPlace(toolRule, place));
}

/** The cover for a rule whose literal text reaches past the place's name in the operand, and not to the operand's end. */
function reachedBy(
  cover: AllowText,
  { use, place }: { use: FileUse; place: ProtectedPlace },
): AllowText {
  const { text, minLiteral } = cover;
  const name = place.names.join("/");
  const at = `/${use.text}/`.lastIndexOf(`/${name}/`);
  if (at < 0 || !text.slice(0, minLiteral).endsWith(use.text)) return cover;
  return { ...cover, minLiteral: minLiteral - use.text.length + at + name.length };
}

/** Whether a rule without wildcards is about a folder that is removed or moved: it speaks of what the folder holds. */
function isSpokenOf(place: ProtectedPlace, { use, context }: UseOfLine): boolean {
  const { policy, request, line } = context;
  return fittingAllows(policy, request.of({ effect: use.unit, line })).some((toolRule) =>
    isExact(toolRule) && !place.notBy.includes(toolRule.rule.source.kind)
  );
}

function checkOf(
  { kind, text, via, depth }: Effect,
  { facts: request, reason }: { facts: Request; reason: string },
): Check {
  const tool = kind === "write" || kind === "read" ? FILE_TOOLS[kind] : request.call.tool;
  return { kind, text, via, depth, tool, reason };
}

const FILE_TOOLS = { write: "Write", read: "Read" } as const;

/**
 * The check of a line, or a piece of one, that could not be taken apart: it is broken, too long or nested too deeply. What
 * it does to files is not known then, so that it is enough that it names a protected one, or a verb that writes rules.
 */
function checkUnread(
  effect: Effect,
  { policy, request, line }: { policy: Policy; request: Request; line: CommandLine },
): Check | undefined {
  if (effect.kind !== "opaque" || effect.allowTexts.length > 0 && effect.text !== line.text) {
    return undefined;
  }
  const text = policy.context.ignoreCase ? foldCase(line.text) : line.text;
  const named = PLACES.filter(({ base, names }) => base !== "root" && mentions(text, names));
  const verb = /caliban/i.test(text)
    ? WRITING_VERBS.find((words) => mentions(text, words.slice(-1)))
    : undefined;
  if (named.length === 0 && !verb) return undefined;
  const allows = fittingAllows(policy, request.of({ effect, line }));
  const place = named.find((each) => !allows.some((toolRule) => namesPlace(toolRule, each)));
  const isAllowed = allows.some(({ rule }) => !/^(?:project|local)$/.test(rule.source.kind));
  if (!place && (!verb || isAllowed)) return undefined;
  const name = place ? placeName(place) : `caliban ${verb?.join(" ")}`;
  const { kind, via, depth } = effect;
  const reason = `what \`${
    shortened(effect.text)
  }\` does cannot be known, and it names \`${name}\``;
  return { kind, text: effect.text, via, depth, tool: request.call.tool, reason };
}

/** Settings that name people and choose how git behaves, and that run nothing; in lower case. */
const HARMLESS = new RegExp(
  "^(?:user\\.(?:name|email)|init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote)|" +
    "core\\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf)|branch\\..*\\.(?:remote|merge|rebase)|" +
    "(?:advice|color|column|log|rerere)\\..*|merge\\.conflictstyle|diff\\.algorithm|fetch\\.prune)$",
);

/** Options of `git config` whose value is the next word. */
const VALUED = /^(?:-f|--file|--blob|--type|--default|--value|--comment)$/;
const READS = /^(?:--get.*|-l|--list)$/;
const WRITES = /^(?:-e|--(?:a(?:d|$)|rep|un|ren|rem|e).*)$/;
const ACTIONS = /^(?:set|unset|edit|rename-section|remove-section)$/;

/**
 * The setting that a command writes with `git config`, where it may be one that runs programs (`core.pager`, `alias.x`):
 * with it the file that is protected is written without being named. Undefined for any other command.
 */
function gitSetting({ allowTexts, denyTexts }: Effect): string | undefined {
  for (
    const text of [
      ...allowTexts.map(({ text }) => text),
      ...denyTexts.map(({ template }) => template),
    ]
  ) {
    const words = /^(?:\S*\/)?git\s+config\s+(.+)$/s.exec(text.trim())?.[1]?.split(/\s+/);
    const key = words && keyWritten(words);
    if (key !== undefined && !HARMLESS.test(key.toLowerCase())) return key;
  }
  return undefined;
}

/** The key that `git config` writes with these words; empty where it is any. */
function keyWritten(words: readonly string[]): string | undefined {
  if (words.some((word) => READS.test(word))) return undefined;
  const operands = words.filter((word, index) =>
    !word.startsWith("-") && !VALUED.test(words[index - 1] ?? "")
  );
  const [first = "", second = ""] = operands;
  if (first === "get" || first === "list") return undefined;
  if (ACTIONS.test(first)) return second;
  const writes = operands.length > 1 || words.some((word) => WRITES.test(word));
  return writes ? first : undefined;
}
