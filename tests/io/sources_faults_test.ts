// Needs --allow-read, --allow-write, --allow-env.
import assert from "node:assert/strict";
import { linkSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { run } from "../../lib/cli/run.ts";
import { openPolicy, type PolicyOptions } from "../../lib/io/load/load_policy.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const POLICY = ".caliban/permissions.toml";
const ALLOWS = '[permissions]\nallow = ["Bash:rm *"]\n';

/** A workspace, and a machine whose calls can be replaced. */
interface Scene {
  readonly workspace: string;
  readonly runtime: Runtime;
  /** Writes a file below the workspace. */
  write(path: string, text: string): string;
  /** The exit status and the output of a command line. */
  caliban(...argv: readonly string[]): Promise<{ readonly status: number; readonly out: string }>;
}

function inScene(
  { env }: { readonly env: Readonly<Record<string, string>> | "home" },
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  return withTempDir(async (folder) => {
    const workspace = join(folder, "ws");
    mkdirSync(join(workspace, ".git"), { recursive: true });
    mkdirSync(join(folder, "home"));
    const own = env === "home" ? { HOME: join(folder, "home") } : env;
    let out = "";
    const runtime: Runtime = {
      ...real,
      env: (name) => ({ ...own })[name],
      cwd: () => workspace,
      isTerminal: () => false,
      write(_stream, text) {
        out += text;
        return Promise.resolve(true);
      },
    };
    await use({
      workspace,
      runtime,
      write(path, text) {
        const file = join(workspace, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        return file;
      },
      async caliban(...argv) {
        out = "";
        return { status: await run(argv, runtime), out };
      },
    });
  });
}

async function verdict(
  runtime: Runtime,
  call: { readonly tool: string; readonly input: Record<string, string> },
  options: PolicyOptions = {},
): Promise<string> {
  return (await openPolicy(runtime, options)).evaluate(call).action;
}

const RM = { tool: "Bash", input: { command: "rm x" } };

test("without a home there is no record, so no workspace is trusted by it", () =>
  inScene({ env: {} }, async ({ runtime, write }) => {
    write(POLICY, ALLOWS);
    const required = write("../managed.toml", "[permissions]\nrequire_trust = true\n");
    const machine: Runtime = {
      ...runtime,
      env: (name) => name === "CALIBAN_MANAGED_FILE" ? required : undefined,
    };
    assert.equal(await verdict(machine, RM, { off: ["user"] }), "ask");
    assert.equal(await verdict(machine, RM, { off: ["user"], trust: "given" }), "allow");
  }));

test("a file that changes between reading and hashing is not trusted by its other text", () =>
  inScene({ env: "home" }, async ({ workspace, runtime, write, caliban }) => {
    const file = write(POLICY, '[permissions]\nallow = ["Bash:ls *"]\n');
    assert.equal((await caliban("trust", "--yes", "--workspace", workspace)).status, 0);
    for (const turn of [1, 2, 3]) {
      let read = 0;
      const swapped: Runtime = {
        ...runtime,
        readText(path) {
          const text = runtime.readText(path);
          return path === file && ++read === turn ? ALLOWS : text;
        },
      };
      assert.equal(await verdict(swapped, RM), "ask", `reading ${turn} has another text`);
      assert.ok(read >= 1);
    }
    assert.equal(await verdict(runtime, { tool: "Bash", input: { command: "ls x" } }), "allow");
  }));

test("rules of a session and of a command count: their denies deny, their allows answer", () =>
  inScene({ env: "home" }, async ({ runtime }) => {
    for (const source of ["session", "command"] as const) {
      const rules = (action: "allow" | "deny") => ({
        [source]: [{ pattern: "Bash:rm *", action }],
      });
      assert.equal(await verdict(runtime, RM, rules("deny")), "deny", source);
      assert.equal(await verdict(runtime, RM, rules("allow")), "allow", source);
      const cli = [{ pattern: "Bash:rm *", action: "deny" as const }];
      assert.equal(await verdict(runtime, RM, { ...rules("allow"), cli }), "deny", source);
    }
  }));

test("a file of --rules is protected, though it allows every write", () =>
  inScene({ env: "home" }, async ({ workspace, write, caliban }) => {
    const rules = write("rules.toml", '[permissions]\nallow = ["Write"]\n');
    const check = (path: string) =>
      caliban(
        "check",
        "--rules",
        rules,
        "--workspace",
        workspace,
        "Write",
        JSON.stringify({ path }),
      );
    assert.equal((await check(rules)).status, 2);
    assert.equal((await check(join(workspace, "other.toml"))).status, 0);
  }));

const TESTS = ".caliban/tests/a.perms.toml";

/** Verbs that write a file of the workspace or of the person, and the file. */
const WRITERS: readonly (readonly [file: string, ...argv: readonly string[]])[] = [
  [POLICY, "add", "Bash:ls *", "allow"],
  [POLICY, "add", "Bash:ls *", "deny", "--first"],
  [POLICY, "remove", "Bash:rm *"],
  [POLICY, "lint", "--fix"],
  [POLICY, "import", "--from", "claude.json", "--format", "claude", "--scope", "project"],
  [TESTS, "test", "--update", TESTS],
  [".claude/settings.local.json", "hook", "install", "claude", "--scope", "project"],
  ["../home/.config/caliban/permissions.toml", "add", "Bash:ls *", "allow", "--scope", "user"],
  ["../home/.local/state/caliban/trust.json", "trust", "--yes"],
];

for (const [file, ...argv] of WRITERS) {
  test(`caliban ${argv.join(" ")} puts a new file in the place of the old, whose text stays`, () =>
    inScene({ env: "home" }, async ({ workspace, write, caliban }) => {
      const rule = '[[permissions.rules]]\npattern = "Bash:rm *"\naction = "allow"\n';
      write(POLICY, `${rule}\n${rule}`);
      write(TESTS, '[[tests]]\ncall = "Bash:rm x"\nexpect = "deny"\n');
      write("claude.json", '{"permissions":{"allow":["Bash(ls:*)"]}}\n');
      write(".claude/settings.local.json", "{}\n");
      if (file.startsWith("../") && !file.endsWith(".json")) write(file, rule);
      if (file.endsWith(".json")) {
        assert.equal((await caliban("trust", "--yes", "--workspace", workspace)).status, 0);
        write(POLICY, ALLOWS);
      }
      const path = join(workspace, file);
      const before = readFileSync(path, "utf8");
      const old = join(workspace, "old");
      linkSync(path, old);
      const flags = argv.includes("user") ? [] : ["--workspace", workspace];
      const { out } = await caliban(...argv, ...flags);
      assert.notEqual(readFileSync(path, "utf8"), before, out);
      assert.equal(readFileSync(old, "utf8"), before);
    }));
}
