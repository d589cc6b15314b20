// Needs --allow-net=127.0.0.1: a registry of packages, which has none, is a server in this process.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { CLI, commandOf, finish, unwrapped, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const NEEDS = { skip: without("deno") };
const FLAGS = ["run", "--quiet", "--no-prompt", "--allow-read", "--allow-env"];
/** A line that needs the parser. */
const OTHER = "if true; then ls; fi";
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: OTHER },
  session_id: "x",
  cwd: "/",
});

/** Runs `use` with the address of a registry that answers every request with an error, and the names that it is asked for. */
async function withRegistry(
  use: (address: string, asked: ReadonlySet<string>) => Promise<void>,
): Promise<void> {
  const asked = new Set<string>();
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    asked.add(path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/"));
    response.writeHead(404).end("{}");
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", () => ready()));
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test(
  "with an empty cache, check asks for no package, or for the parser of a line that needs it, and says that it lacks it",
  NEEDS,
  () =>
    withRegistry((address, asked) =>
      withTempDir(async (folder) => {
        const env = { HOME: folder, DENO_DIR: join(folder, "cache"), NPM_CONFIG_REGISTRY: address };
        const place = { cwd: folder, env };
        const check = [commandOf("deno"), ...FLAGS, CLI, "check", "Bash"];
        const plain = await finish([...check, "ls"], place);
        assert.equal(plain.status, 2, plain.stderr);
        assert.deepEqual([...asked], []);
        const { status, stdout, stderr } = await finish([...check, OTHER], place);
        assert.equal(status, 70, stderr);
        assert.equal(stdout, "");
        assert.match(
          unwrapped(stderr),
          /^error: Cannot fetch the package "[\w-]+@[\d.]+": .*tarball/,
        );
        assert.match(unwrapped(stderr), /\nhint: .*DENO_TLS_CA_STORE=system.*SSL_CERT_FILE/);
        assert.doesNotMatch(stderr, /\\u\{1b\}|a bug/);
        assert.deepEqual([...asked], ["unbash"]);
      })
    ),
);

test(
  "a hook without its packages stops the call",
  NEEDS,
  () =>
    withRegistry((address) =>
      withTempDir(async (folder) => {
        const env = { HOME: folder, DENO_DIR: join(folder, "cache"), NPM_CONFIG_REGISTRY: address };
        const words = [commandOf("deno"), ...FLAGS, CLI, "hook"];
        const place = { cwd: folder, env, input: EVENT };
        const claude = await finish([...words, "claude"], place);
        assert.equal(claude.status, 2, claude.stderr);
        assert.match(claude.stderr, /^caliban: the call is stopped .*: Cannot fetch the package /);
        const gemini = await finish([...words, "gemini"], place);
        assert.equal(gemini.status, 2, gemini.stdout);
      })
    ),
);

test(
  "without the permission to read its own files it says so, and a hook stops the call",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      const words = [commandOf("deno"), "run", "--quiet", "--no-prompt", "--cached-only", CLI];
      const place = { cwd: folder, env: { HOME: folder }, input: EVENT };
      for (const verb of [["check", "Bash", "ls"], ["--help"], ["schema", "decision"]]) {
        const { status, stdout, stderr } = await finish([...words, ...verb], place);
        assert.deepEqual([status, stdout], [64, ""], stderr);
        assert.match(stderr, /^error: Cannot run caliban: .*: run with --allow-read\nhint: .+\n$/);
      }
      const hook = await finish([...words, "hook", "claude"], place);
      assert.deepEqual([hook.status, hook.stdout], [2, ""]);
      assert.match(hook.stderr, /^caliban failed, so the call is stopped: .*--allow-read.+\n$/);
    }),
);

test(
  "a permission that is missing comes with the whole command that has it",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      const cwd = join(folder, "ws");
      mkdirSync(join(cwd, ".git"), { recursive: true });
      const place = { cwd, env: { HOME: folder } };
      const flags = ["run", "--quiet", "--no-prompt", "--cached-only"];
      for (
        const [allowed, words, wanted] of [
          ["read env", "hook try SessionStart --command true", "read env run"],
          ["read env", "diff git:HEAD .", "read env run=git"],
          ["read env", "add 'Bash(a b)' allow", "read env write"],
          ["read", "check Bash ls", "read env"],
        ] as const
      ) {
        const allow = (names: string) => names.split(" ").map((name) => `--allow-${name}`);
        const argv = words.replace("'Bash(a b)'", "Bash(a\0b)").split(" ")
          .map((word) => word.replace("\0", " "));
        const start = [commandOf("deno"), ...flags, ...allow(allowed), CLI, ...argv];
        const { status, stderr } = await finish(start, place);
        assert.equal(status, 64, stderr);
        assert.match(unwrapped(stderr), /^error: .*: run with --allow-/);
        const command = `deno run --no-prompt ${allow(wanted).join(" ")} ${CLI} ${words}`;
        assert.ok(stderr.endsWith(`needs:\n  ${command}\n`), stderr);
      }
    }),
);

test(
  "a file of the source that is missing says so in one sentence",
  NEEDS,
  () =>
    withTempDir(async (folder) => {
      for (const name of ["cli.ts", "lib", "defaults", "schema", "package.json", "deno.json"]) {
        cpSync(join(REPO, name), join(folder, name), { recursive: true });
      }
      rmSync(join(folder, "lib/cli/check/run.ts"));
      const cli = join(folder, "cli.ts");
      const place = { cwd: folder, env: { HOME: folder } };
      const words = [commandOf("deno"), ...FLAGS, "--cached-only", "--no-lock", cli];
      const { status, stderr } = await finish([...words, "check", "Bash", "ls"], place);
      assert.equal(status, 70, stderr);
      assert.match(
        unwrapped(stderr),
        /^error: Cannot run caliban: it cannot be loaded: .*check\/run\.ts/,
      );
      assert.match(stderr, /\nhint: Install caliban again\n$/);
      writeFileSync(join(folder, "lib/cli/hook/run.ts"), "export const a = {;\n");
      const hook = await finish([...words, "hook", "claude"], { ...place, input: EVENT });
      assert.equal(hook.status, 2, hook.stderr);
    }),
);

const { devDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(REPO, "package.json"), "utf8"),
);

test("each package of the manifest has the version that Deno's own entry names", () => {
  const { imports } = JSON.parse(readFileSync(join(REPO, "deno.json"), "utf8"));
  const names = Object.keys(peerDependencies);
  assert.deepEqual(
    imports,
    Object.fromEntries(names.map((name) => [name, `npm:${name}@${devDependencies[name]}`])),
  );
});
