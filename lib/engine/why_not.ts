import type { FieldTest, Spec, ValueTest } from "../pattern/pattern.ts";
import { printGlob } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import type { PathPattern } from "../pattern/path_pattern.ts";
import { partMatcher } from "../policy/rule_matcher.ts";
import type { Entry } from "../policy/rule_table.ts";
import type { Facts, FieldText } from "../tools/facts.ts";
import { quoted } from "./quoted.ts";
import { whyNotCommand } from "./why_not_command.ts";

/** Why a rule does not fit a call of its tool, or cannot be evaluated; no final full stop. */
export function whyNot(entry: Entry, facts: Facts): string {
  const { spec, reading } = entry;
  if (!reading) return `it is about ${quoted(printGlob(entry.rule.parsed.tool))}`;
  if (!spec) return `its spec says nothing about ${facts.profile.name}`;
  const other = whyNotOther(entry, facts);
  if (other !== undefined) return other;
  switch (spec.kind) {
    case "any":
      return "it has no spec, and beside a command that has a rule this one needs none";
    case "first":
      return whyNotFirst(spec.test, { entry, facts });
    case "fields":
      return whyNotFields(spec, { entry, facts });
  }
}

/** Why, where a file that a command line opens is judged by the rules of the shell tool, or the other way round. */
function whyNotOther({ rule, spec }: Entry, { part, profile }: Facts): string | undefined {
  const isOwn = matchGlob(rule.parsed.tool, profile.name);
  if (part?.unit.opens !== undefined && !isOwn) {
    return `which file ${quoted(part.unit.text)} opens is not fixed`;
  }
  const isOfShell = spec?.kind === "first" && spec.test.kind === "command";
  if (profile.kind !== "command" && (isOfShell || rule.action === "allow" && !isOwn)) {
    return "it does not name what opens the file";
  }
  return undefined;
}

interface Question {
  readonly entry: Entry;
  readonly facts: Facts;
}

function whyNotFirst(test: ValueTest, { entry, facts }: Question): string {
  const { first, profile } = facts;
  if (profile.searches && test.kind === "path") return whyNotSearch(facts);
  const state = whyNoText(first, profile.name);
  return first.state === "text" ? whyNotValue(test, { entry, facts, text: first.text }) : state;
}

/** What a search looks through: its folder, or why that is not known. */
function whyNotSearch(facts: Facts): string {
  const { path = "path", glob } = facts.profile.searches ?? {};
  const odd = [path, ...(glob === undefined ? [] : [glob])].map((key) => facts.field(key))
    .find(({ state }) => state === "unknown");
  if (odd?.state === "unknown") return odd.detail;
  const folder = facts.field(path);
  const text = folder.state === "text" ? folder.text : ".";
  return whyNotPath(facts, { text, noun: "the folder that is searched" });
}

function whyNoText(value: FieldText, tool: string): string {
  switch (value.state) {
    case "none":
      return `${tool} has no first argument`;
    case "missing":
      return "the call has no such field";
    case "unknown":
      return value.detail;
    case "text":
      return "";
  }
}

function whyNotValue(test: ValueTest, question: Question & { text: string }): string {
  const { facts, text } = question;
  switch (test.kind) {
    case "text":
      return `the value is ${quoted(text)}`;
    case "command":
      return whyNotCommand(test, { action: question.entry.rule.action, facts, text });
    case "path":
      return whyOpenPath(test.pattern, question) ??
        whyNotPath(facts, { text, noun: "the path" });
    case "url":
    case "domain": {
      const url = facts.url(text);
      if (!url.ok) return `the URL is malformed: ${url.detail}`;
      return test.kind === "domain"
        ? `the host is ${quoted(url.host)}`
        : `the URL is ${quoted(url.href)}`;
    }
  }
}

/** Why a path that is well-formed can all the same not be compared; undefined where it can. */
function whyOpenPath(
  { base }: PathPattern,
  { entry, facts, text }: Question & { text: string },
): string | undefined {
  if (!facts.path(text).ok || entry.matches(facts) !== "unknown") return undefined;
  return base === "home" && entry.reading?.context.home.length === 0
    ? "where the home folder is, is not known"
    : `which files ${quoted(text)} names is not fixed`;
}

function whyNotPath(facts: Facts, { text, noun }: { text: string; noun: string }): string {
  const path = facts.path(text);
  if (!path.ok) return `${noun} is malformed: ${path.detail}`;
  const form = path.forms[0]!;
  const outside = path.forms.some((other) => other.workspace === undefined)
    ? ", outside the workspace"
    : "";
  const shown = form.workspace !== undefined && form.workspace !== "" && outside === ""
    ? `./${form.workspace}`
    : /^[A-Z]:\//.test(form.root)
    ? form.root
    : `/${form.root}`;
  const real = path.forms.length > 1 ? `, with links followed /${path.forms.at(-1)!.root}` : "";
  return `${noun} is ${quoted(shown)}${real}${outside}`;
}

function whyNotFields(spec: Extract<Spec, { kind: "fields" }>, { entry, facts }: Question): string {
  for (const field of spec.fields) {
    const why = whyNotField(field, { entry, facts });
    if (why !== undefined) return why;
  }
  return facts.part?.line.units.length === 1
    ? "it does not name the command, and what that does cannot be known"
    : "it does not name the command, and the line does more than run one";
}

function whyNotField(field: FieldTest, { entry, facts }: Question): string | undefined {
  const value = field.first ? facts.first : facts.field(field.key);
  const reach = entry.rule.action === "allow" ? "strict" : "wide";
  const { profile } = facts;
  const match = partMatcher(field, { reading: { reach, ...entry.reading! }, profile })(facts);
  if (match === "yes") return undefined;
  if (field.first && profile.searches && field.test.kind === "path") {
    return whyNotSearch(facts);
  }
  if (value.state === "unknown") return value.detail;
  if (value.state !== "text") return `${field.key}: ${whyNoText(value, facts.profile.name)}`;
  return `${field.key} is ${quoted(value.text)}`;
}
