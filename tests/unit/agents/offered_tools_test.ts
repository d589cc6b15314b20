// Each field that the real packages offer their model (tests/cases/agents/offered_tools.json) is held to the rules about what it names.
// `deno task test:peers` reads the tools and fields from the packages.
import assert from "node:assert/strict";
import { test } from "node:test";
import { answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import { EventFault } from "../../../lib/agents/hook/hook_protocol.ts";
import { agentProfile } from "../../../lib/agents/profile.ts";
import type { AgentName } from "../../../lib/agents/registry.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { Json, JsonObject } from "../../../lib/model/call.ts";
import table from "../../cases/agents/offered_tools.json" with { type: "json" };
import { HOOKS, sampleEvent } from "../../support/agents.ts";
import { policyOf } from "../../support/policy.ts";

interface Offered {
  readonly version: string;
  readonly tools: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const AGENTS = Object.entries(table.agents as unknown as Readonly<Record<AgentName, Offered>>) as [
  AgentName,
  Offered,
][];

const PROJECT = "/home/u/w";

/** Values that a rule is about, a value that none is about, and the denial. */
interface Meaning {
  readonly denied: readonly Json[];
  readonly allowed?: Json;
  readonly rule: string;
}

const SECRET = `${PROJECT}/secret`;
const SEARCHED: Meaning = {
  denied: [SECRET, `${SECRET}/x`],
  allowed: `${PROJECT}/docs`,
  rule: `Read:${SECRET}/**`,
};
const GLOB: Meaning = { denied: ["**/.env", ".env"], allowed: "*.md", rule: "Read:**/.env" };

const MEANINGS: Readonly<Record<string, Meaning>> = {
  read: { denied: [`${PROJECT}/.env`], allowed: `${PROJECT}/a.md`, rule: "Read:**/.env" },
  write: { denied: [`${PROJECT}/.env`], allowed: `${PROJECT}/a.md`, rule: "Write:**/.env" },
  searched: SEARCHED,
  "searched words": {
    ...SEARCHED,
    denied: [
      ...SEARCHED.denied,
      ...[[`${PROJECT}/docs`, SECRET], [SECRET], ["docs 'secret'"]],
      ...["docs secret", `docs\t"${SECRET}"`],
    ],
  },
  glob: GLOB,
  "glob list": { ...GLOB, denied: [...GLOB.denied, ["*.md", "**/.env"]] },
  folder: { denied: [SECRET, "secret"], allowed: PROJECT, rule: `Read:${SECRET}/**` },
  command: { denied: ["rm x", "true && rm x"], allowed: "ls", rule: "Bash:rm *" },
  code: { denied: ["rm x"], rule: "Bash:rm *" },
  url: {
    denied: ["https://evil.example/x"],
    allowed: "https://good.example/x",
    rule: "WebFetch:domain:evil.example",
  },
  urls: { denied: ["see https://evil.example/x, please"], rule: "WebFetch:domain:evil.example" },
};

/** The answer to a call of an agent, in words. */
function answerTo(agent: AgentName, call: JsonObject, rule: string | undefined): string {
  const { event, env } = sampleEvent(agent, { command: "x", folder: PROJECT });
  const changed = Object.entries(event).map(([key, value]) => {
    if (/^tool_?name$/i.test(key)) return [key, call["name"]!];
    if (key === "tool_call") return [key, { ...(value as JsonObject), ...call }];
    if (!/^tool_?(?:input|args)$/i.test(key)) return [key, value];
    return [key, typeof value === "string" ? JSON.stringify(call["input"]) : call["input"]!];
  });
  const rules = [
    ...(rule === undefined ? [] : [{ pattern: rule, action: "deny" } as const]),
    { pattern: "*", action: "allow" } as const,
  ];
  const policy = policyOf(rules, { cwd: PROJECT });
  try {
    const read = HOOKS[agent].read(Object.fromEntries(changed), { env: (key) => env[key] });
    return answerEvent(read, { policy, others: [], mode: defaultMode, now: 0 }).action;
  } catch (error) {
    if (error instanceof EventFault) return "deny";
    throw error;
  }
}

/** An input with a value at a dotted path. */
function inputWith(path: string, value: Json): JsonObject {
  return path.split(".").reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;
}

function valueOf(text: string): Json {
  return text === "true" ? true : text;
}

for (const [agent, { version, tools }] of AGENTS) {
  test(`${agent}: rules hold for each field that names something`, () => {
    assert.ok(version.startsWith(agentProfile(agent).version), `${version} was read`);
    const { event } = sampleEvent(agent, { command: "rm x", folder: PROJECT });
    const shell = event["tool_name"] ?? event["toolName"] ?? "bash";
    for (const [name, fields] of Object.entries(tools)) {
      const command = Object.keys(fields).find((field) => fields[field] === "command");
      const inputField = Object.keys(fields).find((field) => fields[field] === "input");
      for (const [field, meaning] of Object.entries(fields)) {
        if (meaning === "" || meaning === "input") continue;
        const at = `${agent} ${name} ${field}`;
        if (meaning.startsWith("rights: ")) {
          const input = inputWith(field, valueOf(meaning.slice("rights: ".length)));
          const whole = command === undefined ? input : { [command]: "ls", ...input };
          assert.equal(answerTo(agent, { name, input: whole }, undefined), "ask", at);
        } else if (meaning === "unread") {
          assert.equal(
            answerTo(agent, { name, input: inputWith(field, "x") }, undefined),
            "deny",
            at,
          );
        } else if (meaning === "tool") {
          const input = { [field]: shell, [inputField!]: { command: "rm x" } };
          assert.equal(answerTo(agent, { name, input }, "Bash:rm *"), "deny", at);
          assert.equal(answerTo(agent, { name, input }, undefined), "allow", at);
        } else {
          const known = MEANINGS[meaning];
          assert.ok(
            known,
            `${at}: "${meaning}" is no meaning; read the tool and say what the field names`,
          );
          const more = meaning === "folder" ? { [command!]: "cat a" } : {};
          const asked = (value: Json) => ({ name, input: { ...more, ...inputWith(field, value) } });
          for (const value of known.denied) {
            assert.equal(
              answerTo(agent, asked(value), known.rule),
              "deny",
              `${at} ${JSON.stringify(value)}`,
            );
          }
          if (known.allowed !== undefined) {
            const told = `${at} ${JSON.stringify(known.allowed)}`;
            assert.notEqual(answerTo(agent, asked(known.allowed), known.rule), "deny", told);
          }
        }
      }
    }
  });
}
