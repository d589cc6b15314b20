// Every input of Claude Code's own tools that names a file, URL or command is held to the rules for such things: read from the
// types of its SDK, so that a new tool is found when the package is updated.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { policyFromToml } from "../../lib/core.ts";
import type { Json, JsonObject } from "../../lib/model/call.ts";

const TYPES = new URL(
  "./node_modules/@anthropic-ai/claude-agent-sdk/sdk-tools.d.ts",
  import.meta.url,
);

/** The tools whose interface has another name. */
const NAMES: Readonly<Record<string, string>> = {
  FileEdit: "Edit",
  FileRead: "Read",
  FileWrite: "Write",
  ReadMcpResource: "ReadMcpResourceTool",
  ReadMcpResourceDir: "ReadMcpResourceDirTool",
};

const NAMING = /(?:command|script|path|paths|url|uri|file)$/i;

const DENIED: readonly (readonly [name: RegExp, text: string])[] = [
  [/(?:command|script)$/i, "rm x"],
  [/(?:url|uri)$/i, "https://evil.example/x"],
  [/./, "/x/.env"],
];

const POLICY = policyFromToml(`[permissions]
rules = [
  { pattern = "Bash:rm *", action = "deny" },
  { pattern = "WebFetch:domain:evil.example", action = "deny" },
  { pattern = "Read:**/.env", action = "deny" },
  { pattern = "Write:**/.env", action = "deny" },
  { pattern = "*", action = "allow" },
]
`);

/** The dotted names of an interface's properties; those of nested objects below the names of theirs. */
function propertiesOf(body: string): readonly (readonly string[])[] {
  const found: string[][] = [];
  const above: (string | undefined)[] = [];
  let last: string | undefined;
  for (const [token, name] of body.matchAll(/"?([\w$-]+)"?\??:|[{};]/g)) {
    if (name !== undefined) {
      last = name;
      found.push([...above.filter((each) => each !== undefined), name]);
    } else if (token === "{") above.push(last);
    else if (token === "}") above.pop();
    else last = undefined;
  }
  return found;
}

function nested(path: readonly string[], text: string): JsonObject {
  return path.reduceRight<Json>((value, key) => ({ [key]: value }), text) as JsonObject;
}

test("no input of Claude Code's tools names what the rules deny and is allowed", () => {
  const text = readFileSync(TYPES, "utf8").replace(/\/\*.*?\*\//gs, "");
  const interfaces = [...text.matchAll(/export interface (\w+)Input \{\n(.*?)\n\}/gs)];
  const tried = interfaces.flatMap(([, name, body]) =>
    propertiesOf(body!).filter((path) => NAMING.test(path.at(-1)!)).map((path) => {
      const denied = DENIED.find(([pattern]) => pattern.test(path.at(-1)!))!;
      const call = { tool: NAMES[name!] ?? name!, input: nested(path, denied[1]) };
      return { call, action: POLICY.evaluate(call).action };
    })
  );
  assert.ok(tried.length >= 15, `only ${tried.length} properties`);
  assert.deepEqual(tried.filter(({ action }) => action === "allow"), []);
});
