import type { Glob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import type { ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import { searchedPaths } from "../../policy/compile/value_matcher.ts";
import type { CommandLine } from "../../shell/effect.ts";

/** The cost that the trials of a workspace's rules may have in one call: 1,000 short rules on 300 files, twice over and more. */
const MOST = 2_500_000;

/**
 * The cost of the trials of a workspace's rules within the evaluation of one call. A clone may bring thousands of rules, and a
 * line name thousands of files. Behind the bound its rules count as ones that cannot be evaluated; those of the user are always
 * tried. Cost is counted by the lengths of patterns and texts, not timed: the same call has the same verdict everywhere.
 */
export class TrialBudget {
  #left = MOST;
  /** The long lines that rules were compared with. */
  #lines: Map<ToolRule["rule"], CommandLine> | undefined;
  /** The request that was tried last, which many rules are tried on. */
  #request: Request | undefined;
  /** The length of the texts that a rule about a command is compared with, or of its first argument. */
  #length = 0;
  /** The same, or the length of the line that a command stands in, if that is longer. */
  #longest = 0;

  /** True if the rule may be tried; counts the trial. */
  spend(toolRule: ToolRule, request: Request): boolean {
    if (!isCounted(toolRule)) return true;
    if (this.#left <= 0) return false;
    this.#left -= toolRule.cost ?? this.#costOf(toolRule, request);
    return true;
  }

  #costOf(toolRule: ToolRule, request: Request): number {
    if (this.#request !== request) {
      this.#request = request;
      this.#length = textLength(request);
      this.#longest = Math.max(this.#length, request.part?.line.text.length ?? 0);
    }
    // A pattern is at least as long as its test is wide, and one with a known head is about a command.
    const isShort = toolRule.rule.pattern.length * this.#longest <= SHORT;
    if (isShort && toolRule.head !== undefined) return COST.several;
    const tried = { request, length: this.#length };
    return trialCost(toolRule, tried) + this.#lineCost(toolRule, request);
  }

  /** True if the rule may be compared with a file name glob; counts that. */
  spendGlob(toolRule: ToolRule, glob: string): boolean {
    if (!isCounted(toolRule)) return true;
    if (this.#left <= 0) return false;
    this.#left -= globCost(toolRule, glob);
    return true;
  }

  /** True if no rule of a workspace may be tried any more. */
  get isSpent(): boolean {
    return this.#left <= 0;
  }

  #lineCost(toolRule: ToolRule, request: Request): number {
    const cost = lineCost(toolRule, request);
    if (cost === 0) return 0;
    const line = request.part!.line;
    this.#lines ??= new Map();
    if (this.#lines.get(toolRule.rule) === line) return 0;
    this.#lines.set(toolRule.rule, line);
    return cost;
  }
}

/** True for a rule of a workspace with a specifier that tells calls apart. */
export function isCounted(toolRule: ToolRule): boolean {
  const { kind } = toolRule.rule.source;
  if (kind !== "project" && kind !== "local") return false;
  // A rule with a known head has a specifier of one command.
  if (toolRule.head !== undefined) return true;
  const { specifier } = toolRule;
  return specifier !== undefined && specifier.kind !== "any";
}

/** The cost of one trial of a short pattern on a short text, by what the rule is held to. */
const COST: Readonly<Record<"one" | "several" | "glob", number>> = {
  one: 3,
  several: 12,
  glob: 12,
};

/** A width times a length that costs nothing more: some 64 characters of each. */
const SHORT = 4_096;

/** The steps of a longer comparison that cost 1. */
const STEPS = 256;

/** The steps of a comparison of two patterns that cost 1. */
const PAIRS = 8;

/** The cost of a trial of a rule, but for the whole line that a command stands in. */
function trialCost(toolRule: ToolRule, tried: Tried): number {
  const { also, rule } = toolRule;
  const own = specifierCost(toolRule, tried);
  return also === undefined ? own : own + specifierCost({ specifier: also, rule }, tried);
}

interface Tried {
  readonly request: Request;
  /** The length of the texts that a rule about a command is compared with, or of the first argument. */
  readonly length: number;
}

function specifierCost(
  { specifier, rule: { pattern } }: Pick<ToolRule, "specifier" | "rule">,
  { request, length: own }: Tried,
): number {
  switch (specifier?.kind) {
    case undefined:
    case "any":
    case "class":
      return COST.one;
    case "argument":
      if (request.profile.searches && specifier.test.kind === "path") {
        const paths = searchedPaths(request, request.profile.searches) ?? [];
        const length = paths.reduce((sum, path) => sum + path.length, 0);
        return wildcardCost(pattern) * Math.max(1, paths.length) +
          further(widthOf(specifier.test, pattern), length);
      }
      return specifier.test.kind === "command"
        ? COST.several + further(widthOf(specifier.test, pattern), own)
        : wildcardCost(pattern) + further(widthOf(specifier.test, pattern), firstLength(request));
    case "fields":
      return specifier.fields.reduce((sum, { key, isArgument, test }) => {
        const value = isArgument ? undefined : request.field(key);
        const length = value?.state === "text" ? value.text.length : own;
        return sum + further(widthOf(test, pattern), length);
      }, COST.several);
  }
}

/** The cost of a comparison of a rule with the whole line that a command stands in, which is made once. */
function lineCost({ specifier, rule }: ToolRule, { part }: Request): number {
  if (part === undefined || specifier?.kind !== "argument") return 0;
  return further(widthOf(specifier.test, rule.pattern), part.line.text.length);
}

/** The cost of a comparison of a rule with a file name glob. */
export function globCost({ rule }: ToolRule, glob: string): number {
  return COST.glob + Math.ceil(rule.pattern.length * (glob.length + FOLDER) / PAIRS);
}

/** The usual length of the folder that a glob begins in. */
const FOLDER = 32;

function further(width: number, length: number): number {
  return Math.max(0, Math.ceil((width * length - SHORT) / STEPS));
}

/** The length of the texts that a rule about a command is compared with, or of the first argument. */
function textLength(request: Request): number {
  const { part } = request;
  if (part === undefined) return firstLength(request);
  if (part.length !== undefined) return part.length;
  let length = 0;
  for (const { text } of part.effect.denyTexts) length += text.length;
  return part.length = length;
}

function firstLength({ first }: Request): number {
  return first.state === "text" ? first.text.length : 0;
}

const widths = new WeakMap<ValueTest, number>();

/** The steps that a test takes for each character of a text at most. */
function widthOf(test: ValueTest, pattern: string): number {
  let width = widths.get(test);
  if (width === undefined) {
    width = test.kind === "command" || test.kind === "text" ? globWidth(test.glob) : pattern.length;
    widths.set(test, width);
  }
  return width;
}

/** Literal text is searched for at once; with a `?` each place is tried. */
function globWidth(glob: Glob): number {
  const isTried = glob.some(({ kind }) => kind === "anyChar");
  if (!isTried) return glob.length;
  return glob.reduce((sum, token) => sum + (token.kind === "text" ? token.text.length : 1), 0);
}

const wildcards = new Map<string, number>();

/** The cost of a short pattern on a path or URL by its wildcards; five stars are as cheap as none. */
function wildcardCost(pattern: string): number {
  let count = wildcards.get(pattern);
  if (count === undefined) {
    if (wildcards.size > 20_000) wildcards.clear();
    wildcards.set(pattern, count = pattern.match(/[*?[{]/g)?.length ?? 0);
  }
  return Math.max(COST.one, count - 2);
}
