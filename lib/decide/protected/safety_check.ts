import type { UnitVerdict } from "../../model/verdict.ts";
import type { CompiledPolicy, ToolRule } from "../../policy/compile/compiled_policy.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { Effect } from "../../shell/effect.ts";
import { shortened } from "../unit_result.ts";

/** A safety check: something that a call does, and why no mode but bypass lets it pass unasked. */
export interface Check extends Pick<UnitVerdict, "kind" | "text" | "via" | "depth" | "tool"> {
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** The checks of a call that passes them all, as most do. */
export const NO_CHECKS: readonly Check[] = [];

/** An effect on a protected file. */
export interface FileChange {
  /** The verb for people: `writes`, `may move`. */
  readonly does: string;
  /** The protected file or folder, as people write it. */
  readonly name: string;
  /** Why it is protected. */
  readonly why: string;
  /** `holds`: the text names a folder that contains it. `in`: it or something below it. */
  readonly relation: "in" | "holds";
  /** For `holds`: what the folder is, if that says more than one protected file in it. */
  readonly folder?: string | undefined;
  /** For `holds`: how many more protected places it contains; 0 when left out. */
  readonly more?: number;
}

/** The reason why a file is asked about under every allow rule. */
export function protectedReason(
  text: string,
  { does, name, why, relation, folder, more = 0 }: FileChange,
): string {
  const shown = shortened(text);
  if (relation === "holds") {
    if (folder !== undefined) return `it ${does} \`${shown}\`, ${folder}`;
    const start = `it ${does} \`${shown}\` with \`${name}\``;
    return more === 0
      ? `${start}, which is protected: ${why}`
      : `${start} (${why}) and ${more} more protected ${more === 1 ? "place" : "places"}`;
  }
  return shown === name
    ? `it ${does} \`${shown}\`, which is protected: ${why}`
    : `it ${does} \`${shown}\`, and \`${name}\` is protected: ${why}`;
}

/**
 * The allow rules that fit, wherever they stand: one that a person gave for the session is to count too. One that ends
 * some day does not.
 */
export function fittingAllows(policy: CompiledPolicy, request: Request): readonly ToolRule[] {
  return policy.candidates(request).filter((toolRule) => {
    const { rule, specifier } = toolRule;
    if (rule.action !== "allow" || !specifier || specifier.kind === "any") return false;
    if (rule.expiresAt !== undefined) return false;
    return toolRule.matches(request) === "yes";
  });
}

/** The check of an effect. */
export function checkOf(
  { kind, text, via, depth }: Effect,
  { request, reason }: { request: Request; reason: string },
): Check {
  const tool = kind === "write" || kind === "read" ? FILE_TOOLS[kind] : request.call.tool;
  return { kind, text, via, depth, tool, reason };
}

const FILE_TOOLS = { write: "Write", read: "Read" } as const;
