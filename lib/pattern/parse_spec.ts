import type { ToolProfile } from "../model/tool_profile.ts";
import { failed, type Parsed, parsed, parseGlob, printGlob } from "./glob.ts";
import { parsePathPattern } from "./path/path_pattern.ts";
import type { FieldTest, Pattern, Specifier, ValueTest } from "./pattern.ts";
import { normalHost, urlParts } from "./url/url_pattern.ts";

const KEY = /^([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)(!?=)/;

/** Reads what a pattern says about the input of one tool. Positions count from the start of the spec. */
export function parseSpecifier(pattern: Pattern, profile: ToolProfile): Parsed<Specifier> {
  const { specifier } = pattern;
  if (specifier === undefined) return parsed({ kind: "any" });
  if (isFieldList(specifier, profile)) return parseFields(specifier, profile);
  const blank = blankAt(specifier);
  if (blank >= 0) {
    return failed(
      blank,
      "a blank at the edge fits next to nothing",
      "take it away, or write \\ before it",
    );
  }
  const test = parseArgument(specifier, { form: pattern.form, profile });
  if (!test.ok) return test;
  return parsed(isAnything(test.value) ? { kind: "any" } : { kind: "argument", test: test.value });
}

/** Where a blank stands at an edge of the spec, not escaped; -1 for nowhere. Inside a `~` glob blanks are meant. */
function blankAt(spec: string): number {
  if (/^\s/.test(spec)) return 0;
  return !spec.startsWith("~") && /(?<!\\)(\\\\)*\s$/.test(spec) ? spec.length - 1 : -1;
}

/** `**` where `*` crosses everything is `*`. */
function isAnything(test: ValueTest): boolean {
  if (test.kind === "path" || test.kind === "domain") return false;
  if (test.kind === "command" && test.anchor === "prefix") return false;
  return test.glob.length === 1 && test.glob[0]!.kind === "star";
}

/** A spec is a field list only when its key is a known field of the tool, or the tool has no first argument. */
function isFieldList(spec: string, profile: ToolProfile): boolean {
  const key = KEY.exec(spec)?.[1];
  if (key === undefined) return false;
  if (profile.firstArg === undefined || profile.firstArg.length === 0) return true;
  return profile.firstArg.includes(key) || profile.fields.includes(key) ||
    profile.fields.includes(key.split(".")[0]!);
}

function parseArgument(
  spec: string,
  { form, profile }: { form: Pattern["form"]; profile: ToolProfile },
): Parsed<ValueTest> {
  if (profile.kind === "command") return parseCommand(spec, form);
  if (profile.kind === "url" && spec.startsWith("domain:")) return parseDomain(spec);
  if (spec.startsWith("~") && profile.kind !== "path") {
    return failed(
      0,
      `"~" is for tools that take a command; ${profile.name} takes none`,
      "write \\~ for the character",
    );
  }
  return parseValue(spec, profile.kind);
}

function parseCommand(spec: string, form: Pattern["form"]): Parsed<ValueTest> {
  const prefix = form === "paren" && /(?<!\\)(\\\\)*:\*$/.test(spec);
  const inside = !prefix && spec.startsWith("~");
  const text = prefix ? spec.slice(0, -2) : inside ? spec.slice(1) : spec;
  if (text === "") {
    return failed(0, prefix ? "nothing before :*" : 'nothing behind "~"', "name the command");
  }
  const glob = parseGlob(text);
  if (!glob.ok) return failed(glob.error.at + (inside ? 1 : 0), glob.error.detail, glob.error.hint);
  return parsed({
    kind: "command",
    anchor: prefix ? "prefix" : inside ? "contains" : "whole",
    glob: glob.value,
  });
}

function parseDomain(spec: string): Parsed<ValueTest> {
  const text = spec.slice("domain:".length);
  const host = /[*?/\\:@\s]/.test(text.replace(/^\[.*\]$/, "")) ? undefined : normalHost(text);
  if (!host) {
    return failed(
      7,
      `"${text}" is no host name`,
      "write domain:example.com; it holds for its subdomains too",
    );
  }
  return parsed({ kind: "domain", host });
}

function parseValue(text: string, kind: ToolProfile["kind"]): Parsed<ValueTest> {
  if (kind === "path") {
    const pattern = parsePathPattern(text);
    return pattern.ok ? parsed({ kind: "path", pattern: pattern.value }) : pattern;
  }
  const glob = parseGlob(text);
  if (!glob.ok) return glob;
  if (kind === "command") return parsed({ kind: "command", anchor: "whole", glob: glob.value });
  if (kind === "text") return parsed({ kind: "text", glob: glob.value });
  const parts = urlParts(printGlob(glob.value));
  return parts.ok ? parsed({ kind: "url", glob: glob.value }) : parts;
}

function parseFields(spec: string, profile: ToolProfile): Parsed<Specifier> {
  const fields: FieldTest[] = [];
  let at = 0;
  for (const part of splitFields(spec)) {
    const found = KEY.exec(part)!;
    const field = parseField(part, { found, profile });
    if (!field.ok) {
      return failed(at + found[0].length + field.error.at, field.error.detail, field.error.hint);
    }
    fields.push(field.value);
    at += part.length + 1;
  }
  return parsed({ kind: "fields", fields });
}

/** Cuts at commas that are followed by a further key; `\,` is a comma. */
function splitFields(spec: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < spec.length; at++) {
    if (spec[at] === "\\") at++;
    else if (spec[at] === "," && KEY.test(spec.slice(at + 1, at + 257))) {
      parts.push(spec.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, spec.slice(start)];
}

function parseField(
  part: string,
  { found, profile }: { found: RegExpExecArray; profile: ToolProfile },
): Parsed<FieldTest> {
  const [head, key, operator] = [found[0], found[1]!, found[2]!];
  const text = part.slice(head.length);
  const first = profile.firstArg?.includes(key) ?? false;
  const test = parseValue(text, first ? profile.kind : kindOfText(text));
  if (!test.ok) return test;
  return parsed({ key, negated: operator === "!=", first, test: test.value });
}

/** In a field that is not the first argument, the glob itself tells what it is about. */
function kindOfText(text: string): ToolProfile["kind"] {
  if (/^(\/|\.\/|~\/)/.test(text)) return "path";
  return /^[A-Za-z*?][A-Za-z0-9+.*?-]*:\/\//.test(text) ? "url" : "text";
}
