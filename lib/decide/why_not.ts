import { shownGlob } from "../pattern/path/shell_glob.ts";
import type { Action } from "../model/call.ts";
import { literalHead, matchGlob, printGlob } from "../pattern/glob.ts";
import type { FieldTest, Specifier, ValueTest } from "../pattern/parse_pattern.ts";
import { mayPathMatcher } from "../pattern/path/match_path.ts";
import type { PathPattern } from "../pattern/path/path_pattern.ts";
import { commandGlobs, type CommandTest } from "../policy/compile/command_matcher.ts";
import type { FieldText } from "../policy/compile/input_fields.ts";
import type { Request } from "../policy/compile/request.ts";
import { partMatcher } from "../policy/compile/rule_matcher.ts";
import type { ToolRule } from "../policy/compile/compiled_policy.ts";
import type { Effect } from "../shell/effect.ts";
import { firstOpen, shownShape } from "../shell/parse/tree.ts";
import { scanCommand } from "../shell/scan_command.ts";
import { inBackticks } from "../text/quote.ts";
import { whyNotClass } from "./classes/class_search.ts";

/** Why a rule does not fit a call of its tool, or cannot be evaluated; no final full stop. */
export function whyNot(toolRule: ToolRule, request: Request): string {
  const { specifier, readAs } = toolRule;
  if (!readAs) return `it is for ${inBackticks(printGlob(toolRule.rule.parsed.tool))}`;
  if (!specifier) return `its specifier does not apply to ${request.profile.name}`;
  const other = whyNotOther(toolRule, request);
  if (other !== undefined) return other;
  switch (specifier.kind) {
    case "any":
      return "it has no specifier, and a harmless command needs no rule of its own next to an allowed one";
    case "class":
      return whyNotClass(specifier.name, { action: toolRule.rule.action, request });
    case "argument":
      return whyNotFirst(specifier.test, { toolRule, request });
    case "fields":
      return whyNotFields(specifier, { toolRule, request });
  }
}

/** The reason for a file that a command line opens and a rule of the shell tool, or the other way round; else undefined. */
function whyNotOther(
  { rule, specifier }: ToolRule,
  { part, profile }: Request,
): string | undefined {
  const isOwn = matchGlob(rule.parsed.tool, profile.name);
  if (part?.effect.unknownFileAccess !== undefined && !isOwn) {
    return `the file that ${inBackticks(part.effect.text)} opens is not fixed`;
  }
  const isOfShell = specifier?.kind === "argument" && specifier.test.kind === "command";
  if (profile.kind !== "command" && (isOfShell || rule.action === "allow" && !isOwn)) {
    return "it does not name the command that opens the file";
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

/** The folder that a search looks through, or why it is unknown. */
function whyNotSearch(request: Request): string {
  const { path = "path", glob } = request.profile.searches ?? {};
  const unknown = [path, ...(glob === undefined ? [] : [glob])].map((key) => request.field(key))
    .find(({ state }) => state === "unknown");
  if (unknown?.state === "unknown") return unknown.detail;
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
      return `the value is ${inBackticks(text)}`;
    case "command":
      return whyNotCommand(test, { action: question.toolRule.rule.action, request, text });
    case "path":
      return whyOpenPath(test.pattern, question) ??
        whyNotPath(request, { text, noun: "the path" });
    case "url":
    case "domain": {
      const url = request.url(text);
      if (!url.ok) return `the URL is malformed: ${url.detail}`;
      if (question.toolRule.matches(request) === "indeterminate") {
        return `it matches only one spelling of ${inBackticks(url.raw)}`;
      }
      return test.kind === "domain"
        ? `the host is ${inBackticks(url.host)}`
        : `the URL is ${inBackticks(url.href)}`;
    }
  }
}

/** Why a path that is well-formed can all the same not be compared; undefined where it can. */
function whyOpenPath(
  pattern: PathPattern,
  { toolRule, request, text }: Question & { text: string },
): string | undefined {
  const path = request.path(text);
  if (!path.ok || toolRule.matches(request) !== "indeterminate") return undefined;
  const context = toolRule.readAs?.context;
  if (context && mayPathMatcher(pattern, context)(path) === "yes") {
    return `it matches only one of ${inBackticks(text)} and ${
      inBackticks(`/${path.forms.at(-1)!.root}`)
    }, where that leads`;
  }
  return pattern.base === "home" && toolRule.readAs?.context.home.length === 0
    ? "the home folder is unknown"
    : `the files that ${inBackticks(shownGlob(text))} names are not fixed`;
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
  return `${noun} is ${inBackticks(shown)}${real}${outside}`;
}

function whyNotFields(
  specifier: Extract<Specifier, { kind: "fields" }>,
  { toolRule, request }: Question,
): string {
  for (const field of specifier.fields) {
    const why = whyNotField(field, { toolRule, request });
    if (why !== undefined) return why;
  }
  return request.part?.line.effects.length === 1
    ? "it does not name the command, which cannot be analysed"
    : "it does not name the command, and the line does more than run one";
}

function whyNotField(
  field: FieldTest,
  { toolRule, request }: Question,
): string | undefined {
  const value = field.isArgument ? request.first : request.field(field.key);
  const { action } = toolRule.rule;
  const semantics = action === "allow" ? "must" : "may";
  const { profile } = request;
  const reading = { semantics, asks: action === "ask", ...toolRule.readAs! } as const;
  const match = partMatcher(field, { reading, profile })(request);
  if (match === "yes") return undefined;
  if (field.isArgument && profile.searches && field.test.kind === "path") {
    return whyNotSearch(request);
  }
  if (value.state === "unknown") return value.detail;
  if (value.state !== "text") return `${field.key}: ${whyNoText(value, request.profile.name)}`;
  return `${field.key} is ${inBackticks(value.text)}`;
}

interface CommandQuestion {
  readonly action: Action;
  readonly request: Request;
  readonly text: string;
}

/** Why a command glob does not fit a command line or one unit of it, or cannot be evaluated for it. */
function whyNotCommand(
  test: CommandTest,
  { action, request, text }: CommandQuestion,
): string {
  const { part, profile } = request;
  if (!part) {
    if (profile.shell === "other") return whyNotForeign(test, { action, text });
    return differs(test, text);
  }
  const { effect } = part;
  if (action === "allow") return notCovered(test, effect);
  if (effect.kind === "opaque") {
    return `${inBackticks(effect.text)} cannot be analysed: ${effect.why}`;
  }
  const open = effect.denyTexts.find(({ text: written, template }) => written !== template);
  const head = literalHead(test.glob);
  const fixed = open?.template.slice(0, firstOpen(open.template));
  if (fixed !== undefined && test.anchor !== "contains" && head !== "") {
    if (head.startsWith(fixed) || fixed.startsWith(head.trimEnd())) {
      return `the text after ${inBackticks(fixed.trimEnd())} is not fixed`;
    }
  }
  return differs(test, nearestText(effect, head));
}

/** The spelling of a unit that the rule's beginning is nearest to. */
function nearestText(effect: Effect, head: string): string {
  const texts = effect.denyTexts.map(({ text }) => text);
  return texts.find((text) => text.startsWith(head.split(" ")[0] ?? head)) ?? texts.at(-1) ??
    effect.text;
}

/** Why an allow rule that may fit the text does not cover the unit. */
function notCovered(test: CommandTest, effect: Effect): string {
  const globs = commandGlobs(test);
  const near = effect.allowTexts.find(({ text }) => globs.some((glob) => matchGlob(glob, text)));
  if (effect.allowTexts.length === 0 && effect.kind === "opaque") {
    return `${inBackticks(effect.text)} cannot be analysed: ${effect.why}`;
  }
  if (effect.allowTexts.length === 0) {
    return `${
      inBackticks(effect.name ?? effect.text)
    } is a relative path, and the line changes the folder before it`;
  }
  if (!near) return differs(test, shownShape(effect.allowTexts[0]!.text));
  if (effect.kind === "opaque") {
    return `${inBackticks(effect.text)} does what the rule does not name: ${effect.why}`;
  }
  if (near.redirect !== undefined) {
    return `it does not name the redirection ${inBackticks(near.redirect)}`;
  }
  if (literalHead(test.glob).length > near.maxLiteral) {
    return "a word of the command contains white space, which the rule does not show";
  }
  if (effect.depth > 0 && effect.via !== null) {
    return `${inBackticks(effect.text)} is run by ${
      inBackticks(effect.via)
    }, which the rule does not name`;
  }
  return `it does not name ${
    inBackticks(near.text.slice(0, Math.min(near.minLiteral, 200)).trimEnd())
  }`;
}

/** The first difference between the text and the glob. */
function differs({ glob, anchor }: CommandTest, text: string): string {
  if (anchor === "contains") return "the text is not in the command";
  const head = literalHead(glob);
  if (head === "" || text.startsWith(head.trimEnd())) {
    return text.length < head.length
      ? `the command ends before ${
        head.slice(text.length).trim() === ""
          ? "a space and more"
          : inBackticks(head.slice(text.length).trim())
      }`
      : "the rest of the command is different";
  }
  return `the command starts with ${inBackticks(startLike(text, head))}`;
}

/** As many words of the command as the pattern's head has, so that the two can be laid side by side. */
function startLike(text: string, head: string): string {
  const words = head.trim().split(/\s+/).length;
  return text.trimStart().split(/\s+/).slice(0, words).join(" ");
}

function whyNotForeign(
  test: CommandTest,
  { action, text }: { action: Action; text: string },
): string {
  if (action === "allow") {
    return "lines of this shell are not parsed, so only the exact line matches";
  }
  const look = scanCommand(text);
  if (look.kind === "compound") {
    return `the command has ${look.because}, so it may run more than it shows`;
  }
  if (look.kind === "quoted") {
    return `the command has ${look.because}, so it may not be what it seems`;
  }
  return differs(test, text);
}
