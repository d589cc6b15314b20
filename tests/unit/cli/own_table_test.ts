import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { EVERYWHERE } from "../../../lib/cli/args/flags.ts";
import { type Flag, flagUsage, pathsOf, takesValue, verbName } from "../../../lib/cli/args/verb.ts";
import { VERBS } from "../../../lib/cli/registry.ts";
import type { Program } from "../../../lib/shell/programs/program.ts";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { readLine } from "../../../lib/shell/read_line.ts";

const OWN = new ProgramCatalog().program("caliban")!;

const VALUE = "x/some.file";

/** The effects of a line, each as its kind and text. */
function effectsOf(line: string): readonly string[] {
  return readLine(line).effects.map(({ kind, text }) => `${kind} ${text}`);
}

/** The kind of effect that the value of a flag must have, by its name in help. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  FILE: [`read ${VALUE}`],
  DIR: [`read ${VALUE}`],
  OTHER: [`read ${VALUE}`],
  COMMAND: [`command ${VALUE}`],
  URL: [`url http://${VALUE}`],
  PATTERN: [],
  TEXT: [],
  TIME: [],
  NAME: [],
  IDS: [],
  ID: [],
  N: [],
  PERCENT: [],
};

/** Flags whose folder nothing is read in. */
const NAMED_ONLY = new Set(["cwd"]);

/** Flags with which a verb runs or changes what the line does not name. */
const ACTING: Readonly<Record<string, "acts" | "in_place">> = {
  trust: "acts",
  fix: "in_place",
  update: "in_place",
};

/** Operands that are no files. */
const TEXTS = new Set([
  ...["tool", "input", "pattern", "action", "agent", "event", "name", "shell", "command"],
]);

function subOf(path: readonly string[]): Program | undefined {
  return path.reduce<Program | undefined>((program, word) => program?.sub(word), OWN);
}

/** True if a flag stands in a list of the table, of the verb or of the program. */
function isListed(flag: Flag, verb: Program): boolean {
  const name = `--${flag.name}`;
  return verb.options.has(name) || OWN.table.flags?.includes(name) === true;
}

function lineOf(path: readonly string[], flag: Flag): string {
  const value = flag.value === "URL" ? `http://${VALUE}` : flag.choices?.[0] ?? VALUE;
  return ["caliban", ...path, `--${flag.name}`, ...(takesValue(flag) ? [value] : [])].join(" ");
}

for (const verb of VERBS) {
  for (const path of pathsOf(verb)) {
    test(`the table of caliban has the verb "${path.join(" ")}" with its flags and operands`, () => {
      const sub = subOf(path);
      assert.ok(sub !== undefined, `no table for "${verbName(verb)}"`);
      for (const flag of [...verb.flags, ...EVERYWHERE]) {
        assert.ok(isListed(flag, sub), `no list has ${flagUsage(flag)} of "${verbName(verb)}"`);
        const option = sub.options.get(`--${flag.name}`);
        assert.equal(option?.takes === "needed", takesValue(flag), flagUsage(flag));
        const acting = ACTING[flag.name];
        assert.ok(acting === undefined || option?.lists.includes(acting), flagUsage(flag));
        const wanted = takesValue(flag) && flag.value !== undefined && !NAMED_ONLY.has(flag.name)
          ? VALUES[flag.value]
          : [];
        assert.ok(wanted !== undefined, `${flagUsage(flag)}: say what the value is`);
        const effects = effectsOf(lineOf(path, flag));
        for (const effect of wanted) {
          assert.ok(effects.includes(effect), `${lineOf(path, flag)}: ${effects}`);
        }
      }
      for (const [at, { name, choices }] of verb.operands.entries()) {
        if (TEXTS.has(name) || choices !== undefined) continue;
        const words = verb.operands.slice(0, at).map(() => "y");
        const line = ["caliban", ...path, ...words, VALUE].join(" ");
        assert.ok(effectsOf(line).includes(`read ${VALUE}`), `${line}: ${effectsOf(line)}`);
      }
    });
  }
}

test("no sub-command and no option of the table is none of caliban's", () => {
  const flags = new Set(
    [...VERBS.flatMap((verb) => verb.flags), ...EVERYWHERE].flatMap(({ name, short }) =>
      short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`]
    ),
  );
  assert.deepEqual([...OWN.options.keys()].filter((name) => !flags.has(name)), []);
  const verbs = new Set(VERBS.flatMap((verb) => pathsOf(verb).map((path) => path[0])));
  const subs = Object.entries(OWN.table.sub ?? {}).flatMap((
    [name, { also = [] }],
  ) => [name, ...also]);
  assert.deepEqual(subs.filter((name) => !verbs.has(name) && name !== "perms"), []);
});

/** Ways to start it. */
const STARTS: readonly string[] = [
  "caliban",
  "/usr/local/bin/caliban",
  "./node_modules/.bin/caliban",
  "npx caliban",
  "npx -y caliban@1.2.3",
  "npx @caliban/perms",
  "bunx caliban",
  "bunx @caliban/perms@latest",
  "pnpm dlx @caliban/perms",
  "deno run --allow-read cli.ts",
  "deno run --allow-read=. /opt/caliban/cli.ts",
  "deno run jsr:@caliban/perms/cli",
  "deno run npm:@caliban/perms@0.1.0",
  "deno task caliban",
  "node dist/caliban.js",
  "node --no-warnings /x/caliban.mjs",
  "bun cli.ts",
  "bun run caliban",
  "npm run caliban --",
  "npm exec caliban --",
  "yarn caliban",
  "pnpm caliban",
  "sudo caliban",
  "env -i caliban",
  "caliban.exe",
  "xargs caliban",
];

for (const start of STARTS) {
  test(`it is caliban: ${start}`, () => {
    const inner = effectsOf(`${start} hook try PreToolUse Bash ls --command 'rm -rf x'`);
    assert.ok(inner.includes("command rm -rf x"), `${inner}`);
    const read = effectsOf(`${start} perms lint .env`);
    assert.ok(read.includes("read .env"), `${read}`);
  });
}

test("a script of another program that has the name of ours runs as before", () => {
  for (const line of ["node tools/cli.js build src", "node cli.js --watch src", "./cli.ts make"]) {
    const inside = effectsOf(line).filter((effect) => !effect.startsWith("command "));
    assert.deepEqual(inside.filter((effect) => !effect.includes("node")), [], line);
  }
});
