import { foldCase } from "../pattern/fold_case.ts";
import type { Policy } from "../policy/policy.ts";
import type { CommandLine, Unit } from "../shell/unit.ts";
import type { Facts } from "../tools/facts.ts";
import { type Check, short } from "./check.ts";
import { fittingAllows } from "./check_edit.ts";
import { mentions, namesPlace } from "./names_place.ts";
import { placeName, PLACES, WRITING_VERBS } from "./protected_place.ts";

/**
 * The check of a line, or a piece of one, that could not be taken apart: it is broken, too long or nested too deeply. What
 * it does to files is not known then, so that it is enough that it names a protected one, or a verb that writes rules.
 */
export function checkUnread(
  unit: Unit,
  { policy, facts, line }: { policy: Policy; facts: Facts; line: CommandLine },
): Check | undefined {
  if (unit.kind !== "opaque" || unit.covers.length > 0 && unit.text !== line.text) return undefined;
  const text = policy.context.ignoreCase ? foldCase(line.text) : line.text;
  const named = PLACES.filter(({ base, names }) => base !== "root" && mentions(text, names));
  const verb = /caliban/i.test(text)
    ? WRITING_VERBS.find((words) => mentions(text, words.slice(-1)))
    : undefined;
  if (named.length === 0 && !verb) return undefined;
  const allows = fittingAllows(policy, facts.of({ unit, line }));
  const place = named.find((each) => !allows.some((entry) => namesPlace(entry, each)));
  const isAllowed = allows.some(({ rule }) => !/^(?:project|local)$/.test(rule.source.kind));
  if (!place && (!verb || isAllowed)) return undefined;
  const name = place ? placeName(place) : `caliban ${verb?.join(" ")}`;
  const { kind, via, depth } = unit;
  const reason = `what \`${short(unit.text)}\` does cannot be known, and it names \`${name}\``;
  return { kind, text: unit.text, via, depth, tool: facts.call.tool, reason };
}
