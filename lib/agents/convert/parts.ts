import type { Loss, LossKind } from "../../model/loss.ts";
import { type Glob, onlyText, printGlob } from "../../pattern/glob.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_spec.ts";
import type { Pattern, Specifier } from "../../pattern/pattern.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import type { FormatRule } from "./format.ts";

/** What a rule says of one tool, or of those whose name a glob fits. */
export interface Part {
  /** The rule. */
  readonly rule: FormatRule;
  /** Its place among the rules that are written, from 0. */
  readonly index: number;
  /** The tool's name; a glob over names where it has wildcards. */
  readonly tool: string;
  /** Whether `tool` is a glob; `any` is then all it says of the input. */
  readonly isGlob: boolean;
  /** What it says of the tool's input. */
  readonly spec: Specifier;
}

/** What writing a rule cost it. */
export function lossOf({ rule }: Pick<Part, "rule">, kind: LossKind, detail: string): Loss {
  const { pattern, action } = rule;
  return { kind, subject: pattern, action, detail };
}

/** What the rules say, tool by tool, in their order; what cannot be told apart so is lost. */
export function partsOf(
  rules: readonly FormatRule[],
  profiles: ToolProfiles,
): { readonly parts: readonly Part[]; readonly losses: readonly Loss[] } {
  const losses: Loss[] = [];
  const parts = rules.flatMap((rule, index): readonly Part[] => {
    const parsed = parsePattern(rule.pattern);
    if (!parsed.ok) return lost(losses, { rule, detail: parsed.error.detail });
    const name = onlyText(parsed.value.tool);
    if (name !== undefined) {
      const spec = parseSpecifier(parsed.value, profiles.get(name));
      if (!spec.ok) return lost(losses, { rule, detail: spec.error.detail });
      return [{ rule, index, tool: name, isGlob: false, spec: spec.value }];
    }
    if (parsed.value.specifier === undefined) {
      const tool = printGlob(parsed.value.tool);
      return [{ rule, index, tool, isGlob: true, spec: { kind: "any" } }];
    }
    const detail = "a condition on tools by a wildcard in their name holds for known tools only";
    losses.push(lossOf({ rule }, rule.action === "allow" ? "narrowed" : "widened", detail));
    return knownParts(parsed.value, { rule, index, profiles });
  });
  return { parts, losses };
}

function lost(
  losses: Loss[],
  { rule, detail }: { rule: FormatRule; detail: string },
): readonly Part[] {
  losses.push(lossOf({ rule }, "dropped", detail));
  return [];
}

function knownParts(
  pattern: Pattern,
  { rule, index, profiles }: { rule: FormatRule; index: number; profiles: ToolProfiles },
): readonly Part[] {
  return profiles.known.filter(({ name }) => matchGlob(pattern.tool, name)).flatMap((profile) => {
    const spec = parseSpecifier(pattern, profile);
    if (!spec.ok) return [];
    return [{ rule, index, tool: profile.name, isGlob: false, spec: spec.value }];
  });
}

/** The names of known tools that a part speaks of, where its name is a glob; else its name. */
export function toolsOf(part: Part, profiles: ToolProfiles): readonly string[] {
  if (!part.isGlob) return [part.tool];
  const glob = parsePattern(part.tool);
  const fits: Glob = glob.ok ? glob.value.tool : [];
  return profiles.known.map(({ name }) => name).filter((name) => matchGlob(fits, name));
}

/** Whether a part is about the tools that change files. */
export function editsFiles(tool: string): boolean {
  return ["Edit", "Write", "MultiEdit", "NotebookEdit"].includes(tool);
}
