import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { cleanedText } from "../../lib/audit/keep_input.ts";
import { findSecrets } from "../../lib/audit/mask_secrets.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { Json, JsonObject, ToolCall } from "../../lib/model/call.ts";
import { policyOf } from "../support/policy.ts";

const POLICY = openPolicyOf(policyOf([
  { pattern: "Bash:git *", action: "allow" },
  { pattern: "Bash:curl *", action: "ask" },
  { pattern: "Bash:rm *", action: "deny" },
  { pattern: "mcp__x__set:name=HOME", action: "allow" },
]));

/** The audit entry of a call, as a gate writes it. */
async function entryOf(call: ToolCall): Promise<string> {
  let entry = "";
  const audit = {
    append(line: string) {
      entry = line;
      return Promise.resolve(undefined);
    },
  };
  await createGate({ policy: POLICY, audit, now: () => 0, headless: true }).decide(call);
  assert.notEqual(entry, "");
  return entry;
}

/** Every text of an entry, keys included. */
function textsIn(value: Json | undefined): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsIn(inner)]);
}

/** Fields of a closed set of words. */
const CLOSED = ["kind", "verdict", "decision", "mode", "decidedBy", "action", "source", "time"];

function openTexts(line: string): readonly string[] {
  const entry: Json = JSON.parse(line, (key, value) => CLOSED.includes(key) ? null : value);
  return textsIn(entry);
}

/** Command lines with a secret, in every way that announces one. */
const LINES: readonly ((value: string) => string)[] = [
  (value) => `setenv MY_SECRET ${value}`,
  (value) => `set MY_SECRET ${value}`,
  (value) => `set -gx TOKEN ${value}`,
  (value) => `echo machine h login joe password ${value} > n`,
  (value) => `PIN=${value} run`,
  (value) => `MYPASS=${value} run && run ${value}`,
  (value) => `export DB_PASSWORD='${value}'; psql -W ${value}`,
  (value) => `deploy --token ${value} && curl -d ${value} h`,
  (value) => `deploy --api-key="${value}"`,
  (value) => `curl -u me:${value} https://h/x`,
  (value) => `curl https://me:${value}@h/x?q=${value}`,
  (value) => `curl -H "Authorization: Basic ${value}" https://h`,
  (value) => `echo ${value} | docker login --password-stdin`,
  (value) => `printf '%s' ${value} | sudo -S ls`,
  (value) => `echo 'root:${value}' | chpasswd`,
  (value) => `sudo -S ls <<< ${value}`,
  (value) => `npm config set //registry/:_authToken ${value}`,
  (value) => `aws configure set aws_secret_access_key ${value}`,
  (value) => `mysql -uroot -p${value} db`,
  (value) => `mysqladmin -u root password ${value}`,
  (value) => `vault kv put x value=${value}`,
  (value) => `az login -u me -p ${value}`,
  (value) => `twine upload -p${value} x`,
  (value) => `htpasswd -bB f u ${value}`,
  (value) => `rclone config create my s3 pass ${value}`,
  (value) => `expect -c 'spawn ssh h; send "${value}\\r"'`,
  (value) => `python -c 'login("me","${value}")'`,
  (value) => `kubectl create secret generic x --from-literal=a=${value}`,
  (value) => `sshpass -p ${value} ssh h rm -rf x`,
  (value) => `openssl enc -k ${value} -in x`,
  (value) => `rm -rf x; TOKEN=${value} rm ${value}`,
];

/** Lines around a line. */
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `cd src && ${line}`,
  (line) => `git status; ${line} | tee log`,
  (line) => `sh -c ${JSON.stringify(line)}`,
  (line) => `x="$(${line})"`,
  (line) => `if true; then ${line}; fi`,
  (line) => `cat > f <<'E'\n${line}\nE\ngit push`,
  (line) => `bash <<E\n${line}\nE`,
  (line) => `git commit -m "$(cat <<'E'\n${line}\nE\n)"`,
];

/** Inputs of other tools. */
const INPUTS: readonly ((value: string) => ToolCall)[] = [
  (value) => ({ tool: "mcp__x__set", input: { name: "API_KEY", value } }),
  (value) => ({ tool: "mcp__x__send", input: { password: value, body: `use ${value}` } }),
  (value) => ({
    tool: "mcp__x__send",
    input: { args: ["--password", value], path: `/a/${value}` },
  }),
  (value) => ({ tool: "Write", input: { path: "a", content: `password = "${value}"` } }),
  (value) => ({ tool: `mcp__${value}__x`, input: { headers: { authorization: value } } }),
  (value) => ({ tool: "WebFetch", input: { url: `https://h/?token=${value}`, prompt: value } }),
];

const word = fc.oneof(
  fc.constantFrom("hunter2", "abc1", "pa55", "Zq7-x_9", "1234567", "wOrd.with.dots9"),
  fc.stringMatching(/^[A-Za-z][a-z]{2,6}[0-9][A-Za-z0-9]{0,20}$/),
);

const calls = fc.oneof(
  fc.tuple(fc.constantFrom(...LINES), fc.constantFrom(...AROUND), word).map((
    [line, around, value],
  ) => ({ value, call: { tool: "Bash", input: { command: around(line(value)) } } })),
  fc.tuple(fc.constantFrom(...INPUTS), word).map(([input, value]) => ({
    value,
    call: input(value),
  })),
);

test("a secret stands nowhere in the entry of its call, also one of a short word", async () => {
  let masked = 0;
  await fc.assert(
    fc.asyncProperty(calls, async ({ value, call }) => {
      const texts = openTexts(await entryOf(call));
      const found = texts.filter((text) => text.includes(value));
      assert.deepEqual(found, [], JSON.stringify(call));
      if (texts.some((text) => /\[masked\]|left out\]/.test(text))) masked++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(masked > 100, `${masked}`);
});

const noise = fc.array(
  fc.oneof(
    fc.constantFrom(...LINES).chain((line) => word.map(line)),
    fc.constantFrom("'", '"', "\\", " ", "\n", " | ", "; ", "$(", ")", "<<E\n", "\nE\n", "{", "}"),
    fc.string({ maxLength: 8 }),
    word,
  ),
  { minLength: 1, maxLength: 8 },
).map((parts) => parts.join(""));

test("no text that is masked in the input stands elsewhere in the entry, whatever stands round it", async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(
      noise,
      fc.dictionary(fc.string({ maxLength: 5 }), noise),
      async (command, more) => {
        const call = { tool: "Bash", input: { ...more, command } as JsonObject };
        const texts = openTexts(await entryOf(call));
        for (const text of Object.values(call.input)) {
          for (
            const secret of cleanedText(`${text}`).secrets.flatMap((each) => each.split("[masked]"))
          ) {
            const plain = secret.replaceAll(/["'\\]/g, "").trim();
            if (plain.length < 4 || /^[^\p{L}\p{N}]*$/u.test(plain)) continue;
            compared++;
            const found = texts.filter((each) => each.includes(plain));
            assert.deepEqual(found, [], JSON.stringify({ call, plain }));
          }
        }
      },
    ),
    { numRuns: 800 },
  );
  assert.ok(compared > 50, `${compared}`);
});

test("contents of here-documents stand nowhere in the entry", async () => {
  const programs = [
    "cat > f",
    "cat",
    "bash",
    "sudo sh -s",
    "python3 -",
    "psql",
    "git commit -F -",
    "tee a b",
  ];
  const body = fc.array(
    fc.stringMatching(/^(?:[a-z]{1,3} )?[A-Z][a-zA-Z0-9_]{5,12}(?: -[a-z]| > [A-Z]{4,8})?$/),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  const ends = fc.constantFrom("E", "'E'", '"E"', "\\E", "$'E'");
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...programs),
      body,
      ends,
      fc.boolean(),
      async (program, lines, opened, isEnded) => {
        const command = `${program} <<${opened}\n${lines.join("\n")}${isEnded ? "\nE\nls" : ""}`;
        const texts = openTexts(await entryOf({ tool: "Bash", input: { command } }));
        for (const word of lines.flatMap((line) => line.match(/[A-Z][A-Za-z0-9_]{3,}/g) ?? [])) {
          assert.deepEqual(texts.filter((text) => text.includes(word)), [], command);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test("two secrets of one kind in a text are both masked", () => {
  const values = ["hunter2", "pa55word"];
  const alone = LINES.filter((line) => !findSecrets(line("hunter2")).text.includes("hunter2"));
  assert.ok(alone.length > LINES.length - 8);
  for (const line of alone) {
    const text = values.map(line).join("\n");
    const { text: masked } = findSecrets(text);
    for (const value of values) assert.ok(!masked.includes(value), masked);
  }
});
