// Needs --allow-read: the examples in tests/cases/permissions/ are files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsModule from "ajv-formats";
import { parse } from "smol-toml";
import type { ProblemId } from "../../lib/model/problem.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { permissionsSchema } from "../../lib/policy/schema/permissions_schema.ts";
import { schemaFiles } from "../../scripts/update_schemas.ts";
import { jsonOf } from "../laws/decode_json.ts";

const ROOT = new URL("../../", import.meta.url);
const CASES = new URL("tests/cases/permissions/", ROOT);

/** Faults that are none of shape: the TOML itself, and the calendar, which only the decoder and ajv-formats know. */
const NOT_IN_JSON: readonly ProblemId[] = ["toml-syntax", "too-large"];
const NOT_IN_ZOD: readonly ProblemId[] = [...NOT_IN_JSON, "invalid-date"];

// The types of ajv-formats describe its CommonJS face; both runtimes give the function itself.
const addFormats = formatsModule as unknown as (ajv: Ajv2020) => void;

function examples(folder: "valid" | "invalid"): readonly (readonly [string, string])[] {
  const url = new URL(`${folder}/`, CASES);
  const names = readdirSync(url).filter((name) => name.endsWith(".toml")).sort();
  return names.map((name) => [name, readFileSync(new URL(name, url), "utf8")] as const);
}

function validator(path: string) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats(ajv);
  return ajv.compile(JSON.parse(readFileSync(new URL(path, ROOT), "utf8")));
}

test("the schemas in schema/ are those of the code", () => {
  for (const [path, text] of schemaFiles()) {
    assert.equal(readFileSync(new URL(path, ROOT), "utf8"), text, path);
  }
});

test("every valid example is taken by decoder, zod and JSON Schema", () => {
  const validate = validator("schema/permissions.schema.json");
  const valid = examples("valid");
  assert.ok(valid.length >= 8);
  for (const [name, text] of valid) {
    assert.deepEqual(decodePolicy(text).problems, [], name);
    const json = jsonOf(parse(text));
    assert.ok(permissionsSchema.safeParse(json).success, name);
    assert.ok(validate(json), `${name}: ${JSON.stringify(validate.errors)}`);
  }
});

test("every invalid example has exactly the problems its first lines name", () => {
  const invalid = examples("invalid");
  assert.ok(invalid.length >= 19);
  for (const [name, text] of invalid) {
    const expected = [...text.matchAll(/^# problem: (.+?)\r?$/gm)].map((match) => match[1]);
    const found = decodePolicy(text).problems.map(({ id, span }) =>
      `${id} ${span.line}:${span.column}`
    );
    assert.deepEqual(found, expected, name);
  }
});

test("every invalid example whose fault is one of shape is refused by zod and JSON Schema", () => {
  const validate = validator("schema/permissions.schema.json");
  for (const [name, text] of examples("invalid")) {
    const ids = decodePolicy(text).problems.map((problem) => problem.id);
    if (ids.every((id) => NOT_IN_JSON.includes(id))) continue;
    const json = jsonOf(parse(text));
    assert.ok(!validate(json), name);
    const isKnownToZod = !ids.every((id) => NOT_IN_ZOD.includes(id)) || name === "no_zone.toml";
    assert.equal(permissionsSchema.safeParse(json).success, !isKnownToZod, name);
  }
});

test("schema/decision.schema.json takes a decision and refuses a word that is not in it", () => {
  const validate = validator("schema/decision.schema.json");
  const rule = {
    pattern: "Bash:git *",
    action: "allow",
    index: 0,
    source: { kind: "project", path: "/w/.caliban/permissions.toml", line: 2, column: 1 },
  };
  const unit = {
    text: "git push",
    kind: "command",
    via: null,
    depth: 0,
    classes: ["service"],
    verdict: "allow",
    decision: "allow",
    rule,
  };
  const decision = {
    tool: "Bash",
    input: { command: "git push" },
    verdict: "allow",
    decision: "allow",
    mode: "default",
    decidedBy: "rule",
    rule,
    reason: "the rule allows it",
    units: [unit],
    warnings: [],
  };
  assert.ok(validate(decision), JSON.stringify(validate.errors));
  for (const kind of ["call", "opaque", "read", "write", "url"]) {
    const reached = { ...unit, kind, via: "sudo", depth: 1 };
    assert.ok(validate({ ...decision, units: [unit, reached] }), kind);
  }
  assert.ok(!validate({ ...decision, units: [{ ...unit, kind: "line" }] }));
  assert.ok(!validate({ ...decision, units: [{ ...unit, depth: -1 }] }));
  const explained = { ...decision, rule: null, sources: [], steps: [], remedy: null, notices: [] };
  assert.ok(validate(explained), JSON.stringify(validate.errors));
  for (
    const wrong of [{ decidedBy: "luck" }, { verdict: "maybe" }, { mode: "yolo" }, { extra: 1 }]
  ) {
    assert.ok(!validate({ ...decision, ...wrong }), JSON.stringify(wrong));
  }
});
