/**
 * The value that smol-toml read, as JSON: a date is its text, as the schemas expect. Own keys only, so that a key such as
 * `__proto__` stays a key.
 */
export function jsonOf(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(jsonOf);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member)]));
}
