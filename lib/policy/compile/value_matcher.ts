import { fromBoolean, type Match, negated } from "../../model/match.ts";
import { type Glob, onlyText, printGlob } from "../../pattern/glob.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { strictPathMatcher, widePathMatcher } from "../../pattern/path/match_path.ts";
import { domainMatcher, strictUrlMatcher, wideUrlMatcher } from "../../pattern/url/match_url.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import type { FieldTest, ValueTest } from "../../pattern/pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import type { FieldText, Request } from "./facts.ts";
import { commandMatcher } from "./command_matcher.ts";

/** How a command line is read: unit by unit, as one string, or as one of a shell that is not understood. */
export type CommandMode = "parsed" | "literal" | "other";

/** How a rule's pattern is to be read. */
export interface MatcherContext {
  /**
   * `strict`: fits only what is surely meant, as an allow rule must. `wide`: fits whatever could be meant, as a deny or
   * ask rule must.
   */
  readonly semantics: "must" | "may";
  /** How commands are read. */
  readonly shell: CommandMode;
  /** Whether the rule asks. */
  readonly asks?: boolean;
  /** What paths are measured against. */
  readonly context: PathContext;
}

/** Whether a text, as a call has it, fits. */
export type TextMatcher = (text: string, request: Request) => Match;

/** The matcher of one test. */
export function textMatcher(test: ValueTest, reading: MatcherContext): TextMatcher {
  switch (test.kind) {
    case "text":
      return reading.semantics === "must" && !isPlainText(test.glob)
        ? (text) => fromBoolean(matchGlob(test.glob, text) && !/(^|[\\/])\.\.([\\/]|$)/.test(text))
        : (text) => fromBoolean(matchGlob(test.glob, text));
    case "command": {
      const fits = commandMatcher(test, reading);
      return (text, request) => fits(text, request.part);
    }
    case "path": {
      const fits = reading.semantics === "must"
        ? strictPathMatcher(test.pattern)
        : widePathMatcher(test.pattern, reading.context);
      return (text, request) => fits(request.path(text));
    }
    case "url": {
      const fits = urlMatcher(test.glob, reading);
      return (text, request) => fits(request.url(text));
    }
    case "domain": {
      const fits = domainMatcher(test.host, { strict: reading.semantics === "must" });
      return (text, request) => fits(request.url(text));
    }
  }
}

/** A text with a slash may be a path, and a `*` in it would let `..` lead anywhere. */
function isPlainText(glob: Glob): boolean {
  const text = printGlob(glob);
  return onlyText(glob) !== undefined || !/[\\/]/.test(text);
}

function urlMatcher(glob: Glob, reading: MatcherContext) {
  const parts = urlParts(printGlob(glob));
  const value = parts.ok ? parts.value : undefined;
  return reading.semantics === "must" ? strictUrlMatcher(value) : wideUrlMatcher(value, glob);
}

/** The matcher of one `key=glob` or `key!=glob`. */
export function fieldMatcher(
  field: FieldTest,
  reading: MatcherContext,
): (request: Request) => Match {
  const fits = textMatcher(field.test, fieldContext(field, reading));
  return (request) => {
    const value: FieldText = field.first ? request.first : request.field(field.key);
    switch (value.state) {
      case "none":
      case "missing":
        return fromBoolean(field.negated && reading.semantics === "may");
      case "unknown":
        return "indeterminate";
      case "text":
        return field.negated ? negated(fits(value.text, request)) : fits(value.text, request);
    }
  };
}

/** What `!=` must surely not be, it may not even possibly be: there the reading turns round. */
export function fieldContext(field: FieldTest, reading: MatcherContext): MatcherContext {
  return field.negated ? { ...reading, semantics: opposite(reading.semantics) } : reading;
}

function opposite(reach: MatcherContext["semantics"]): MatcherContext["semantics"] {
  return reach === "must" ? "may" : "must";
}
