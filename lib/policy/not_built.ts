import type { Place } from "./keys.ts";

/** A key, or one value of a key, that SPEC.md describes and this version does not have yet. */
interface NotBuilt {
  /** The kind of table it stands in. */
  readonly place: Place;
  /** The key. */
  readonly key: string;
  /** The value, when the key itself is built. */
  readonly value?: string | boolean;
}

/** Everything that is not built yet. Who builds a feature deletes its line. */
const NOT_BUILT: readonly NotBuilt[] = [
  { place: "permissions", key: "tests" },
  { place: "permissions", key: "audit_log", value: true },
  { place: "rule", key: "match" },
  { place: "rule", key: "not_match" },
];

/** Whether the key as a whole waits for its feature. */
export function isKeyNotBuilt(place: Place, key: string): boolean {
  return NOT_BUILT.some((it) => it.place === place && it.key === key && it.value === undefined);
}

/** Whether this value of a setting under `[permissions]` waits for its feature. */
export function isValueNotBuilt(key: string, value: string | boolean): boolean {
  return NOT_BUILT.some((it) => it.place === "permissions" && it.key === key && it.value === value);
}
