import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import TOOLS from "../../defaults/tools.json" with { type: "json" };
import { permissionsJson, toolsJson } from "../../scripts/defaults_json.ts";
import { generatedFiles } from "../../scripts/generated_files.ts";
import { BLOCKS, filledBlocks } from "../../scripts/doc_blocks.ts";
import { REPO } from "../support/spec_run.ts";

test("every generated file is up to date: run deno task update", async () => {
  const files = await generatedFiles((path) => readFileSync(join(REPO, path), "utf8"));
  const stale = [...files].filter(([path, text]) => {
    const file = join(REPO, path);
    return !existsSync(file) || readFileSync(file, "utf8") !== text;
  });
  assert.deepEqual(stale.map(([path]) => path), []);
  assert.ok(files.size >= 5);
});

test("a rule of the defaults keeps the place of its header", () => {
  const toml = '# head\n\n  [[permissions.rules]]\n  pattern = "Read"\n  action = "allow"\n';
  const rules = [{ pattern: "Read", action: "allow", comment: "", line: 3, column: 3 }];
  assert.deepEqual(JSON.parse(permissionsJson(toml)), { rules });
});

test("what the defaults cannot say is refused", () => {
  const rule = (text: string) => () => permissionsJson(`[[permissions.rules]]\n${text}`);
  assert.throws(rule('pattern = "Read"\naction = "alow"'), /alow/);
  assert.throws(rule('pattern = "Read"'), /action/);
  assert.throws(rule('pattern = "Read"\naction = "deny"\nreason = "x"'), /reason/);
  assert.throws(() => permissionsJson('permissions = { rules = [{ pattern = "Read" }] }'), Error);
  assert.throws(() => permissionsJson("[permissions]\nrules = 1"), /not an array/);
  const tool = (text: string) => () => toolsJson(`[Bash]\nfirst_arg = ["command"]\n${text}`);
  assert.throws(tool('kind = "comand"\nclass = "execute"'), /comand/);
  assert.throws(tool('kind = "command"'), /class/);
  assert.throws(tool('kind = "command"\nclass = "execute"\nfield = []'), /field/);
  assert.throws(tool('kind = "command"\nclass = "execute"\nsearches = {}'), /searches.path/);
});

test("a tool's profile has the names of the model", () => {
  const toml = '[Grep]\nfirst_arg = []\nkind = "text"\nclass = "read"\n' +
    'searches = { path = "path", glob = "glob" }\n';
  const wordsOf = (lists: object) =>
    Object.fromEntries(Object.keys(lists).map((name) => [name, [`${name} word`]]));
  const [keys, names] = [wordsOf(TOOLS.keys), wordsOf(TOOLS.names)];
  const written = (lists: object) =>
    Object.entries(lists).map(([name, words]) => `${name} = ${JSON.stringify(words)}\n`).join("");
  const facts = `[keys]\n${written(keys)}[names]\n${written(names)}` +
    '[[rights]]\nfields = ["login"]\nsafe = ["no"]\n';
  assert.deepEqual(JSON.parse(toolsJson(toml + facts)), {
    keys,
    names,
    rights: [{ fields: ["login"], safe: ["no"] }],
    tools: [{
      name: "Grep",
      firstArg: [],
      kind: "text",
      class: "read",
      fields: [],
      searches: { path: "path", glob: "glob" },
    }],
  });
});

test("generated blocks are filled in place, and again to the same", () => {
  const marked = [...BLOCKS.keys()].map((name) =>
    `before\n<!-- generated:${name} -->\nold\n<!-- /generated:${name} -->\nafter\n`
  ).join("");
  const filled = filledBlocks(marked);
  assert.equal(filledBlocks(filled), filled);
  assert.equal(filled.match(/^(?:before|after)$/gm)?.length, 2 * BLOCKS.size);
  assert.doesNotMatch(filled, /^old$/m);
  assert.match(filled, /\| `builtin` \|/);
});

test("a block without its end, or that nothing makes, is refused", () => {
  assert.throws(() => filledBlocks("<!-- generated:verbs -->\n"), /lacks/);
  assert.throws(() => filledBlocks("<!-- generated:x -->\n<!-- /generated:x -->"), /"x"/);
});
