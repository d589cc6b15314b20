import type { Loss, LossKind } from "../../model/problem.ts";
import { type Glob, matchGlob, onlyText, printGlob } from "../../pattern/glob.ts";
import { parsePattern, type Pattern, type Specifier } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_specifier.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import type { FormatRule } from "./format.ts";

/** A specifier that other agents may have: none knows the classes of commands. */
export type OtherSpecifier = Exclude<Specifier, { kind: "class" }>;

/** A rule for one tool, or for the tools whose name matches a glob. */
export interface Part {
  readonly rule: FormatRule;
  /** The index among the rules that are exported, from 0. */
  readonly index: number;
  /** The tool's name; a glob over names where it has wildcards. */
  readonly tool: string;
  /** True if `tool` is a glob; `specifier` is then `any`. */
  readonly isGlob: boolean;
  /** The condition on the tool's input. */
  readonly specifier: OtherSpecifier;
  /** Set if it matches more than the rule does: a deny or ask of a class is one of the whole tool. */
  readonly isBroad?: true;
}

/** A condition on a shell command. */
export type CommandTest = Extract<
  Extract<Specifier, { kind: "argument" }>["test"],
  { kind: "command" }
>;

/** The condition of a part on a shell command; undefined where it has another or none. */
export function commandTest({ specifier }: Part): CommandTest | undefined {
  return specifier.kind === "argument" && specifier.test.kind === "command"
    ? specifier.test
    : undefined;
}

/** The path of a part; undefined where it has another condition or none. */
export function pathOf({ specifier }: Part): PathPattern | undefined {
  return specifier.kind === "argument" && specifier.test.kind === "path"
    ? specifier.test.pattern
    : undefined;
}

/** A loss of a rule. */
export function lossOf({ rule }: Pick<Part, "rule">, kind: LossKind, detail: string): Loss {
  const { pattern, action } = rule;
  return { kind, subject: pattern, action, detail };
}

const NO_CLASSES = "the format has no classes of commands";

const WHOLE_TOOL = `${NO_CLASSES}, so it is the whole tool`;

function wholeToolPart(
  rule: FormatRule,
  { index, tool }: { readonly index: number; readonly tool: string },
): Part {
  return { rule, index, tool, isGlob: false, specifier: { kind: "any" }, isBroad: true };
}

/** The rules, tool by tool, in their order; a rule that cannot be split so is lost. */
export function partsOf(
  rules: readonly FormatRule[],
  profiles: ToolProfiles,
): { readonly parts: readonly Part[]; readonly losses: readonly Loss[] } {
  const losses: Loss[] = [];
  const drop = (rule: FormatRule, detail: string): readonly Part[] => {
    losses.push(lossOf({ rule }, "dropped", detail));
    return [];
  };
  const parts = rules.flatMap((rule, index): readonly Part[] => {
    const parsed = parsePattern(rule.pattern);
    if (!parsed.ok) return drop(rule, parsed.error.detail);
    const name = onlyText(parsed.value.tool);
    if (name !== undefined) {
      const specifier = parseSpecifier(parsed.value, profiles.get(name));
      if (!specifier.ok) return drop(rule, specifier.error.detail);
      if (specifier.value.kind !== "class") {
        return [{ rule, index, tool: name, isGlob: false, specifier: specifier.value }];
      }
      if (rule.action === "allow") return drop(rule, NO_CLASSES);
      losses.push(lossOf({ rule }, "narrowed", WHOLE_TOOL));
      return [wholeToolPart(rule, { index, tool: name })];
    }
    if (parsed.value.specifier === undefined) {
      const tool = printGlob(parsed.value.tool);
      return [{ rule, index, tool, isGlob: true, specifier: { kind: "any" } }];
    }
    const detail = "a wildcard in a tool's name covers known tools only";
    losses.push(lossOf({ rule }, rule.action === "allow" ? "narrowed" : "widened", detail));
    const known = knownParts(parsed.value, { rule, index, profiles });
    if (known.some(({ isBroad }) => isBroad)) losses.push(lossOf({ rule }, "narrowed", WHOLE_TOOL));
    return known;
  });
  return { parts, losses };
}

function knownParts(
  pattern: Pattern,
  { rule, index, profiles }: { rule: FormatRule; index: number; profiles: ToolProfiles },
): readonly Part[] {
  return profiles.known.filter(({ name }) => matchGlob(pattern.tool, name)).flatMap((profile) => {
    const specifier = parseSpecifier(pattern, profile);
    if (!specifier.ok) return [];
    if (specifier.value.kind === "class") {
      return rule.action === "allow" ? [] : [wholeToolPart(rule, { index, tool: profile.name })];
    }
    return [{ rule, index, tool: profile.name, isGlob: false, specifier: specifier.value }];
  });
}

/** The names of the known tools of a part, where its name is a glob; otherwise its name. */
export function toolsOf(part: Part, profiles: ToolProfiles): readonly string[] {
  if (!part.isGlob) return [part.tool];
  const parsed = parsePattern(part.tool);
  const glob: Glob = parsed.ok ? parsed.value.tool : [];
  return profiles.known.map(({ name }) => name).filter((name) => matchGlob(glob, name));
}

/** True for the tools that change files. */
export function editsFiles(tool: string): boolean {
  return ["Edit", "Write", "MultiEdit", "NotebookEdit"].includes(tool);
}
