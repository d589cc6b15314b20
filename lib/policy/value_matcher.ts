import { fromBoolean, type Match, negated } from "../model/match.ts";
import { type Glob, onlyText, printGlob } from "../pattern/glob.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { strictPathMatcher, widePathMatcher } from "../pattern/match_path.ts";
import { domainMatcher, strictUrlMatcher, wideUrlMatcher } from "../pattern/match_url.ts";
import type { PathContext } from "../pattern/path_facts.ts";
import type { FieldTest, ValueTest } from "../pattern/pattern.ts";
import { urlParts } from "../pattern/url_pattern.ts";
import type { Facts, FieldText } from "../tools/facts.ts";
import { commandMatcher } from "./command_matcher.ts";

/** How a command line is read: unit by unit, as one string, or as one of a shell that is not understood. */
export type CommandReading = "parsed" | "literal" | "other";

/** How a rule's pattern is to be read. */
export interface Reading {
  /**
   * `strict`: fits only what is surely meant, as an allow rule must. `wide`: fits whatever could be meant, as a deny or
   * ask rule must.
   */
  readonly reach: "strict" | "wide";
  /** How commands are read. */
  readonly shell: CommandReading;
  /** Whether the rule asks. */
  readonly asks?: boolean;
  /** What paths are measured against. */
  readonly context: PathContext;
}

/** Whether a text, as a call has it, fits. */
export type TextMatcher = (text: string, facts: Facts) => Match;

/** The matcher of one test. */
export function textMatcher(test: ValueTest, reading: Reading): TextMatcher {
  switch (test.kind) {
    case "text":
      return reading.reach === "strict" && !isPlainText(test.glob)
        ? (text) => fromBoolean(matchGlob(test.glob, text) && !/(^|[\\/])\.\.([\\/]|$)/.test(text))
        : (text) => fromBoolean(matchGlob(test.glob, text));
    case "command": {
      const fits = commandMatcher(test, reading);
      return (text, facts) => fits(text, facts.part);
    }
    case "path": {
      const fits = reading.reach === "strict"
        ? strictPathMatcher(test.pattern)
        : widePathMatcher(test.pattern, reading.context);
      return (text, facts) => fits(facts.path(text));
    }
    case "url": {
      const fits = urlMatcher(test.glob, reading);
      return (text, facts) => fits(facts.url(text));
    }
    case "domain": {
      const fits = domainMatcher(test.host, { strict: reading.reach === "strict" });
      return (text, facts) => fits(facts.url(text));
    }
  }
}

/** A text with a slash may be a path, and a `*` in it would let `..` lead anywhere. */
function isPlainText(glob: Glob): boolean {
  const text = printGlob(glob);
  return onlyText(glob) !== undefined || !/[\\/]/.test(text);
}

function urlMatcher(glob: Glob, reading: Reading) {
  const parts = urlParts(printGlob(glob));
  const value = parts.ok ? parts.value : undefined;
  return reading.reach === "strict" ? strictUrlMatcher(value) : wideUrlMatcher(value, glob);
}

/** The matcher of one `key=glob` or `key!=glob`. */
export function fieldMatcher(field: FieldTest, reading: Reading): (facts: Facts) => Match {
  const fits = textMatcher(field.test, readingOf(field, reading));
  return (facts) => {
    const value: FieldText = field.first ? facts.first : facts.field(field.key);
    switch (value.state) {
      case "none":
      case "missing":
        return fromBoolean(field.negated && reading.reach === "wide");
      case "unknown":
        return "unknown";
      case "text":
        return field.negated ? negated(fits(value.text, facts)) : fits(value.text, facts);
    }
  };
}

/** What `!=` must surely not be, it may not even possibly be: there the reading turns round. */
export function readingOf(field: FieldTest, reading: Reading): Reading {
  return field.negated ? { ...reading, reach: opposite(reading.reach) } : reading;
}

function opposite(reach: Reading["reach"]): Reading["reach"] {
  return reach === "strict" ? "wide" : "strict";
}
