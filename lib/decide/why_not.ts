import type { FieldTest, Specifier, ValueTest } from "../pattern/pattern.ts";
import { printGlob } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import type { PathPattern } from "../pattern/path/path_pattern.ts";
import { partMatcher } from "../policy/compile/rule_matcher.ts";
import type { ToolRule } from "../policy/compile/rule_table.ts";
import type { FieldText, Request } from "../policy/compile/facts.ts";
import { quoted } from "../text/quoted.ts";
import { whyNotCommand } from "./why_not_command.ts";

/** Why a rule does not fit a call of its tool, or cannot be evaluated; no final full stop. */
export function whyNot(toolRule: ToolRule, request: Request): string {
  const { specifier, readAs } = toolRule;
  if (!readAs) return `it is about ${quoted(printGlob(toolRule.rule.parsed.tool))}`;
  if (!specifier) return `its spec says nothing about ${request.profile.name}`;
  const other = whyNotOther(toolRule, request);
  if (other !== undefined) return other;
  switch (specifier.kind) {
    case "any":
      return "it has no spec, and beside a command that has a rule this one needs none";
    case "argument":
      return whyNotFirst(specifier.test, { toolRule, request });
    case "fields":
      return whyNotFields(specifier, { toolRule, request });
  }
}

/** Why, where a file that a command line opens is judged by the rules of the shell tool, or the other way round. */
function whyNotOther(
  { rule, specifier }: ToolRule,
  { part, profile }: Request,
): string | undefined {
  const isOwn = matchGlob(rule.parsed.tool, profile.name);
  if (part?.effect.unknownFileAccess !== undefined && !isOwn) {
    return `which file ${quoted(part.effect.text)} opens is not fixed`;
  }
  const isOfShell = specifier?.kind === "argument" && specifier.test.kind === "command";
  if (profile.kind !== "command" && (isOfShell || rule.action === "allow" && !isOwn)) {
    return "it does not name what opens the file";
  }
  return undefined;
}

interface Question {
  readonly toolRule: ToolRule;
  readonly request: Request;
}

function whyNotFirst(test: ValueTest, { toolRule, request }: Question): string {
  const { first, profile } = request;
  if (profile.searches && test.kind === "path") return whyNotSearch(request);
  const state = whyNoText(first, profile.name);
  return first.state === "text"
    ? whyNotValue(test, { toolRule, request, text: first.text })
    : state;
}

/** What a search looks through: its folder, or why that is not known. */
function whyNotSearch(request: Request): string {
  const { path = "path", glob } = request.profile.searches ?? {};
  const odd = [path, ...(glob === undefined ? [] : [glob])].map((key) => request.field(key))
    .find(({ state }) => state === "unknown");
  if (odd?.state === "unknown") return odd.detail;
  const folder = request.field(path);
  const text = folder.state === "text" ? folder.text : ".";
  return whyNotPath(request, { text, noun: "the folder that is searched" });
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
  const { request, text } = question;
  switch (test.kind) {
    case "text":
      return `the value is ${quoted(text)}`;
    case "command":
      return whyNotCommand(test, { action: question.toolRule.rule.action, request, text });
    case "path":
      return whyOpenPath(test.pattern, question) ??
        whyNotPath(request, { text, noun: "the path" });
    case "url":
    case "domain": {
      const url = request.url(text);
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
  { toolRule, request, text }: Question & { text: string },
): string | undefined {
  if (!request.path(text).ok || toolRule.matches(request) !== "indeterminate") return undefined;
  return base === "home" && toolRule.readAs?.context.home.length === 0
    ? "where the home folder is, is not known"
    : `which files ${quoted(text)} names is not fixed`;
}

function whyNotPath(request: Request, { text, noun }: { text: string; noun: string }): string {
  const path = request.path(text);
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

function whyNotFields(
  spec: Extract<Specifier, { kind: "fields" }>,
  { toolRule, request }: Question,
): string {
  for (const field of spec.fields) {
    const why = whyNotField(field, { toolRule, request });
    if (why !== undefined) return why;
  }
  return request.part?.line.units.length === 1
    ? "it does not name the command, and what that does cannot be known"
    : "it does not name the command, and the line does more than run one";
}

function whyNotField(
  field: FieldTest,
  { toolRule, request }: Question,
): string | undefined {
  const value = field.first ? request.first : request.field(field.key);
  const semantics = toolRule.rule.action === "allow" ? "must" : "may";
  const { profile } = request;
  const match = partMatcher(field, { reading: { semantics, ...toolRule.readAs! }, profile })(
    request,
  );
  if (match === "yes") return undefined;
  if (field.first && profile.searches && field.test.kind === "path") {
    return whyNotSearch(request);
  }
  if (value.state === "unknown") return value.detail;
  if (value.state !== "text") return `${field.key}: ${whyNoText(value, request.profile.name)}`;
  return `${field.key} is ${quoted(value.text)}`;
}
