// Needs --allow-net=127.0.0.1: the model is a real HTTP server in this process.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run as runCli } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";
import {
  json,
  type ModelServer,
  opinion,
  type Script,
  withModelServer,
} from "./auto_model_server.ts";

interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

type Run = (argv: readonly string[], stdin?: string) => Promise<Ran>;

const POLICY = `[[permissions.rules]]
pattern = "Bash:git push *"
action = "ask"

[[permissions.rules]]
pattern = "Bash:rm *"
action = "deny"

[[permissions.rules]]
pattern = "Bash:ls"
action = "allow"
`;

function withScene(
  script: Script,
  use: (run: Run, server: ModelServer) => Promise<void>,
): Promise<void> {
  return withModelServer(script, (server) =>
    withTempDir(async (folder) => {
      const workspace = join(folder, "ws");
      mkdirSync(join(workspace, ".caliban"), { recursive: true });
      mkdirSync(join(folder, ".config/caliban"), { recursive: true });
      writeFileSync(join(workspace, ".caliban/permissions.toml"), POLICY);
      await trustAtHome(workspace, folder);
      const config = `[classifier]\nbase_url = "${server.baseUrl}"\nmodel = "m"\n`;
      writeFileSync(join(folder, ".config/caliban/auto-mode.toml"), config);
      const real = await chooseRuntime();
      await use(async (argv, stdin = "") => {
        const printed = { stdout: "", stderr: "" };
        const runtime: Runtime = {
          ...real,
          env: (name) => ({ HOME: folder })[name],
          cwd: () => workspace,
          async *stdin() {
            yield await Promise.resolve(new TextEncoder().encode(stdin));
          },
          write(stream, text) {
            printed[stream] += text;
            return Promise.resolve(true);
          },
        };
        const status = await runCli(argv, runtime);
        return { status, ...printed };
      }, server);
    }));
}

const AUTO = ["--permission-mode", "auto"];

test("a model is asked once about what the rules ask, and its allow runs the call", () =>
  withScene(opinion("allow", "it builds"), async (run, server) => {
    const { status, stdout, stderr } = await run([
      "check",
      "Bash",
      "make > out.txt; make",
      ...AUTO,
    ]);
    assert.equal(stderr, "");
    assert.equal(status, 0);
    assert.match(stdout, /^allow {2}Bash make > out\.txt; make\n/);
    assert.match(stdout, /auto mode: it builds\n/);
    assert.match(stdout, /the rules alone say ask; auto mode allows it\n/);
    assert.equal(server.got.length, 1);
  }));

test("what the rules decide is not for a model", () =>
  withScene(opinion("allow", "fine"), async (run, server) => {
    assert.equal((await run(["check", "Bash", "ls", ...AUTO])).status, 0);
    assert.equal((await run(["check", "Bash", "rm x", ...AUTO])).status, 1);
    assert.equal((await run(["check", "Bash", "cp a .git/x", ...AUTO])).status, 2);
    assert.equal((await run(["check", "Bash", "make; cp a .git/x", ...AUTO])).status, 2);
    assert.equal(server.got.length, 0);
  }));

test("where a written rule with a spec asks, the model can only deny", () =>
  withScene(opinion("allow", "fine"), async (run, server) => {
    const asked = await run(["check", "Bash", "git push", ...AUTO, "--json"]);
    const { decision, reason } = JSON.parse(asked.stdout);
    assert.deepEqual([asked.status, decision], [2, "ask"]);
    assert.match(reason, /a written rule asks about this call.*fine/);
    server.script = opinion("hard_deny", "it is Friday");
    const denied = await run(["check", "Bash", "git push origin", ...AUTO]);
    assert.equal(denied.status, 1);
    assert.match(denied.stdout, /auto mode: it is Friday\n/);
  }));

test("a soft denial is a question that carries the reason, for the flags too", () =>
  withScene(opinion("soft_deny", "who knows"), async (run) => {
    const asked = await run(["check", "Bash", "make", ...AUTO, "--json"]);
    assert.equal(asked.status, 2);
    const { decidedBy, reason, mode } = JSON.parse(asked.stdout);
    assert.deepEqual([decidedBy, mode], ["classifier", "auto"]);
    assert.equal(reason, "who knows; the ask rule `Bash` asks about it");
    assert.equal((await run(["check", "Bash", "make", ...AUTO, "--headless"])).status, 1);
    assert.equal((await run(["check", "Bash", "make", ...AUTO, "--auto-allow"])).status, 0);
  }));

test("a server that fails, a switch that is off: the call is asked about", () =>
  withScene(json({ error: "no" }, 500), async (run, server) => {
    const failed = await run(["check", "Bash", "make", ...AUTO, "--json"]);
    assert.equal(failed.status, 2);
    assert.equal(JSON.parse(failed.stdout).decidedBy, "fallback");
    const before = server.got.length;
    const off = await run(["check", "Bash", "make", ...AUTO, "--disable-auto-mode", "--json"]);
    assert.equal(off.status, 2);
    assert.equal(JSON.parse(off.stdout).decidedBy, "disabled");
    assert.match(JSON.parse(off.stdout).reason, /--disable-auto-mode/);
    assert.equal(server.got.length, before);
  }));

test("a mode that is not on the line asks no model, and says so", () =>
  withScene(opinion("allow", "fine"), async (run, server) => {
    const line = JSON.stringify({ tool: "Bash", input: { command: "make" }, mode: "auto" });
    const { stdout } = await run(["check", "--stdin"], `${line}\n`);
    const { decision, warnings } = JSON.parse(stdout);
    assert.equal(decision, "ask");
    assert.match(warnings[0], /only with --permission-mode auto on the command line/);
    assert.equal(server.got.length, 0);
  }));

test("a stream asks about each line, and once about the same call", () =>
  withScene(opinion("allow", "fine"), async (run, server) => {
    const calls = ["make", "make", "ls", "make test"].map((command) =>
      `${JSON.stringify({ tool: "Bash", input: { command } })}\n`
    );
    const other = JSON.stringify({ tool: "Bash", input: { command: "make" }, mode: "plan" });
    const { stdout } = await run(["check", "--stdin", ...AUTO], `${calls.join("")}${other}\n`);
    const results = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(results.map(({ decision, decidedBy }) => `${decision} ${decidedBy}`), [
      "allow classifier",
      "allow cache",
      "allow rule",
      "allow classifier",
      "deny mode",
    ]);
    assert.equal(server.got.length, 2);
  }));

test("explain shows what the model said", () =>
  withScene(opinion("soft_deny", "who knows"), async (run) => {
    const short = await run(["explain", "Bash", "make", ...AUTO]);
    assert.match(short.stdout, /^ask {4}Bash make\n/);
    assert.match(short.stdout, /auto mode: who knows\n/);
    const { stdout } = await run(["explain", "--trace", "Bash", "make", ...AUTO]);
    assert.match(stdout, /Mode {6}auto: changes nothing\n {10}from --permission-mode\n/);
    assert.match(stdout, /auto mode: who knows\n/);
  }));

test("a broken auto-mode.toml is no reason to go on", () =>
  withScene(opinion("allow", "fine"), async (run, server) => {
    const config = ["check", "Bash", "make", ...AUTO, "--auto-mode-config", "x.toml"];
    assert.equal((await run(config)).status, 66);
    assert.equal(server.got.length, 0);
  }));

test("an answer does not count for a place that changed while the model was asked", () => {
  const swapping: Script = (response, got) => {
    const workspace = /^ {2}workspace = (.*)$/m.exec(got.body.messages[1]?.content ?? "")?.[1] ??
      "";
    mkdirSync(join(workspace, "../outside"), { recursive: true });
    symlinkSync("../outside", join(workspace, "out"));
    opinion("allow")(response, got);
  };
  return withScene(swapping, async (run, server) => {
    const argv = ["check", "Write", "out/f", "--permission-mode", "auto"];
    const { status, stderr } = await run(argv);
    assert.equal(status, 2);
    assert.match(stderr, /rules\s+or\s+mode\s+changed\s+while\s+the\s+model\s+was\s+asked/);
    server.script = opinion("allow");
    assert.equal((await run(argv)).status, 0);
    const { messages } = server.got.at(-1)!.body;
    assert.match(messages[1]!.content, /the file "out\/f" leads to ".*\/outside\/f", outside/);
  });
});
