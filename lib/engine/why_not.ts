import type { FieldTest, Spec, ValueTest } from "../pattern/pattern.ts";
import { literalHead, printGlob } from "../pattern/glob.ts";
import { partMatcher } from "../policy/rule_matcher.ts";
import type { Entry } from "../policy/rule_table.ts";
import { lookAtCommand } from "../shell/plain_command.ts";
import type { Facts, FieldText } from "../tools/facts.ts";

/** Why a rule does not fit a call of its tool, or cannot be evaluated; no final full stop. */
export function whyNot(entry: Entry, facts: Facts): string {
  const { spec, reading } = entry;
  if (!reading) return `it is about ${quoted(printGlob(entry.rule.parsed.tool))}`;
  if (!spec) return `its spec says nothing about ${facts.profile.name}`;
  switch (spec.kind) {
    case "any":
      return "";
    case "first":
      return whyNotFirst(spec.test, { entry, facts });
    case "fields":
      return whyNotFields(spec, { entry, facts });
  }
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
      return whyNotCommand(test, question);
    case "path":
      return whyNotPath(facts, { text, noun: "the path" });
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

function whyNotCommand(
  test: Extract<ValueTest, { kind: "command" }>,
  { entry, text }: Question & { text: string },
): string {
  const look = lookAtCommand(text);
  const head = literalHead(test.glob);
  const starts = test.reach !== "inside" && head !== "" && !text.startsWith(head.trimEnd());
  if (look.kind === "compound" && !(starts && entry.rule.action === "allow")) {
    return `the command has ${look.because}, so it may run more than ${quoted(firstWord(text))}`;
  }
  if (look.kind === "quoted" && entry.rule.action !== "allow") {
    return `the command has ${look.because}, so it may not be what it says`;
  }
  if (test.reach === "inside") return "the text is not in the command";
  if (!starts) {
    return text.length < head.length
      ? `the command ends before ${
        head.slice(text.length).trim() === ""
          ? "a space and more"
          : quoted(head.slice(text.length).trim())
      }`
      : "the rest of the command is different";
  }
  return `the command starts with ${quoted(startLike(text, head))}`;
}

/** As many words of the command as the pattern's head has, so that the two can be laid side by side. */
function startLike(text: string, head: string): string {
  const words = head.trim().split(/\s+/).length;
  return text.trimStart().split(/\s+/).slice(0, words).join(" ");
}

function firstWord(text: string): string {
  return text.trimStart().split(/[\s;&|<>$()`]/)[0] || text.trimStart().slice(0, 12);
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
  return "it does not name the command, which may run more than one program";
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

function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 57)}…` : text;
  return `\`${short}\``;
}
