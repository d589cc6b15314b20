import type { ToolProfile } from "../../model/call.ts";
import type { ToolProfiles } from "./profiles.ts";

/** The longest text that is looked at, in UTF-16 code units. */
const LONGEST = 1_000;

/** The most tools whose form is kept; a policy may name any number. */
const MAX_TOOLS = 256;

/** A name of tools, with wildcards in any place. */
const TOOLS = /^[\w*][\w*-]*$/;

const TOOL = /^[A-Za-z_][\w-]*$/;

/** The tools of a pattern as it has them, which may be no name. */
export function writtenTool(pattern: string): string {
  return pattern.slice(0, endOfTool(pattern));
}

/** True for the tools of a pattern that names one plainly; false for wildcards, escapes or anything else. */
export function isPlainTool(written: string): boolean {
  return TOOL.test(written);
}

/**
 * True for a pattern that certainly has no error and no warning with any action: one look at its text, where parsing it takes
 * twenty times as long. False for every other, and for some sound ones.
 *
 * INVARIANT: a pattern that is sound here passes `checkPattern`, and is parsed only when a call may need it. A law holds that.
 */
export function soundPatterns(profiles: ToolProfiles): (pattern: string) => boolean {
  const forms = new Map<string, RegExp | undefined>();
  const formOf = (tool: string) => {
    if (forms.has(tool)) return forms.get(tool);
    const form = TOOL.test(tool) ? formFor(tool, profiles) : undefined;
    if (forms.size < MAX_TOOLS) forms.set(tool, form);
    return form;
  };
  return (pattern) => {
    if (pattern.length > LONGEST) return false;
    const cut = endOfTool(pattern);
    if (cut === pattern.length) return TOOLS.test(pattern);
    const isParen = pattern.charCodeAt(cut) === PAREN;
    if (isParen && !pattern.endsWith(")")) return false;
    const form = formOf(pattern.slice(0, cut));
    return form?.test(pattern.slice(cut + 1, isParen ? -1 : undefined)) ?? false;
  };
}

const PAREN = 40;
const COLON = 58;

/** The offset of the first colon or parenthesis, or the end of the text. */
function endOfTool(pattern: string): number {
  // A loop over the characters of every pattern is compiled to machine code at each start.
  const colon = pattern.indexOf(":");
  const paren = pattern.indexOf("(");
  if (colon < 0) return paren < 0 ? pattern.length : paren;
  return paren < 0 || colon < paren ? colon : paren;
}

/** Printable ASCII without `=`, which may make a field list, and the backslash; it begins like a word and ends without a blank. */
const COMMAND = /^[\w./](?:[ -<>-[\]-~]*[!-<>-[\]-~])?$/;

/** Segments between single slashes, none of them `.` or `..`. */
const PATH =
  /^(?:\/|~\/|\.\/)?(?!\.{1,2}(?:\/|$))[\w.*@+%-]+(?:\/(?!\.{1,2}(?:\/|$))[\w.*@+%-]+)*$/;

/** A host that the platform does not change: its last label begins with a letter, and none is punycode. */
const HOST = String.raw`(?:(?!xn--)[a-z0-9_-]+\.)*(?!xn--)[a-z][a-z0-9_-]*`;

const URL = new RegExp(String.raw`^(?:domain:${HOST}|https?:\/\/${HOST}(?:\/[\w.*\/~%+-]*)?)$`);

/** One field of an undescribed tool, with a text that is no path and no URL. */
const FIELD = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*!?=[A-Za-z0-9*][\w.*-]*$/;

/**
 * The literal text with which the commands of a rule begin, for a pattern that names the tool and has a sound specifier; undefined for
 * any other. Such a specifier is that of one command glob.
 */
export function plainHead(
  pattern: string,
  { name, kind, firstArg }: Pick<ToolProfile, "name" | "kind" | "firstArg">,
): string | undefined {
  const cut = name.length;
  const mark = pattern.charCodeAt(cut);
  if (kind !== "command" || firstArg === undefined || firstArg.length === 0) return undefined;
  if (mark !== COLON && mark !== PAREN || pattern.length > LONGEST) return undefined;
  if (!pattern.startsWith(name) || !TOOL.test(name)) return undefined;
  const isParen = mark === PAREN;
  if (isParen && !pattern.endsWith(")")) return undefined;
  const specifier = pattern.slice(cut + 1, isParen ? -1 : undefined);
  if (!COMMAND.test(specifier)) return undefined;
  const text = isParen && specifier.endsWith(":*") ? specifier.slice(0, -2) : specifier;
  const open = text.search(/[*?]/);
  return open < 0 ? text : text.slice(0, open);
}

/** The form of a sound specifier for a tool. */
function formFor(tool: string, profiles: ToolProfiles): RegExp | undefined {
  if (!profiles.has(tool)) return FIELD;
  const { kind, firstArg = [] }: ToolProfile = profiles.get(tool);
  if (firstArg.length === 0) return undefined;
  switch (kind) {
    case "command":
      return COMMAND;
    case "path":
      return PATH;
    case "url":
      return URL;
    case "text":
      return undefined;
  }
}
