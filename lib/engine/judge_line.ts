import type { UnitVerdict } from "../model/verdict.ts";
import { isInside } from "../pattern/path_facts.ts";
import type { Unit } from "../shell/unit.ts";
import type { Facts } from "../tools/facts.ts";
import { judgeFile, judgeGuarded, walkUnknownFile } from "./judge_file.ts";
import { type Judged, judged, type Judging } from "./judged.ts";
import { allEntries, walk, type Walked, walkPath } from "./walk.ts";

/**
 * Judges a command line: every unit has a walk of its own, and the strictest decides. An allow rule must cover each
 * command that would run; a deny or ask rule needs to fit only one.
 */
export function judgeLine(judging: Judging): readonly Judged[] {
  const { line } = judging;
  const seen = new Map<string, Judged>();
  const all: Judged[] = [];
  const companions: { readonly at: number; readonly unit: Unit }[] = [];
  let covered = false;
  for (const unit of line.units) {
    // The same command in the same place has the same verdict; hostile lines repeat one a hundred thousand times.
    const key = line.units.length > FEW && unit.depth === 0 && unit !== line.units[0]
      ? keyOf(unit)
      : undefined;
    const known = key === undefined ? undefined : seen.get(key);
    const one = known ?? judgeUnit(unit, judging);
    if (!one) continue;
    if (key !== undefined && !known) seen.set(key, one);
    if (known && all.length > MANY) continue;
    if (unit.companion !== false) companions.push({ at: all.length, unit });
    covered ||= unit.kind === "command" && one.verdict.action === "allow" && one.rule !== null;
    all.push(one);
  }
  if (covered) {
    for (const { at, unit } of companions) all[at] = asCompanion(all[at]!, { unit, judging });
  }
  return all;
}

/** With no more units than this, each is judged for itself. */
const FEW = 64;

/** With more units than this, those that repeat an earlier one are not listed again. */
const MANY = 256;

function keyOf({ via: _via, ...unit }: Unit): string {
  return JSON.stringify(unit);
}

function judgeUnit(unit: Unit, judging: Judging): Judged | undefined {
  const { policy, line, options } = judging;
  const facts = judging.facts.of({ unit, line });
  switch (unit.kind) {
    case "command":
      return judged(walk(policy, facts, options), { facts, unit: shown(unit) });
    case "opaque": {
      const walked = unit.opens
        ? walkUnknownFile(unit, { ...judging, facts })
        : walk(policy, facts, options);
      if (walked.action !== "ask" || walked.by === "safety") {
        return judged(walked, { facts, unit: shown(unit) });
      }
      const by = runsCodeAsItsTrade(unit) ? "rule" : "safety";
      const reason = opaqueReason(unit, walked);
      return judged({ ...walked, by }, { facts, unit: shown(unit), reason });
    }
    case "read":
    case "write":
    case "url":
      return unit.judged === "own"
        ? judgeFile(unit, { ...judging, facts })
        : judgeGuarded(unit, { ...judging, facts });
  }
}

/**
 * What is not known is no question that a mode or a flag may answer; but a script, and code for a program whose trade it
 * is to run it (`python -c`), are one, as any program is.
 */
function runsCodeAsItsTrade({ quiet, covers }: Unit): boolean {
  return quiet === true || covers.some(({ trade }) => trade !== undefined);
}

function opaqueReason({ text, why }: Unit, { rule }: Walked): string {
  const asks = rule === null ? "" : `; the ${rule.action} rule \`${rule.pattern}\` asks about it`;
  return `what \`${short(text)}\` does cannot be known: ${why}${asks}`;
}

function short(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

function shown(
  { kind, text, via, depth }: Unit,
): Pick<UnitVerdict, "kind" | "text" | "via" | "depth"> {
  return { kind, text, via, depth };
}

/**
 * A companion beside a command that has an allow rule needs none: only deny rules and ask rules with a spec see it. One
 * that a rule denied, asked about by its spec or could not be evaluated for stays as it is.
 */
function asCompanion(
  one: Judged,
  { unit, judging }: { unit: Unit; judging: Judging },
): Judged {
  const { verdict, facts } = one;
  if (verdict.action !== "ask" || verdict.by !== "rule" || !isCompanion(unit, facts)) return one;
  const { policy, options } = judging;
  const walked = walkPath(policy, facts, {
    ...options,
    path: {
      candidates: policy.candidates(facts),
      all: () => allEntries(policy, facts),
      overlooks: (rule) => rule.action === "ask" && rule.parsed.spec === undefined,
    },
  });
  if (walked.rule !== null) return judged(walked, { facts, unit: shown(unit) });
  return judged({ ...walked, action: "allow" }, {
    facts,
    unit: shown(unit),
    reason: "it needs no rule of its own beside a command that has one",
  });
}

/** Whether a companion is one here: `cd` only to a folder of the workspace. */
function isCompanion({ companion }: Unit, facts: Facts): boolean {
  if (typeof companion === "boolean") return companion;
  return companion.folders.every((folder) => isInside(facts.path(folder)));
}
