import type { Problem } from "../../model/problem.ts";
import type { Place } from "./keys.ts";
import type { TomlMember, TomlTable } from "../../text/toml_node.ts";
import { nearest } from "../../text/did_you_mean.ts";
import { KEYS, OLDER_KEYS, PLACE_NAMES } from "./keys.ts";
import { errorAt, quoted } from "../../text/problems.ts";

/** One problem for each key of the table that this kind of table does not have. */
export function unknownKeys(table: TomlTable, place: Place): readonly Problem[] {
  return [...table.members.values()]
    .filter((member) => !KEYS[place].includes(member.name))
    .map((member) => keyProblem(member, place));
}

function keyProblem(member: TomlMember, place: Place): Problem {
  const { name, key } = member;
  const cannot = `Cannot read key ${quoted(name)}`;
  const home = homeOf(name, place);
  if (home !== undefined) {
    const message = `${cannot}: it belongs ${PLACE_NAMES[home]}`;
    return errorAt(key, { id: "misplaced-key", message });
  }
  const near = nearest(name, offered(place));
  return errorAt(key, {
    id: "unknown-key",
    message: `${cannot}: there is no such key here`,
    hint: near === undefined ? keyList(place) : `Did you mean "${near}"?`,
  });
}

/** The kind of table that has the key, where the key is not a slip for one of this table's own (`tool` for `tools`). */
function homeOf(name: string, place: Place): Place | undefined {
  const near = nearest(name, offered(place));
  if (near !== undefined && Math.abs(near.length - name.length) === 1) return undefined;
  return PLACES.find((it) => it !== place && KEYS[it].includes(name));
}

const PLACES: readonly Place[] = ["permissions", "rule", "tool", "shell", "file"];

function keyList(place: Place): string {
  return `The keys here are ${offered(place).join(", ")}`;
}

function offered(place: Place): readonly string[] {
  return KEYS[place].filter((key) => !OLDER_KEYS.includes(key));
}
