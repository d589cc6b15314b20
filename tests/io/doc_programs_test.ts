// Needs --allow-read, --allow-write, --allow-env, --allow-run: the README's programs are run as people run them.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { cacheEnv, REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const CONFIG = ["--config", join(REPO, "deno.json")];
const RUN = "Deno" in globalThis
  ? [process.execPath, "run", "--quiet", "--no-prompt", "--cached-only", "-A", ...CONFIG]
  : [process.execPath, "--no-env-file"];

const README = readFileSync(join(REPO, "README.md"), "utf8");
const PROGRAMS: Readonly<Record<string, string>> = {
  "decide.ts": "README.md",
  "own_model.ts": "docs/auto-mode.md",
  "own_person.ts": "docs/library.md",
};

/** The program of that name of a page: the block of code whose first line is its name. */
function program(name: string): string {
  const page = readFileSync(join(REPO, PROGRAMS[name]!), "utf8");
  const start = page.indexOf(`\`\`\`ts\n// ${name}\n`);
  assert.ok(start >= 0, name);
  const text = page.slice(start + "```ts\n".length);
  return text.slice(0, text.indexOf("```"))
    .replaceAll('"@caliban/perms"', JSON.stringify(pathToFileURL(join(REPO, "mod.ts")).href));
}

/** The program's standard output, run in an empty workspace, and the same in the comments of its lines. */
function outputs(name: string): Promise<readonly [printed: string, promised: string]> {
  const text = program(name);
  return withTempDir((folder) => {
    mkdirSync(join(folder, "home"));
    writeFileSync(join(folder, name), text);
    const [command, ...args] = RUN;
    const { stdout, stderr, status } = spawnSync(command!, [...args, name], {
      cwd: folder,
      encoding: "utf8",
      env: { ...cacheEnv(), PATH: "/usr/bin:/bin", HOME: join(folder, "home") },
    });
    assert.equal(status, 0, stderr);
    const promised = [...text.matchAll(/^\/\/ prints: (.*)$/gm)].map(([, line]) => line);
    return Promise.resolve([stdout.trim(), promised.join("\n")] as const);
  });
}

for (const [name, page] of Object.entries(PROGRAMS)) {
  test(`${name} of ${page} prints what it promises`, async () => {
    const [printed, promised] = await outputs(name);
    assert.notEqual(promised, "");
    assert.equal(printed, promised);
  });
}

test("the README's first policy is that of its spec", () => {
  const spec = readFileSync(
    join(REPO, "tests/specs/examples/the_first_policy_of_the_readme.spec.txt"),
    "utf8",
  );
  const [, policy] = /^--- file: \.caliban\/permissions\.toml\n([\s\S]*?)^--- /m.exec(spec)!;
  assert.ok(README.includes(`\`\`\`toml\n${policy}\`\`\`\n`), policy);
  assert.equal(policy!.trimEnd().split("\n").length, 5);
});
