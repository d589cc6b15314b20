import type { Definition, PinRecord, ServerPins, ToolPin } from "./tool_pins.ts";

const HASH = /^[0-9a-f]{64}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The text of a record: JSON, version 1, ended by a newline. */
export function formatPins(record: PinRecord): string {
  const servers = [...record].map(([key, { tools, ...server }]) => ({
    key,
    ...server,
    tools: [...tools].map(([name, pin]) => ({ name, ...pin })),
  }));
  return JSON.stringify({ version: 1, servers }, null, 1) + "\n";
}

/** Reads the text of a record. Strict, since it answers questions: throws SyntaxError for what `formatPins` would not write. */
export function parsePins(text: string): PinRecord {
  const { version, servers } = membersOf(JSON.parse(text), ["version", "servers"]);
  if (version !== 1) throw new SyntaxError(`the version is ${JSON.stringify(version)}, not 1`);
  return new Map(
    listOf(servers).map((each) => {
      const { key, server, program, workspace, tools } = membersOf(each, SERVER);
      const named = listOf(tools).map(toolPin);
      return [
        hashOf(key),
        {
          server: textOf(server),
          program: textOf(program),
          workspace: textOf(workspace),
          tools: new Map(named),
        } satisfies ServerPins,
      ];
    }),
  );
}

const SERVER = ["key", "server", "program", "workspace", "tools"];

function toolPin(value: unknown): readonly [name: string, pin: ToolPin] {
  const { name, accepted, waiting } = membersOf(value, ["name", "accepted", "waiting"]);
  return [textOf(name), {
    ...(accepted === undefined ? {} : { accepted: definitionOf(accepted) }),
    ...(waiting === undefined ? {} : { waiting: definitionOf(waiting) }),
  }];
}

function definitionOf(value: unknown): Definition {
  const { hash, at, text } = membersOf(value, ["hash", "at", "text"]);
  if (typeof at !== "string" || !TIME.test(at)) throw new SyntaxError('"at" is not a time');
  return { hash: hashOf(hash), at, ...(text === undefined ? {} : { text: jsonOf(text) }) };
}

function hashOf(value: unknown): string {
  if (typeof value === "string" && HASH.test(value)) return value;
  throw new SyntaxError("a hash is not 64 hexadecimal digits");
}

/** A text that is JSON. */
function jsonOf(value: unknown): string {
  const text = textOf(value);
  JSON.parse(text);
  return text;
}

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  throw new SyntaxError("a value is not a string");
}

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new SyntaxError("a value is not a list");
}

function membersOf(value: unknown, names: readonly string[]): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new SyntaxError("a value is not an object");
  }
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new SyntaxError(`the key ${JSON.stringify(unknown)} is unknown`);
  return { ...value };
}
