import type { Place } from "./place.ts";
import type { Cover } from "./unit.ts";
import type { UnitReader } from "./unit_reader.ts";
import type { Reading } from "./simple_reader.ts";
import { isFixed } from "./parse_word.ts";
import type { Word } from "./tree.ts";

/** Builtins that hand variables on to every later command. */
const EXPORTERS = /^(?:export|declare|typeset|readonly)$/;

/** Notes the variables that a command sets, and tells those that steer what runs afterwards. */
export function setVariables(
  { words, reading, node }: Reading,
  { line, place, covers }: { line: UnitReader; place: Place; covers: readonly Cover[] },
): void {
  const { facts } = line;
  const odd = (text: string, why: string) => line.addOdd({ text, why }, { place, covers });
  for (const { raw, name, value } of node.assignments) {
    facts.set(name, value);
    if (words.length === 0 && facts.knowledge.isSteering(name)) {
      odd(raw, `"${name}" steers what runs afterwards`);
    }
  }
  const builtin = words[0]?.shape ?? "";
  if (
    builtin === "set" && words.slice(1).some(({ shape }) => !/^[-+]/.test(shape) || shape === "--")
  ) {
    facts.set("@");
  }
  for (const { kind, value } of reading.uses) {
    if (kind !== "name") continue;
    const { name, text } = namedBy(value);
    facts.set(name, text);
    if (!isFixed(name) || !/^\w+$/.test(name)) {
      odd(value.raw, "which variable it sets is not fixed, or has a subscript that is evaluated");
    } else if (facts.knowledge.isSteering(name)) {
      odd(value.raw, `"${name}" steers what runs afterwards`);
    } else if (EXPORTERS.test(builtin) && text !== undefined && !facts.knowledge.isHarmless(name)) {
      odd(value.raw, `"${name}" reaches every program that runs afterwards`);
    }
  }
}

/** The variable that `NAME`, `NAME=value` or `NAME+=value` sets, and to what. */
function namedBy({ shape }: Word): { name: string; text?: Word } {
  const equals = shape.indexOf("=");
  if (equals < 0) return { name: shape };
  const value = shape.slice(equals + 1);
  const name = shape.slice(0, equals).replace(/\+$/, "");
  return { name, text: { raw: value, text: value, shape: value, splits: false } };
}
