import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { FAMILY } from "../../lib/cli/args/verb.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { SCHEMAS, schemaText } from "../../lib/policy/schema/schema_text.ts";
import { VERSION } from "../../lib/cli/version.ts";
import { sample } from "../support/cases.ts";
import { cacheEnv, REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const run = "Deno" in globalThis
  ? [process.execPath, "run", "--quiet", "--no-prompt", "--cached-only", "-RWEN"]
  : [process.execPath, "--no-env-file"];

function start(cli: string, args: readonly string[]) {
  const [program = "", ...flags] = run;
  return spawnSync(program, [...flags, cli, ...args], { encoding: "utf8" });
}

test("the version is the same everywhere", () => {
  for (const name of ["package.json", "deno.json"]) {
    assert.equal(JSON.parse(readFileSync(join(REPO, name), "utf8")).version, VERSION, name);
  }
});

test("schema prints the files of schema/ byte for byte", async () => {
  for (const name of SCHEMAS) {
    const file = readFileSync(join(REPO, `schema/${name}.schema.json`), "utf8");
    assert.equal(await schemaText(name), file);
  }
});

test("every verb that prints JSON has a spec of its errors as JSON", () => {
  const names = VERBS.filter(({ flags }) => flags.some(({ name }) => name === "json")).map((verb) =>
    `${(verb.path[0] === FAMILY ? verb.path.slice(1) : verb.path).join("_")}.spec.txt`
  );
  assert.deepEqual(readdirSync(join(REPO, "tests/specs/json_errors")).toSorted(), names.toSorted());
});

test("a module that cannot be loaded ends in 70", () =>
  withTempDir((folder) => {
    for (const name of ["cli.ts", "lib", "package.json", "deno.json"]) {
      cpSync(join(REPO, name), join(folder, name), { recursive: true });
    }
    rmSync(join(folder, "lib/cli/args/parse_args.ts"));
    const { status, stdout, stderr } = start(join(folder, "cli.ts"), ["schema", "decision"]);
    assert.equal(status, 70, stderr);
    assert.equal(stdout, "");
    assert.match(
      stderr,
      /^error: Cannot run caliban: it cannot be loaded: [^\n]*parse_args[^\n]*\nhint: Install caliban again\n$/,
    );
    // A model reads what a hook prints.
    const hook = start(join(folder, "cli.ts"), ["hook", "claude"]);
    assert.equal(hook.status, 2);
    assert.match(hook.stderr, /^caliban failed, so the call is stopped: [\x20-\x7e]+\n$/);
  }));

test("a long answer arrives whole in a slow pipe, and a closed pipe is no error", () => {
  const command = [...run, join(REPO, "cli.ts"), "schema", "permissions"]
    .map((word) => `'${word}'`).join(" ");
  const slow = spawnSync("bash", ["-c", `${command} | (sleep 0.3; cat)`], { encoding: "utf8" });
  assert.equal(slow.stdout, readFileSync(join(REPO, "schema/permissions.schema.json"), "utf8"));
  const closed = spawnSync("bash", ["-c", `${command} | true; echo "\${PIPESTATUS[0]}"`], {
    encoding: "utf8",
  });
  assert.equal(closed.stdout, "0\n");
  assert.equal(closed.stderr, "");
});

test(
  "every example of help works when it is pasted",
  { timeout: 120_000 },
  () =>
    withTempDir((folder) => {
      const bin = join(folder, "bin");
      mkdirSync(bin);
      // The server of an example is started.
      const all = "Deno" in globalThis ? [...run, "--allow-run"] : run;
      const words = [...all, join(REPO, "cli.ts")].map((word) => `'${word}'`).join(" ");
      writeFileSync(join(bin, "caliban"), `#!/bin/sh\nexec ${words} "$@"\n`);
      chmodSync(join(bin, "caliban"), 0o755);
      const examples = VERBS.flatMap(({ path, examples }) =>
        examples.map(({ command }) => ({ command, starter: path[0] !== "init" }))
      );
      for (const { command, starter } of sample(examples, 8, 12)) {
        if (/\| source$/.test(command)) continue; // That of fish; cli_completions_test.ts runs the script.
        checkExample(command, { folder, bin, starter });
      }
    }),
);

function checkExample(
  command: string,
  { folder, bin, starter }: { folder: string; bin: string; starter: boolean },
): void {
  const work = join(folder, "work");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, "home"), { recursive: true });
  mkdirSync(join(work, "project/.git"), { recursive: true });
  const env = { ...cacheEnv(), PATH: `${bin}:/usr/bin:/bin`, HOME: join(work, "home") };
  const options = { cwd: join(work, "project"), env, encoding: "utf8" } as const;
  if (starter) spawnSync("caliban", ["init"], options);
  const { status, stderr } = spawnSync("bash", ["-c", command], options);
  assert.ok(status !== null && status <= 2, `${command}: ${status}\n${stderr}`);
}
