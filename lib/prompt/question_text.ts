import { ownText } from "../audit/own_text.ts";
import { placeNote } from "../gate/place_note.ts";
import { ACTIONS, COMMAND_CLASSES, type Json } from "../model/call.ts";
import { CLASS_PHRASES } from "../model/class_phrases.ts";
import type { AskAnswer, AskKind, AskQuestion, CallFile, UnitDecision } from "../model/verdict.ts";
import type { Color } from "../report/color.ts";
import { painted } from "../report/decision_text.ts";
import { cut } from "../text/call_text.ts";
import { wrapped } from "../report/layout.ts";
import { type Folders, placeText } from "../report/place_text.ts";
import { textWidth, visible } from "../text/visible.ts";

/** The options of `questionLines`. */
export interface QuestionTextOptions {
  /** The style. */
  readonly color: Color;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** The terminal's width. */
  readonly columns: number;
}

/** The number of lines of a text that are shown; of a longer one, the beginning and the end. */
const LINES = 12;

/** The number of units that are shown; allowed units are omitted first. */
const UNITS = 40;

/** The number of files behind links or outside of the workspace that are shown; those outside first. */
const FILES = 4;

/** The number of characters of a path that are shown; of a longer one, the beginning and the end. */
const PATH = 80;

const INDENT = "  ";

/** The prefix of every line that an agent wrote, so that none can pass for one of ours. */
const BAR = "│ ";

/**
 * A question in lines: the tool, its folder and the workspace, the call itself and the rest of its input, the files that are
 * not simply what is written, then each unit with its rule, and why it is asked. Nothing is hidden in it, and no line is
 * wider than the terminal.
 */
export function questionLines(
  question: AskQuestion,
  options: QuestionTextOptions,
): readonly string[] {
  const { call, decision } = question;
  const { color } = options;
  const title = `May ${call.tool} do this${folderText(question)}?`;
  return [
    ...paragraph(title, { ...options, indent: "" }).map(color.bold),
    ...inputLines(question, options),
    ...fileLines(question, options),
    ...unitLines(decision.units, options),
    ...classLines(decision.units, options),
    ...reasonLines(question, options),
  ];
}

/** An answer in one line. */
export function answerText(answer: AskAnswer, { tool }: { readonly tool: string }): string {
  const { patterns = [], scope } = answer;
  const rules = patterns.length === 0 ? "" : `: ${patterns.join(", ")}`;
  const kept = scope === undefined ? "" : scope === "session" ? " (this session)" : ` (${scope})`;
  return visible(`${tool} is ${DONE[answer.kind]}${rules}${kept}`);
}

const DONE: Readonly<Record<AskKind, string>> = {
  "allow-once": "allowed once",
  "allow-always": "allowed from now on",
  "deny-once": "denied",
  "deny-always": "denied from now on",
};

/** The folder that the call runs in and the workspace, as the end of the title. */
function folderText({ call, places }: AskQuestion): string {
  if (places === undefined) return call.cwd === undefined ? "" : ` in ${call.cwd}`;
  const { folder, workspace } = places;
  const shown = shortPath(workspace);
  if (folder.text === workspace && folder.real === undefined) return ` in the workspace ${shown}`;
  const link = folder.real === undefined
    ? folder.isUnknown ? ", whose links cannot be followed" : ""
    : `, which leads to ${shortPath(folder.real)}`;
  const where = folder.isOutside ? ", outside of the workspace" : ", in the workspace";
  return ` in ${shortPath(folder.text)}${link}${where} ${shown}`;
}

/** The files that links lead elsewhere, and those outside of the workspace. */
function fileLines(
  { places }: AskQuestion,
  options: QuestionTextOptions,
): readonly string[] {
  const { files = [] } = places ?? {};
  const sorted = [...files.filter(isOutside), ...files.filter((file) => !isOutside(file))];
  const notes = sorted.slice(0, FILES).map((file) => {
    const note = placeNote(file, (path) => `\`${shortPath(path)}\``);
    return `file \`${shortPath(file.text)}\` ${note}`;
  });
  const more = sorted.length - FILES;
  const rest = more > 0 ? [`and ${more} more files behind links or outside of the workspace`] : [];
  return [...notes, ...rest].flatMap((text) => {
    const [first = "", ...others] = paragraph(text, { ...options, indent: `${INDENT}  ` });
    return [INDENT + first.trimStart(), ...others].map(options.color.yellow);
  });
}

function isOutside({ isOutside }: CallFile): boolean {
  return isOutside === true;
}

/** A path with its beginning and its end. */
function shortPath(path: string): string {
  if (path.length <= PATH) return path;
  return `${path.slice(0, PATH / 2).toWellFormed()}…${path.slice(-PATH / 2).toWellFormed()}`;
}

/** The call's own text, then the other members of its input by name. */
function inputLines({ call }: AskQuestion, options: QuestionTextOptions): readonly string[] {
  const own = ownText(call);
  const others = Object.entries(call.input).filter(([name]) => name !== own?.field);
  return [
    ...(own === undefined ? [] : block(own.text, options)),
    ...others.flatMap(([name, value]) => block(`${name}: ${memberText(value)}`, options)),
  ];
}

function memberText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The units, strictest first: what a person is asked about never hides behind what is allowed anyway. */
function unitLines(
  units: readonly UnitDecision[],
  options: QuestionTextOptions,
): readonly string[] {
  const { color } = options;
  const sorted = ACTIONS.flatMap((action) => units.filter((unit) => unit.decision === action));
  const shown = sorted.slice(0, UNITS);
  const more = sorted.length - shown.length;
  return [
    ...(units.length > 1 ? ["", color.dim(`${INDENT}${units.length} parts:`)] : [""]),
    ...shown.flatMap((unit) => unitLine(unit, { options, isAlone: units.length === 1 })),
    ...(more > 0 ? [color.yellow(`${INDENT}and ${more} more not shown`)] : []),
  ];
}

/** The classes of what asks, each once, in words. */
function classLines(
  units: readonly UnitDecision[],
  options: QuestionTextOptions,
): readonly string[] {
  const asked = units.filter(({ decision }) => decision === "ask");
  const names = new Set(asked.flatMap(({ classes }) => classes));
  if (names.size === 0) return [];
  const shown = COMMAND_CLASSES.filter((name) => names.has(name)).map((name) =>
    name === "unknown" ? "@unknown" : `@${name} ${CLASS_PHRASES[name].does}`
  );
  return paragraph(`classes: ${shown.join(", ")}`, { ...options, indent: INDENT });
}

function unitLine(
  unit: UnitDecision,
  { options, isAlone }: { readonly options: QuestionTextOptions; readonly isAlone: boolean },
): readonly string[] {
  const { color, folders } = options;
  const { rule } = unit;
  const text = isAlone ? [] : block(kindOf(unit) + unit.text, options);
  const ruleText = rule === null
    ? "no rule matches"
    : `${visible(rule.pattern)}, ${placeText(rule.source, folders)}`;
  const pad = " ".repeat(6 - unit.decision.length);
  const [first = "", ...rest] = paragraph(ruleText, { ...options, indent: `${INDENT}      ` });
  const comment = isAlone ? undefined : shownComment(unit);
  return [
    ...text,
    `${INDENT}${painted(unit.decision, color)}${pad}${first.trimStart()}`,
    ...rest,
    ...(comment === undefined
      ? []
      : paragraph(`comment: ${comment}`, { ...options, indent: `${INDENT}      ` })),
  ];
}

/** The comment of a unit's rule, which stands below a unit among others; what is allowed needs none. */
function shownComment({ decision, rule }: UnitDecision): string | undefined {
  return decision === "allow" ? undefined : rule?.comment;
}

function kindOf({ kind }: UnitDecision): string {
  switch (kind) {
    case "call":
    case "command":
      return "";
    case "opaque":
      return "cannot be analysed: ";
    case "read":
      return "reads ";
    case "write":
      return "writes ";
    case "url":
      return "opens ";
  }
}

function reasonLines(question: AskQuestion, options: QuestionTextOptions): readonly string[] {
  const { decision, reason, comment = decision.verdict.rule?.comment } = question;
  const { units } = decision;
  const isShown = units.length > 1 && units.some((unit) => shownComment(unit) === comment);
  const reasons = [
    ...(reason === undefined ? [] : [`because: ${reason}`]),
    ...(reason === undefined && decision.verdict.by === "safety"
      ? [`because: ${decision.verdict.reason}`]
      : []),
    ...(comment === undefined || isShown ? [] : [`comment: ${comment}`]),
    ...decision.warnings.map((warning) => `warning: ${warning}`),
  ];
  // Indented further from the second line on, so that no part of it passes for a line of its own.
  return reasons.flatMap((text) => {
    const [first = "", ...rest] = paragraph(text, { ...options, indent: `${INDENT}  ` });
    return [INDENT + first.trimStart(), ...rest];
  });
}

/** A text of several lines; of a long one, the beginning, a note that it is cut, and the end. */
function block(text: string, options: QuestionTextOptions): readonly string[] {
  const room = options.columns - BAR.length - 1;
  // Text far beyond the window need not be broken into lines.
  const most = room * LINES * 4;
  const near = text.length <= most ? text : `${text.slice(0, most / 2)}${text.slice(-most / 2)}`;
  const lines = near.split("\n").flatMap((line) => chopped(visible(line), room));
  const shown = lines.length <= LINES && near === text
    ? lines
    : [...lines.slice(0, LINES - 4), undefined, ...lines.slice(-3)];
  return shown.map((line) =>
    line === undefined
      ? options.color.yellow(
        cut(`${BAR}… (not all of ${text.length} characters are shown)`, room),
      )
      : BAR + line
  );
}

/** A line in pieces of that many columns at most. */
function chopped(line: string, columns: number): readonly string[] {
  const pieces = [""];
  let width = 0;
  for (const character of line) {
    width += textWidth(character);
    if (width > columns) {
      pieces.push("");
      width = textWidth(character);
    }
    pieces[pieces.length - 1] += character;
  }
  return pieces;
}

/** A sentence broken at its blanks, and where a word is too long for that, in it. */
function paragraph(
  text: string,
  { columns, indent }: QuestionTextOptions & { readonly indent: string },
): readonly string[] {
  const room = columns - indent.length - 1;
  return wrapped(visible(text), room).flatMap((line) => chopped(line, room))
    .map((line) => indent + line);
}
