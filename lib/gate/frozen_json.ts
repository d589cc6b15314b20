import type { Json } from "../model/call.ts";

/** Deeper values are taken for no tool's input. */
const MAX_DEPTH = 200;

/**
 * A deeply frozen copy without members that are undefined. Undefined for a value that is no JSON, holds itself or is deeper
 * than 200 values.
 */
export function frozenJson(value: unknown): Json | undefined {
  return copied(value, { depth: 0, copies: new Map() });
}

interface Copying {
  readonly depth: number;
  /** The copy; undefined while it is being made. */
  readonly copies: Map<object, Json | undefined>;
}

function copied(value: unknown, { depth, copies }: Copying): Json | undefined {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || depth >= MAX_DEPTH) return undefined;
  if (copies.has(value)) return copies.get(value);
  copies.set(value, undefined);
  const copy = Array.isArray(value)
    ? copiedList(value, { depth: depth + 1, copies })
    : copiedObject(value, { depth: depth + 1, copies });
  if (copy !== undefined) copies.set(value, Object.freeze(copy));
  return copy;
}

function copiedList(list: readonly unknown[], copying: Copying): Json | undefined {
  const copy = Array.from(list, (member) => copied(member, copying));
  return copy.every((member) => member !== undefined) ? copy : undefined;
}

function copiedObject(value: object, copying: Copying): Json | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!isPlain) return undefined;
  const members: [string, Json][] = [];
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    const copy = copied(member, copying);
    if (copy === undefined) return undefined;
    members.push([key, copy]);
  }
  return Object.fromEntries(members);
}
