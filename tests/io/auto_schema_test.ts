import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "smol-toml";
import "../../lib/shell/parse/loaded_parser.ts";
import { autoModeJson } from "../../scripts/auto_mode_json.ts";
import { schemaFiles } from "../../scripts/update_schemas.ts";
import { REPO } from "../support/spec_run.ts";

function text(path: string): string {
  return readFileSync(join(REPO, path), "utf8");
}

test("the files made of defaults/auto-mode.toml and of the schema are up to date", () => {
  assert.equal(text("defaults/auto-mode.json"), autoModeJson(text("defaults/auto-mode.toml")));
  const schema = "schema/auto-mode.schema.json";
  assert.equal(text(schema), schemaFiles().get(schema));
});

const validate = new Ajv2020({ strict: true, allErrors: true }).compile(
  JSON.parse(text("schema/auto-mode.schema.json")),
);

const CLASSIFIER = { base_url: "http://127.0.0.1:1/v1", model: "m" };

test("schema/auto-mode.schema.json takes what auto-mode.toml may hold", () => {
  const valid = [
    {},
    { allow: ["$defaults.allow", "Bash:cargo test *"], hard_deny: [], soft_deny: ["$defaults"] },
    { environment: ["x = $CWD $GIT_REMOTE $IS_MAIN_BRANCH", "$defaults.environment"] },
    { disable_auto_mode: true },
    { disableAutoMode: true },
    { classifier: { ...CLASSIFIER, api_key_env: "KEY", timeout_ms: 1 } },
  ];
  for (const value of valid) assert.ok(validate(value), JSON.stringify([value, validate.errors]));
});

test("schema/auto-mode.schema.json refuses what it may not hold", () => {
  const invalid = [
    { alow: [] },
    { allow: "Bash" },
    { allow: ["$defaults.hard_deny"] },
    { environment: ["$HOME"] },
    { disable_auto_mode: true, disableAutoMode: true },
    { classifier: {} },
    { classifier: { ...CLASSIFIER, api_key: "sk-1" } },
    { classifier: { ...CLASSIFIER, api_key_env: "sk-1" } },
    { classifier: { ...CLASSIFIER, timeout_ms: 0.5 } },
    { classifier: { ...CLASSIFIER, base_url: "https://u:p@x.org" } },
  ];
  for (const value of invalid) assert.ok(!validate(value), JSON.stringify(value));
});

test("the curated file could be a person's own, but for its version", () => {
  const { version, ...lists } = parse(text("defaults/auto-mode.toml"));
  assert.ok(Number.isInteger(version));
  assert.ok(validate(lists), JSON.stringify(validate.errors));
});

test("what the curated file cannot say is refused", () => {
  const rest = "environment = []\nhard_deny = []\nsoft_deny = []\n";
  const made = (list: string, version = "version = 1") => () =>
    autoModeJson(`${version}\n${rest}allow = ${list}\n`);
  assert.deepEqual(JSON.parse(made('["Bash:ls"]')()).allow, [
    { text: "Bash:ls", line: 5, column: 10 },
  ]);
  assert.throws(made("[]", ""), /version/);
  assert.throws(made("[]", "version = 0"), /version/);
  assert.throws(made("[]", "version = 1\nx = 1"), /"x"/);
  assert.throws(made('["Bash(ls"]'), /Bash\(ls/);
  assert.throws(made('["Bash:ls", "Bash:ls"]'), /stands twice/);
  assert.throws(made('["$defaults"]'), /element of allow/);
  assert.throws(made("[1]"), /element of allow/);
  assert.throws(made('["Nothing:x"]'), /Nothing/);
  assert.throws(made("["), /TOML/);
});
