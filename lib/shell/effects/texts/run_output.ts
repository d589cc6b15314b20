import type { DenyText, Effect } from "../../effect.ts";
import { baseName, type ProgramCatalog } from "../../programs/program_catalog.ts";

/** The reason of an effect that runs what comes by standard input. */
export const RUNS_INPUT = "it runs its standard input";

/** More commands than this before a pipe, or substitutions in a text, are left out. */
const MOST = 32;

/** Longer texts are not searched for substitutions, in UTF-16 code units. */
const LONGEST = 65_536;

/** The most effects of a pipeline's earlier commands that are kept for what runs their output. */
const MOST_FEEDS = 16;

/** The effects of a pipeline's earlier commands, as a range of those of the line, and the pipelines around it. */
export interface Feeds {
  readonly outer: Feeds | undefined;
  readonly start: number;
  readonly end: number;
}

function feedsIn(feeds: Feeds | undefined, effects: readonly Effect[]): readonly Effect[] {
  if (feeds === undefined) return [];
  const { outer, start, end } = feeds;
  return [...feedsIn(outer, effects), ...effects.slice(start, Math.min(end, start + MOST_FEEDS))];
}

/**
 * The effect with `COMMAND | sh` among its deny texts for each command whose output it runs as code: of a substitution in
 * its text (`bash -c "$(curl x)"`, `source <(curl x)`), and of a pipeline's earlier commands, which are among `feeds`. So
 * `deny Bash:curl * | sh` stops them all, with any shell or interpreter.
 */
export function withRunOutput(
  effect: Effect,
  { feeds, effects, catalog }: {
    readonly feeds: Feeds | undefined;
    /** The effects of the line so far. */
    readonly effects: readonly Effect[];
    readonly catalog: ProgramCatalog;
  },
): Effect {
  if (effect.kind !== "opaque") return effect;
  const piped = effect.why === RUNS_INPUT
    ? feedsIn(feeds, effects).flatMap((feed) => commandTexts(feed))
    : [];
  const substituted = runsText(effect.text, catalog) ? substitutedTexts(effect.text) : [];
  const added = [...piped.slice(0, MOST), ...substituted];
  if (added.length === 0) return effect;
  const texts = new Set(added.map((text) => `${text} | sh`));
  const denyTexts = [...effect.denyTexts, ...[...texts].map((text) => ({ text, template: text }))];
  return { ...effect, denyTexts };
}

function commandTexts({ kind, denyTexts }: Effect): readonly string[] {
  return kind === "command" ? denyTexts.map(({ text }: DenyText) => text) : [];
}

/** True if text among the arguments of a command is code, or its program is itself the output of a command. */
function runsText(text: string, catalog: ProgramCatalog): boolean {
  if (/^["']?(?:\$\(|`)/.test(text)) return true;
  const name = /^\S+/.exec(text)?.[0] ?? "";
  const table = (catalog.program(name) ?? catalog.program(baseName(name)))?.table;
  return table !== undefined && (table.trade === true || table.operands?.[0] === "code" ||
    table.inner === "string" || table.inner === "shell");
}

/** A substitution and its text, which may hold one more level of parentheses. */
const SUBSTITUTION = /(?:\$\(|<\(|`)((?:[^()`]|\([^()]*\))*)/g;

function substitutedTexts(text: string): readonly string[] {
  if (text.length > LONGEST || !/[(`]/.test(text)) return [];
  const found: string[] = [];
  for (const [, inner = ""] of text.matchAll(SUBSTITUTION)) {
    const command = inner.trim().replace(/\s+/g, " ");
    if (command !== "") found.push(command, command.replace(/^(?:sudo|command|env) /, ""));
    if (found.length >= MOST) break;
  }
  return found;
}
