import type { CommandClass } from "../../model/call.ts";
import type { UnitVerdict } from "../../model/verdict.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CommandLine, CommandTraits, Effect } from "../../shell/effect.ts";
import { classesNow, whyUnknownNow } from "./class_search.ts";
import { isFileEffect } from "../evaluate_file.ts";
import { mayBeRelinked } from "../settle_effect.ts";
import type { UnitResult } from "../unit_result.ts";

/** One command of a line, by what it does. */
export interface LineCommand {
  /** Its classes; at least one. */
  readonly classes: readonly CommandClass[];
  /** Its classes, but for the secret that a variable among its words may show. */
  readonly byTable: readonly CommandClass[];
  /** True if it runs code that stands in the line and names nothing of the deny and ask rules, and no other. */
  readonly runsPlainCode: () => boolean;
  /** True if it names a file, and every file that it names is certainly in the workspace, links followed. */
  readonly isInside: () => boolean;
  /** The reason why its classes are unknown; undefined if they are not. */
  readonly whyUnknown: () => string | undefined;
  /** The files and URLs that it names, in their order, each once: a folder that it reads whole as `folder/**`. */
  readonly names: (kind: Access) => readonly string[];
}

/** An access of a command to a file or URL. */
export type Access = "read" | "write" | "url";

/** The commands of a line by the units about them; undefined for a file, a URL or an unknown part. Looked up in linear time. */
export function lineCommands(
  results: readonly UnitResult[],
  request: Request,
): (unit: UnitVerdict) => LineCommand | undefined {
  let byUnit: ReadonlyMap<UnitVerdict, UnitResult> | undefined;
  let usesIn: ReturnType<typeof ownedUses> | undefined;
  return (unit) => {
    byUnit ??= new Map(results.map((result) => [result.verdict, result]));
    const part = byUnit.get(unit)?.request.part;
    if (part === undefined || part.effect.kind !== "command") return undefined;
    const { effect, line } = part;
    const traits = effect.traits?.();
    if (traits === undefined) return undefined;
    const uses = () => (usesIn ??= ownedUses())(line).get(effect.traits) ?? [];
    return new Command({ effect, request, traits, results, uses });
  };
}

interface CommandParts {
  readonly effect: Effect;
  readonly request: Request;
  readonly traits: CommandTraits;
  readonly results: readonly UnitResult[];
  readonly uses: () => readonly Effect[];
}

/** A class, as V8 keeps an accessor of an object literal, and with it the whole line, until it collects everything. */
class Command implements LineCommand {
  readonly #parts: CommandParts;

  constructor(parts: CommandParts) {
    this.#parts = parts;
  }

  get classes(): readonly CommandClass[] {
    const { effect, request } = this.#parts;
    return classesNow(effect, request);
  }

  get byTable(): readonly CommandClass[] {
    const { classes } = this;
    const { traits } = this.#parts;
    return classes === traits.classes ? traits.byTable ?? classes : classes;
  }

  runsPlainCode(): boolean {
    const { traits, results, effect } = this.#parts;
    return runsPlainCode(traits, { results, effect });
  }

  isInside(): boolean {
    const { traits, request, uses } = this.#parts;
    return isInside(traits, { request, uses: uses() });
  }

  whyUnknown(): string | undefined {
    const { effect, request } = this.#parts;
    return whyUnknownNow(effect, request);
  }

  names(kind: Access): readonly string[] {
    const { traits, uses } = this.#parts;
    return namesOf(kind, { traits, uses: uses() });
  }
}

/** The effects of a line that belong to each of its commands, by the traits of the command. */
function ownedUses(): (line: CommandLine) => ReadonlyMap<Effect["traits"], readonly Effect[]> {
  const known = new Map<CommandLine, Map<Effect["traits"], Effect[]>>();
  return (line) => {
    const found = known.get(line);
    if (found !== undefined) return found;
    const made = new Map<Effect["traits"], Effect[]>();
    known.set(line, made);
    for (const effect of line.effects) {
      const owner = effect.of === undefined ? undefined : line.effects[effect.of]?.traits;
      if (owner === undefined) continue;
      const uses = made.get(owner);
      if (uses === undefined) made.set(owner, [effect]);
      else uses.push(effect);
    }
    return made;
  };
}

/** True if each unknown part of an interpreter is such code. */
function runsPlainCode(
  { isInterpreter }: CommandTraits,
  { effect, results }: { readonly effect: Effect; readonly results: readonly UnitResult[] },
): boolean {
  if (!isInterpreter) return false;
  const parts = results.filter(({ request: { part } }) =>
    part?.effect.kind === "opaque" && part.effect.of !== undefined &&
    part.line.effects[part.effect.of]?.traits === effect.traits
  );
  return parts.length > 0 && parts.every(({ verdict }) => verdict.isOrdinaryCode);
}

function namesOf(
  kind: Access,
  { traits, uses }: { readonly traits: CommandTraits; readonly uses: readonly Effect[] },
): readonly string[] {
  const folders = kind === "read" ? traits.searches?.map(({ path }) => path || ".") ?? [] : [];
  const named = uses.filter((use) => use.kind === kind).map(({ text, path }) =>
    path === "below" || folders.includes(text) ? wholeFolder(text) : text
  );
  return [...new Set([...named, ...folders.map(wholeFolder)])];
}

function wholeFolder(path: string): string {
  return `${path.replace(/(?<=.)\/+$/, "")}/**`;
}

function isInside(
  { open, searches }: CommandTraits,
  { request, uses }: { readonly request: Request; readonly uses: readonly Effect[] },
): boolean {
  // Below a folder that is searched whole may be files that rules deny.
  if (open || searches === undefined || searches.length > 0 || uses.length === 0) return false;
  const isUseInside = (use: Effect) => {
    if (!isFileEffect(use) || use.kind === "url" || mayBeRelinked(use, request)) return false;
    const names = use.path === "fixed"
      ? [use.text]
      : use.path === "glob" && use.mayLookUp
      ? request.expand(use.text)
      : undefined;
    return names !== undefined && names.length > 0 && request.areInside(names);
  };
  return uses.every(isUseInside);
}
