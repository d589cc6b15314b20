import {
  COMMAND_CLASSES,
  type CommandClass,
  isCommandClass,
  type ToolProfile,
} from "../model/call.ts";
import { failed, type Parsed, parsed, parseGlob, printGlob } from "./glob.ts";
import { parsePathPattern } from "./path/path_pattern.ts";
import { nearest } from "../text/did_you_mean.ts";
import type { FieldTest, Pattern, Specifier, ValueTest } from "./parse_pattern.ts";
import { normalHost, urlParts } from "./url/url_pattern.ts";

const KEY = /^([A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*)(!?=)/;

/** A specifier as a tool reads it. */
interface Read {
  readonly profile: ToolProfile;
  readonly specifier: Parsed<Specifier>;
}

/** The specifiers of patterns as they were read last: lint, the analysis and the rules of a tool ask for the same ones. */
const lastRead = new WeakMap<Pattern, Read>();

/** Parses the specifier of a pattern for one tool. Offsets count from the start of the specifier. */
export function parseSpecifier(pattern: Pattern, profile: ToolProfile): Parsed<Specifier> {
  const last = lastRead.get(pattern);
  if (last?.profile === profile) return last.specifier;
  const specifier = readSpecifier(pattern, profile);
  lastRead.set(pattern, { profile, specifier });
  return specifier;
}

function readSpecifier(pattern: Pattern, profile: ToolProfile): Parsed<Specifier> {
  const { specifier } = pattern;
  if (specifier === undefined) return parsed({ kind: "any" });
  if (isFieldList(specifier, profile)) return parseFields(specifier, profile);
  const blank = blankAt(specifier);
  if (blank >= 0) {
    return failed(
      blank,
      "white space at the edge matches almost nothing",
      "remove it, or write \\ before it",
    );
  }
  if (profile.kind === "command" && specifier.startsWith("@")) return parseClass(specifier);
  const test = parseArgument(specifier, { form: pattern.form, profile });
  if (!test.ok) return test;
  return parsed(isAnything(test.value) ? { kind: "any" } : { kind: "argument", test: test.value });
}

/** The class that a pattern names: `read` of `Bash(@read)`; undefined for any other pattern. */
export function classOf(pattern: string): CommandClass | undefined {
  const name = /^[^:(]*(?::@([\w-]+)|\(@([\w-]+)\))$/.exec(pattern)?.slice(1).find(Boolean);
  return name !== undefined && isCommandClass(name) ? name : undefined;
}

/** Parses `@class`. */
function parseClass(specifier: string): Parsed<Specifier> {
  const name = specifier.slice(1);
  if (isCommandClass(name)) return parsed({ kind: "class", name });
  const word = /^[\w-]*/.exec(name)![0];
  const escape = "write \\@ for the character";
  if (isCommandClass(word)) {
    return failed(
      1 + word.length,
      `text behind the class @${word}`,
      `${escape}, or @${word} alone`,
    );
  }
  const near = nearest(word, COMMAND_CLASSES);
  const meant = near === undefined ? "" : `did you mean @${near}? `;
  return failed(1, `there is no class "${word}"`, `${meant}${escape}`);
}

/** The offset of an unescaped blank at an edge of the specifier; -1 without one. A `~` glob may end in a blank. */
function blankAt(specifier: string): number {
  if (specifier.trim() === specifier) return -1;
  if (/^\s/.test(specifier)) return 0;
  const endsInBlank = /(?<!\\)(\\\\)*\s$/.test(specifier);
  return endsInBlank && !specifier.startsWith("~") ? specifier.length - 1 : -1;
}

/** True for a test that every value passes. */
function isAnything(test: ValueTest): boolean {
  if (test.kind === "path" || test.kind === "domain") return false;
  if (test.kind === "command" && test.anchor === "prefix") return false;
  return test.glob.length === 1 && test.glob[0]!.kind === "star";
}

/** A specifier is a field list only if its key is a known field of the tool, or the tool has no first argument. */
function isFieldList(specifier: string, profile: ToolProfile): boolean {
  const key = specifier.includes("=") ? KEY.exec(specifier)?.[1] : undefined;
  if (key === undefined) return false;
  if (profile.firstArg === undefined || profile.firstArg.length === 0) return true;
  return profile.firstArg.includes(key) || profile.fields.includes(key) ||
    profile.fields.includes(key.split(".")[0]!);
}

function parseArgument(
  specifier: string,
  { form, profile }: { form: Pattern["form"]; profile: ToolProfile },
): Parsed<ValueTest> {
  if (profile.kind === "command") return parseCommand(specifier, form);
  if (profile.kind === "url" && specifier.startsWith("domain:")) return parseDomain(specifier);
  if (specifier.startsWith("~") && profile.kind !== "path") {
    return failed(
      0,
      `"~" is for tools that take a command; ${profile.name} takes none`,
      "write \\~ for the character",
    );
  }
  return parseValue(specifier, profile.kind);
}

/** True for a specifier that ends in an unescaped `:*`. */
function endsInAny(specifier: string): boolean {
  if (!specifier.endsWith(":*")) return false;
  const colon = specifier.length - 2;
  let start = colon;
  while (specifier[start - 1] === "\\") start--;
  return (colon - start) % 2 === 0;
}

function parseCommand(specifier: string, form: Pattern["form"]): Parsed<ValueTest> {
  const prefix = form === "paren" && endsInAny(specifier);
  const inside = !prefix && specifier.startsWith("~");
  const text = prefix ? specifier.slice(0, -2) : inside ? specifier.slice(1) : specifier;
  if (text === "") {
    return failed(0, prefix ? "nothing before :*" : 'nothing after "~"', "name the command");
  }
  const glob = parseGlob(text);
  if (!glob.ok) return failed(glob.error.at + (inside ? 1 : 0), glob.error.detail, glob.error.hint);
  return parsed({
    kind: "command",
    anchor: prefix ? "prefix" : inside ? "contains" : "whole",
    glob: glob.value,
  });
}

function parseDomain(specifier: string): Parsed<ValueTest> {
  const text = specifier.slice("domain:".length);
  const host = /[*?/\\:@\s]/.test(text.replace(/^\[.*\]$/, "")) ? undefined : normalHost(text);
  if (!host) {
    return failed(
      7,
      `"${text}" is not a host name`,
      "write domain:example.com; it includes its subdomains",
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

function parseFields(specifier: string, profile: ToolProfile): Parsed<Specifier> {
  const fields: FieldTest[] = [];
  let at = 0;
  for (const part of splitFields(specifier)) {
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

/** Splits at commas before a further key; `\,` is a comma. */
function splitFields(specifier: string): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < specifier.length; at++) {
    if (specifier[at] === "\\") at++;
    else if (specifier[at] === "," && KEY.test(specifier.slice(at + 1, at + 257))) {
      parts.push(specifier.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, specifier.slice(start)];
}

function parseField(
  part: string,
  { found, profile }: { found: RegExpExecArray; profile: ToolProfile },
): Parsed<FieldTest> {
  const [head, key, operator] = [found[0], found[1]!, found[2]!];
  const text = part.slice(head.length);
  const isArgument = profile.firstArg?.includes(key) ?? false;
  const test = parseValue(text, isArgument ? profile.kind : kindOfText(text));
  if (!test.ok) return test;
  return parsed({ key, negated: operator === "!=", isArgument, test: test.value });
}

/** The kind of a field other than the first argument, by the beginning of its glob. */
function kindOfText(text: string): ToolProfile["kind"] {
  if (/^(\/|\.\/|~\/)/.test(text)) return "path";
  return /^[A-Za-z*?][A-Za-z0-9+.*?-]*:\/\//.test(text) ? "url" : "text";
}
