import type { Action, ModeName } from "../../model/call.ts";
import type { Loss } from "../../model/problem.ts";
import type { FileSettings } from "../../model/rule.ts";
import type { Glob } from "../../pattern/glob.ts";
import { classPairs, settingPairs, shellPairs } from "../../policy/edit/policy_pairs.ts";
import type { ExportContext, ExportResult, FormatRule } from "./format.ts";
import { orderLosses } from "./order_losses.ts";
import { editsFiles, lossOf, type Part, partsOf } from "./parts.ts";

/** A part of a rule in another agent's form. */
export interface Rendered {
  /** Entries of its list; none where the part cannot be expressed. */
  readonly texts: readonly string[];
  readonly losses: readonly Loss[];
}

/** The properties of a format that decide which losses every export to it has. */
export interface ExportTraits {
  /** The agent, if its strictest matching rule decides in any order. */
  readonly strictestIn?: string;
  /** Rules that are not written, since they change nothing there. */
  readonly leftOut?: readonly FormatRule[];
  /** The keys of settings that the format keeps. */
  readonly keptSettings?: readonly string[];
}

/** Starts an export: the parts to render, and a list for losses that has those of every rule and setting. */
export function startExport(
  rules: readonly FormatRule[],
  context: ExportContext,
  { strictestIn, leftOut = [], keptSettings }: ExportTraits = {},
): { readonly parts: readonly Part[]; readonly losses: Loss[] } {
  const written = rules.filter((rule) => !leftOut.includes(rule));
  const { parts, losses } = partsOf(written, context.profiles);
  const order = strictestIn === undefined
    ? []
    : orderLosses(rules, { context, agent: strictestIn, leftOut });
  const settings = settingsLosses(context.settings, keptSettings);
  return { parts, losses: [...losses, ...settings, ...order] };
}

/** Finishes an export to a JSON file. */
export function jsonExport(value: object, losses: readonly Loss[]): ExportResult {
  return { text: JSON.stringify(value, null, 2) + "\n", losses: distinctLosses(losses) };
}

/** Finishes an export to a file of blocks that allows comments. */
export function blockExport(
  blocks: readonly string[],
  { losses, between = "", empty = "# The format can express no rule of the policy.\n" }: {
    readonly losses: readonly Loss[];
    readonly between?: string;
    readonly empty?: string;
  },
): ExportResult {
  const text = blocks.length === 0 ? empty : blocks.join(between);
  return { text, losses: distinctLosses(losses) };
}

/** The losses without repetitions. */
export function distinctLosses(losses: readonly Loss[]): readonly Loss[] {
  const seen = new Set<string>();
  return losses.filter((loss) => {
    const key = JSON.stringify([loss.kind, loss.subject, loss.action, loss.detail]);
    return !seen.has(key) && seen.add(key);
  });
}

/** A part that is not written. */
export function dropped(part: Part, detail: string): Rendered {
  return { texts: [], losses: [lossOf(part, "dropped", detail)] };
}

/** A part whose texts differ from it. */
export function inexact(
  part: Part,
  { kind, texts, detail }: {
    readonly kind: "narrowed" | "widened";
    readonly texts: readonly string[];
    readonly detail: string;
  },
): Rendered {
  return { texts, losses: [lossOf(part, kind, detail)] };
}

/** The safe form of a part that cannot be expressed: an allow is dropped, a deny or ask is `texts`, the whole tool. */
export function wholeTool(part: Part, texts: readonly string[], detail: string): Rendered {
  if (part.rule.action === "allow") return dropped(part, detail);
  return inexact(part, { kind: "narrowed", texts, detail: `${detail}, so it is the whole tool` });
}

/** The loss of a deny or ask that joins commands, if it does: other agents check one command at a time. */
export function compoundLosses(part: Part, glob: Glob): readonly Loss[] {
  if (part.rule.action === "allow" || !/[;&|<>\n(){}]/.test(literals(glob))) return [];
  const detail = "it joins commands with operators, and the agent checks one command at a time";
  return [lossOf(part, "widened", detail)];
}

/** The plain texts of a glob, joined. */
export function literals(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : "").join("");
}

/**
 * The action of each part where the first match decides: an ask that matches too much would hide a deny below it, so it
 * becomes a deny.
 */
export function firstMatchAction(
  rules: readonly FormatRule[],
): (part: Part, losses: readonly Loss[]) => Action {
  const lastDeny = rules.findLastIndex(({ action }) => action === "deny");
  return ({ rule: { action }, index, isBroad: isWhole }, losses) => {
    const isBroad = isWhole || losses.some(({ kind }) => kind === "narrowed");
    return isBroad && action === "ask" && index < lastDeny ? "deny" : action;
  };
}

/**
 * The reason that an allow on a tool that edits cannot be written, if there is one: the format has one rule for all of
 * `tools`, and the policy does not allow the same to each.
 */
export function partialEdit(
  { rule, tool, specifier }: Part,
  { parts, tools = ["Edit", "Write"] }: {
    readonly parts: readonly Part[];
    readonly tools?: readonly string[];
  },
): string | undefined {
  if (rule.action !== "allow" || !editsFiles(tool)) return undefined;
  const wanted = JSON.stringify(specifier);
  const isAllowed = (name: string) =>
    parts.some((other) =>
      other.rule.action === "allow" && other.tool === name &&
      JSON.stringify(other.specifier) === wanted
    );
  if (tools.every(isAllowed)) return undefined;
  return `the format has one rule for ${
    tools.join(", ")
  }, and the policy does not allow all of them`;
}

/** Modes that allow more than the default mode. */
const LOOSE: readonly ModeName[] = ["acceptEdits", "auto", "dontAsk", "bypassPermissions"];

function settingsLosses(settings: FileSettings, kept: readonly string[] = []): readonly Loss[] {
  const classes = classPairs(settings).map(([key, value]) =>
    [`shell.classes.${key}`, value] as const
  );
  const pairs = [...settingPairs(settings), ...shellPairs(settings), ...classes];
  return pairs.filter(([key]) => !kept.includes(key)).map(([key, value]): Loss => {
    const mode = key === "default_mode" ? value as ModeName : undefined;
    const isStricter = mode === "default" || mode !== undefined && LOOSE.includes(mode) ||
      /^(?:shell(?:\.classes.*)?|wrappers|variables|repositories|unmatched)$/.test(key);
    return {
      kind: isStricter ? "narrowed" : "widened",
      subject: `${key} = ${JSON.stringify(value)}`,
      detail: "the format has no such setting",
    };
  });
}
