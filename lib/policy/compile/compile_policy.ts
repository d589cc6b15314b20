import { type FileProblem, inOrder, type Located, type Span } from "../../model/problem.ts";
import type { MergedSources, PlacedRule } from "../../model/rule.ts";
import type { ToolProfile } from "../../model/call.ts";
import {
  type Glob,
  literalHead,
  matchGlob,
  type PatternError,
  printGlob,
} from "../../pattern/glob.ts";
import { namedTool, parsePattern, type Pattern } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_specifier.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { CompiledPolicy, type CompiledRule } from "./compiled_policy.ts";
import { type ToolProfiles, toolProfiles } from "./profiles.ts";
import { soundPatterns } from "./sound_pattern.ts";

/** The surroundings that a policy is compiled for. */
export interface CompileOptions {
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  /** The absolute path of the folder of calls that name none. */
  readonly cwd: string;
}

/** A policy, or everything that is wrong in its rules. */
export interface Compiled {
  /** The policy; absent when a problem is an error. */
  readonly policy?: CompiledPolicy;
  /** Every problem of the sources and of the patterns, in the order of the sources. */
  readonly problems: readonly FileProblem[];
}

/** Compiles merged sources. Never throws; with an error among the problems there is no policy. */
export function compilePolicy(merged: MergedSources, options: CompileOptions): Compiled {
  const profiles = toolProfiles(merged.tools);
  const { rules, problems } = checkedRules(merged, profiles);
  if (problems.some((problem) => problem.severity === "error")) {
    return { problems: inOrder(problems, merged.entries.map(({ path }) => path)) };
  }
  // The patterns of rules that do not count were checked with the files.
  const recompile = (other: MergedSources) =>
    compilePolicy({ ...other, uncounted: [] }, options).policy;
  return {
    policy: new CompiledPolicy({ rules, merged, profiles, recompile, ...options }),
    problems,
  };
}

/** The rules that count, and the problems of all sources and patterns. */
interface CheckedRules {
  readonly rules: readonly CompiledRule[];
  readonly problems: readonly FileProblem[];
}

/** Checks each pattern, also of rules that do not count; the tables of a file that is not trusted tell what its patterns mean. */
function checkedRules(merged: MergedSources, profiles: ToolProfiles): CheckedRules {
  const { writtenTools, uncounted = [] } = merged;
  const written = writtenTools ? toolProfiles(writtenTools) : profiles;
  const [isSound, isSoundWritten] = [soundPatterns(profiles), soundPatterns(written)];
  // A test checks the built-in patterns for the tools that caliban knows.
  const isTested = merged.tools.size === 0;
  // Most patterns are sound by their look, and are parsed only for a call that they may concern.
  const check = ({ pattern, action, untrusted, source }: PlacedRule) =>
    isTested && source.kind === "builtin" || (untrusted ? isSoundWritten : isSound)(pattern.value)
      ? undefined
      : checkPattern(pattern.value, { action, profiles: untrusted ? written : profiles });
  const problems: FileProblem[] = [...merged.problems, ...brokenFiles(merged, profiles)];
  const rules: CompiledRule[] = [];
  for (const placed of merged.rules) {
    const checked = check(placed);
    if (checked?.error) problems.push(problemOf(placed, checked.error));
    else rules.push(compiledRule(placed, { index: rules.length, parsed: checked?.pattern }));
    if (checked?.warning !== undefined) problems.push(warningOf(placed, checked.warning));
  }
  for (const placed of uncounted) {
    const error = check(placed)?.error;
    if (error) problems.push(problemOf(placed, error));
  }
  return { rules, problems };
}

/** The pattern errors of files that have other errors too, so that one run reports all; their rules never count. */
function brokenFiles(merged: MergedSources, profiles: ToolProfiles): readonly FileProblem[] {
  return merged.entries.flatMap(({ kind, path, text = "", file }) => {
    if (!file?.problems.some(({ severity }) => severity === "error")) return [];
    // The tools of such a file are unknown: if it has any, only errors for every tool are reported.
    const known = file.tools.size === 0 ? profiles : undefined;
    return file.rules.flatMap((rule) => {
      const { line, column } = rule.span;
      const placed: PlacedRule = { ...rule, source: { kind, path, line, column }, text };
      const { value } = rule.pattern;
      const read = parsePattern(value);
      const error = known
        ? checkPattern(value, { action: rule.action, profiles: known }).error
        : read.ok
        ? undefined
        : read.error;
      return error ? [problemOf(placed, error)] : [];
    });
  });
}

/** A parsed pattern, or its error. */
export type CheckedPattern =
  | { readonly pattern: Pattern; readonly error?: never; readonly warning?: string }
  | { readonly error: PatternError; readonly warning?: never };

/** Reads a pattern and checks that some call can fit it. */
export function checkPattern(
  text: string,
  options: { readonly action: PlacedRule["action"]; readonly profiles: ToolProfiles },
): CheckedPattern {
  const pattern = parsePattern(text);
  if (!pattern.ok) return { error: pattern.error };
  if (pattern.value.specifier === undefined) return { pattern: pattern.value };
  const { error, warning } = checkSpecifier(pattern.value, options);
  if (error) {
    const at = text.length - pattern.value.specifier.length -
      (pattern.value.form === "paren" ? 1 : 0);
    return { error: { ...error, at: at + error.at } };
  }
  return { pattern: pattern.value, ...(warning === undefined ? {} : { warning }) };
}

interface SpecifierFaults {
  readonly error?: PatternError;
  readonly warning?: string;
}

type CheckOptions = Parameters<typeof checkPattern>[1];

function checkSpecifier(pattern: Pattern, { action, profiles }: CheckOptions): SpecifierFaults {
  const name = namedTool(pattern);
  if (name !== undefined) return checkFor(profiles.get(name), { pattern, action, profiles });
  // A glob over tools is wrong only when it is wrong for every one of them.
  const fitting = profiles.known.filter((profile) => matchGlob(pattern.tool, profile.name));
  let error: PatternError | undefined;
  for (const profile of [...fitting, profiles.get(printGlob(pattern.tool))]) {
    const checked = checkFor(profile, { pattern, action, profiles });
    if (!checked.error) return {};
    error ??= checked.error;
  }
  return error ? { error } : {};
}

function checkFor(
  profile: ToolProfile,
  { pattern, action, profiles }: CheckOptions & { readonly pattern: Pattern },
): SpecifierFaults {
  const specifier = parseSpecifier(pattern, profile);
  if (!specifier.ok) return { error: specifier.error };
  if (
    specifier.value.kind === "class" && specifier.value.name === "unknown" && action === "allow"
  ) {
    const detail = "an allow of unknown commands allows everything";
    return { error: { at: 0, detail, hint: `write ${profile.name} alone, if that is meant` } };
  }
  if (specifier.value.kind !== "argument") return {};
  const { test } = specifier.value;
  const error = test.kind === "url" ? urlNeverFits(test.glob, action) : undefined;
  if (error) return { error };
  const isPath = test.kind === "path";
  const warning = warningFor(profile, { specifier: pattern.specifier ?? "", isPath, profiles });
  return warning === undefined ? {} : { warning };
}

/** Beginnings of the URLs that tools fetch. */
const SCHEMES = ["http:", "https:", "ws:", "wss:", "ftp:", "file:", "data:", "blob:", "about:"];

function urlNeverFits(glob: Glob, action: PlacedRule["action"]): PatternError | undefined {
  const text = printGlob(glob);
  if (text.includes("://")) return undefined;
  const hint = "write https://example.com/* or domain:example.com";
  if (action === "allow") {
    const detail =
      'an allow rule for a URL needs "://" and a host: a * does not stand for a host\'s part';
    return { at: 0, detail, hint };
  }
  const head = literalHead(glob).toLowerCase();
  if (head.includes(":") || SCHEMES.some((scheme) => scheme.startsWith(head))) return undefined;
  return { at: 0, detail: `no URL begins with "${head}"`, hint };
}

function warningFor(
  { name, firstArg, searches, fields }: ToolProfile,
  { specifier, isPath, profiles }: { specifier: string; isPath: boolean; profiles: ToolProfiles },
): string | undefined {
  if (firstArg?.length === 0 && !(searches && isPath)) {
    return `${name} has no first argument, so "${specifier}" matches no call: name a field, as ${name}:${
      fields[0] ?? "key"
    }=…`;
  }
  if (firstArg !== undefined) return undefined;
  const near = nearest(name, profiles.known.map((known) => known.name));
  if (near !== undefined) {
    return `the tool "${name}" is unknown, so "${specifier}" cannot be compared; did you mean "${near}"?`;
  }
  return `the first argument of ${name} is unknown, so "${specifier}" cannot be compared: name a field (${name}:key=…) or set first_arg under [tools.${name}]`;
}

function compiledRule(
  placed: PlacedRule,
  { index, parsed }: { index: number; parsed: Pattern | undefined },
): CompiledRule {
  const rule = unparsedRule(placed, index);
  if (parsed === undefined) {
    return Object.defineProperty(rule, "parsed", WHEN_ASKED) as CompiledRule;
  }
  return { ...rule, parsed };
}

function unparsedRule(placed: PlacedRule, index: number): Omit<CompiledRule, "parsed"> {
  const { pattern: { value: pattern }, action, source } = placed;
  const { comment, reason, expiresAt, untrusted } = placed;
  const isPlain = comment === undefined && reason === undefined && expiresAt === undefined &&
    untrusted === undefined;
  // Most rules have no more, and to spread what they lack would take longer than the rest.
  if (isPlain) return { pattern, action, index, source };
  return {
    pattern,
    action,
    index,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
    source,
    ...(untrusted === undefined ? {} : { untrusted }),
  };
}

const parsedPatterns = new WeakMap<object, Pattern>();

/** A pattern that is parsed when it is first asked for. One function for all rules, so that all have the same shape. */
const WHEN_ASKED = {
  enumerable: true,
  get(this: CompiledRule): Pattern {
    const known = parsedPatterns.get(this);
    if (known !== undefined) return known;
    const pattern = parsePattern(this.pattern);
    if (!pattern.ok) throw new TypeError(`Cannot parse "${this.pattern}": ${pattern.error.detail}`);
    parsedPatterns.set(this, pattern.value);
    return pattern.value;
  },
};

function problemOf(placed: PlacedRule, error: PatternError): FileProblem {
  return {
    id: "invalid-pattern",
    severity: "error",
    message: `Cannot use pattern "${placed.pattern.value}": ${error.detail}, at character ${
      error.at + 1
    }`,
    span: spanWithin(placed, error.at),
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    path: placed.source.path,
    text: placed.text,
  };
}

function warningOf(placed: PlacedRule, detail: string): FileProblem {
  return {
    id: "never-fits",
    severity: "warning",
    message: `Pattern "${placed.pattern.value}": ${detail}`,
    span: placed.pattern.span,
    path: placed.source.path,
    text: placed.text,
  };
}

/** The place inside the pattern where its text stands as it is in the file; else the whole pattern. */
function spanWithin(placed: PlacedRule, at: number): Span {
  const { value, span }: Located<string> = placed.pattern;
  const written = placed.text.slice(span.start, span.end);
  const quote = written.length === value.length ? 0 : 1;
  if (written.slice(quote, quote + value.length) !== value || written.includes("\n")) return span;
  const start = Math.min(span.start + quote + at, Math.max(span.start, span.end - 1));
  return {
    start,
    end: Math.max(start + 1, span.end - quote),
    line: span.line,
    column: span.column + start - span.start,
  };
}

/** True if a pattern has a specifier for that tool; true for one that cannot be parsed. */
export function appliesTo(toolName: string, pattern: string): boolean {
  const read = parsePattern(pattern);
  if (!read.ok) return true;
  return read.value.specifier !== undefined && matchGlob(read.value.tool, toolName);
}
