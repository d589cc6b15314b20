import { literalHead, onlyText, printGlob } from "../../pattern/glob.ts";
import { linkedPattern } from "../../pattern/path/linked_pattern.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import type { ToolRule } from "./rule_table.ts";

/** How much of a head is looked up, in UTF-16 code units; below 31, the bits of a number. */
export const HEAD_LENGTH = 24;

/** What a call must have for a rule to fit; the text is ASCII, which folds one to one, in lower case. */
export interface RuleKey {
  /** `head`: how its text begins. `name`: a file or folder in its path. `host`: its host, or one above it. */
  readonly kind: "head" | "name" | "host";
  /** The text. */
  readonly text: string;
}

/** The hash of the empty text (FNV-1a, 32 bits). */
export const HASH_START = 0x811c9dc5 | 0;

/** The hash of a text with one more UTF-16 code unit. */
export function mixed(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The hash of a whole text. */
export function hashed(text: string): number {
  let hash = HASH_START;
  for (let at = 0; at < text.length; at++) hash = mixed(hash, text.charCodeAt(at));
  return hash;
}

/** What a call must have for the entry not to match "no"; undefined when that cannot be said. */
export function keyOf(
  { rule, specifier, also, readAs }: ToolRule,
): RuleKey | undefined {
  if (specifier === undefined || specifier.kind === "any" || also) return undefined;
  const test = specifier.kind === "argument"
    ? specifier.test
    : specifier.fields.find((field) => field.first && !field.negated)?.test;
  if (!test) return undefined;
  const lists = specifier.kind === "fields" && rule.action !== "allow";
  // Such a list may be unknown for a line that does not fit, and its other fields may make it "no" again.
  if (test.kind === "command" && lists && readAs?.shell !== "literal") return undefined;
  // Without a home folder no deny or ask rule below it can be evaluated.
  const homeless = test.kind === "path" && test.pattern.base === "home" &&
    readAs?.context.home.length === 0;
  if (homeless || isLinked({ rule, test, readAs })) return undefined;
  return keyOfTest(test);
}

/** Whether the rule also begins elsewhere than it says, where the names that it has are not those of the path. */
function isLinked(
  { rule, test, readAs }: Pick<ToolRule, "rule" | "readAs"> & { test: ValueTest },
): boolean {
  if (rule.action === "allow" || test.kind !== "path" || !readAs) return false;
  return linkedPattern(test.pattern, readAs.context) !== undefined;
}

function keyOfTest(test: ValueTest): RuleKey | undefined {
  switch (test.kind) {
    case "text":
      return headKey(literalHead(test.glob));
    case "command":
      // A glob that ends in " *" may fit without the space.
      return test.anchor === "contains"
        ? undefined
        : headKey(literalHead(test.glob).replace(/ +$/, ""));
    case "path":
      return nameKey(test.pattern.glob);
    case "domain":
      return { kind: "host", text: test.host };
    case "url":
      return urlKey(printGlob(test.glob));
  }
}

function headKey(head: string): RuleKey | undefined {
  const ascii = /^[\x20-\x7e]*/.exec(head)![0].slice(0, HEAD_LENGTH);
  return ascii === "" ? undefined : { kind: "head", text: ascii.toLowerCase() };
}

/** Only where the text up to the path is fixed: a `*` before the host could stand for another host and its query. */
function urlKey(text: string): RuleKey | undefined {
  const parts = urlParts(text);
  if (!parts.ok || parts.value?.path === undefined) return undefined;
  const host = onlyText(parts.value.host);
  if (onlyText(parts.value.scheme) === undefined || !host) return undefined;
  return { kind: "host", text: host };
}

/** A name that the path must have: literal from slash to slash. */
function nameKey(glob: PathGlob): RuleKey | undefined {
  let best: string | undefined;
  for (const [index, node] of glob.entries()) {
    if (node.kind !== "text") continue;
    const segments = node.text.split("/");
    const open = index === 0 ? 0 : 1;
    const end = index === glob.length - 1 ? segments.length : segments.length - 1;
    for (const segment of segments.slice(open, end)) {
      if (/^[\x20-\x7e]+$/.test(segment) && segment.length > (best?.length ?? 0)) best = segment;
    }
  }
  return best === undefined ? undefined : { kind: "name", text: best.toLowerCase() };
}
