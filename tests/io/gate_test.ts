// Needs --allow-run without a list (real hooks) and --allow-net=127.0.0.1 (a real model server in this process).
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  type AskQuestion,
  createGate,
  createSharedMode,
  type GateParts,
  loadAutoMode,
  loadHooks,
  loadPolicy,
  type Policy,
  PolicyError,
  type ToolCall,
} from "../../mod.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { openAuditLog } from "../../lib/io/audit/audit_log.ts";
import { withTempDir } from "../support/temp_dir.ts";
import { bash, ended, person, stages, write } from "../unit/gate/scene.ts";
import { type Got, opinion, withModelServer } from "./auto_model_server.ts";

const runtime = await chooseRuntime();

/** A workspace on disk. */
interface Workspace {
  /** Its folder. */
  readonly folder: string;
  /** A command that runs in it; the repository of these tests may be a clone whose configuration git would not run unasked. */
  run(command: string): ToolCall;
  /** Writes a file of it. */
  write(path: string, text: string): void;
  /** A file of it. */
  read(path: string): string;
  /** Loads its policy, trusted in this run. */
  load(): Promise<Policy>;
}

function withWorkspace<T>(use: (workspace: Workspace) => Promise<T>): Promise<T> {
  return withTempDir(async (parent) => {
    const folder = join(parent, "ws");
    mkdirSync(join(folder, ".git"), { recursive: true });
    return await use({
      folder,
      run: (command) => ({ ...bash(command), cwd: folder }),
      write(path, text) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      },
      read: (path) => readFileSync(join(folder, path), "utf8"),
      load: () => loadPolicy({ cwd: folder, off: ["user"], trust: "given" }),
    });
  });
}

const POLICY = ".caliban/permissions.toml";

function rule(action: string, pattern: string): string {
  return `[[permissions.rules]]\npattern = '${pattern}'\naction = "${action}"\n`;
}

function hook(command: string, matcher = "Bash"): string {
  return `[[hooks.PreToolUse]]\nmatcher = "${matcher}"\nhooks = [{ type = "command", command = '${command}' }]\n`;
}

/** The output of a hook with this answer. */
function says(output: object): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: "PreToolUse", ...output } });
}

test("real hooks: exit 2 denies in bypass too, an answer in JSON is honoured", () =>
  withWorkspace(async ({ write, load, run }) => {
    write("deny.sh", "grep -q 'rm x' && { echo no rm here >&2; exit 2; }; exit 0");
    write("allow.json", says({ permissionDecision: "allow" }));
    write(POLICY, rule("ask", "Bash:git push *") + hook("sh deny.sh") + hook("cat allow.json"));
    const policy = await load();
    const hooks = await loadHooks(policy);
    const mode = createSharedMode({ allowBypass: true });
    const gate = createGate({ policy, hooks, mode });
    assert.equal(ended(await gate.decide(bash("make"))), "allow hook");
    assert.equal(ended(await gate.decide(run("git push"))), "ask rule");
    mode.set("bypassPermissions");
    const denied = await gate.decide(bash("rm x"));
    assert.equal(ended(denied), "deny hook");
    assert.match(denied.reason, /no rm here/);
    assert.equal(ended(await gate.decide(run("git push"))), "allow bypass");
  }));

test("real hooks: another input is judged anew, by the hooks too", () =>
  withWorkspace(async ({ write, load }) => {
    write("change.sh", `grep -q 'ls -l' || cat change.json`);
    write("change.json", says({ permissionDecision: "allow", updatedInput: { command: "ls -l" } }));
    write(POLICY, rule("allow", "Bash(ls:*)") + hook("sh change.sh"));
    const policy = await load();
    const decision = await createGate({ policy, hooks: await loadHooks(policy) }).decide(
      bash("rm x"),
    );
    assert.equal(ended(decision), "allow rule");
    assert.deepEqual(decision.call, bash("ls -l"));
    assert.deepEqual(stages(decision), [
      "input:passes",
      "hooks:changed",
      "input:passes",
      "hooks:passes",
      "rules:allow",
      "mode:allow",
      "decision:allow",
    ]);
  }));

test("real hooks: one that cannot be started asks, and an abort ends one that hangs", () =>
  withWorkspace(async ({ write, load }) => {
    write(POLICY, rule("allow", "Bash") + hook("./not-there") + hook("sleep 60", "Read"));
    const policy = await load();
    const gate = createGate({ policy, hooks: await loadHooks(policy), mode: "dontAsk" });
    assert.equal(ended(await gate.decide(bash("make"))), "ask hook");
    const controller = new AbortController();
    const began = Date.now();
    const call = { tool: "Read", input: { path: "a" } };
    const decision = gate.decide(call, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("enough")), 50);
    await assert.rejects(decision, /enough/);
    assert.ok(Date.now() - began < 5_000);
  }));

test("hooks of a workspace that is not trusted do not run, and a wrong matcher stops all", () =>
  withWorkspace(async ({ folder, write, load }) => {
    write(POLICY, rule("allow", "Bash") + hook("exit 2"));
    const untrusted = await loadPolicy({ cwd: folder, off: ["user"], trust: "recorded" });
    const gate = createGate({ policy: untrusted, hooks: await loadHooks(untrusted) });
    assert.equal(ended(await gate.decide(bash("make"))), "ask rule");
    write(POLICY, hook("exit 2", "(?=x)"));
    await assert.rejects(async () => await loadHooks(await load()), PolicyError);
  }));

test("a real model over the wire, its failures, and a person behind it", () =>
  withWorkspace(({ write, load, run }) =>
    withModelServer(opinion("allow"), async (server) => {
      write(
        ".caliban/auto-mode.toml",
        `[classifier]\nbase_url = "${server.baseUrl}"\nmodel = "m"\ntimeout_ms = 2000\n`,
      );
      write(POLICY, rule("ask", "Bash:git push *") + rule("deny", "Bash:rm *"));
      const policy = await load();
      const classifier = await loadAutoMode(policy, { trust: "given" });
      const ask = person("deny-once", "allow-once");
      const mode = createSharedMode({ start: "auto" });
      const gate = createGate({ policy, classifier, mode, ask });
      assert.equal(ended(await gate.decide(bash("make"))), "allow classifier");
      // It ran, and may have changed what it is.
      assert.equal(ended(await gate.decide(bash("make"))), "allow classifier");
      assert.equal(ended(await gate.decide(bash("rm x"))), "deny rule");
      assert.equal(ended(await gate.decide(run("git push"))), "deny ask");
      assert.equal(server.got.length, 3);
      server.script = opinion("hard_deny", "not that");
      const denied = await gate.decide(bash("ninja"));
      assert.deepEqual([ended(denied), denied.reason], ["deny classifier", "not that"]);
      server.script = (response) => response.destroy();
      assert.equal(ended(await gate.decide(bash("cc x.c"))), "allow ask");
      assert.match(ask.questions[1]?.reason ?? "", /; the ask rule `Bash` asks about it$/);
      mode.set("default");
      mode.set("auto");
      server.script = opinion("soft_deny");
      assert.equal((await gate.decide(bash("make"))).decidedBy, "ask");
    })
  ));

/** The data of the last request to a model. */
function lastData({ got }: { readonly got: readonly Got[] }): string {
  return got.at(-1)?.body.messages[1]?.content ?? "";
}

test("the model is told the workspace and real places, and a call that ran ends what it allowed", () =>
  withWorkspace(({ folder, write: writeFile, load, run }) =>
    withModelServer(opinion("allow"), async (server) => {
      writeFile(
        ".caliban/auto-mode.toml",
        `[classifier]\nbase_url = "${server.baseUrl}"\nmodel = "m"\ntimeout_ms = 2000\n`,
      );
      writeFile(POLICY, rule("allow", "Bash:git checkout *") + rule("allow", "Bash:ln *"));
      const [outside, sub] = [join(folder, "..", "outside"), join(folder, "sub")];
      for (const each of [outside, sub]) mkdirSync(each);
      const policy = await load();
      const classifier = await loadAutoMode(policy, { trust: "given" });
      const gate = createGate({ policy, classifier, mode: "auto" });
      const decided = async (call: ToolCall) => {
        const before = server.got.length;
        const { decidedBy, decision } = await gate.decide(call);
        return `${decision} ${decidedBy} ${server.got.length - before}`;
      };
      assert.equal(await decided({ ...bash("frob --all"), cwd: outside }), "allow classifier 1");
      assert.ok(lastData(server).includes(`  workspace = ${folder}\n`), lastData(server));
      assert.ok(
        lastData(server).includes(`  cwd = "${outside}"\n  the cwd is outside of the workspace\n`),
      );
      assert.equal(await decided({ ...write("sub/f"), cwd: folder }), "allow classifier 1");
      assert.ok(!lastData(server).includes("leads to"));
      rmSync(sub, { recursive: true });
      symlinkSync(outside, sub);
      assert.equal(await decided({ ...write("sub/f"), cwd: folder }), "allow classifier 1");
      const note = `the file "sub/f" leads to "${join(outside, "f")}", outside of the workspace`;
      assert.ok(lastData(server).includes(note), lastData(server));
      const made = run("make test");
      for (
        const between of [
          run("git checkout evil"),
          run("ln -s a b"),
          { tool: "mcp__fs__write_file", input: { path: "Makefile" } },
          { ...write("Makefile"), cwd: folder },
        ]
      ) {
        assert.equal(await decided(made), "allow classifier 1");
        await gate.decide(between);
        assert.equal(await decided(made), "allow classifier 1", JSON.stringify(between));
      }
    })
  ));

test("what a person answers holds for the place that was shown", () =>
  withWorkspace(async ({ folder, load }) => {
    const [secret, out] = [join(folder, "..", "secret"), join(folder, "out")];
    for (const each of [secret, out]) mkdirSync(each);
    const rules = [{ pattern: `Write:${secret}/deny/**`, action: "deny" }] as const;
    const cli = await loadPolicy({ cwd: folder, off: ["user"], trust: "given", cli: rules });
    for (
      const [target, end, questions] of [
        [join(secret, "deny"), "deny rule", 1],
        [secret, "allow ask", 2],
        [join(folder, ".git"), "allow ask", 2],
      ] as const
    ) {
      mkdirSync(target, { recursive: true });
      const asked: AskQuestion[] = [];
      const gate = createGate({
        policy: cli,
        ask: {
          ask(question) {
            asked.push(question);
            if (asked.length === 1) {
              rmSync(out, { recursive: true });
              symlinkSync(target, out);
            }
            return Promise.resolve({ kind: "allow-once" });
          },
        },
      });
      assert.equal(ended(await gate.decide({ ...write("out/f"), cwd: folder })), end, target);
      assert.equal(asked.length, questions, target);
      assert.equal(asked[0]?.places?.files.length, 0);
      assert.equal(asked[0]?.places?.workspace, folder);
      const [file] = asked[1]?.places?.files ?? [];
      if (questions === 2) assert.equal(file?.real, join(target, "f"));
      if (questions === 2) assert.match(asked[1]?.reason ?? "", /^asked again: /);
      rmSync(out);
      mkdirSync(out);
    }
    // A policy that is set, and a mode that is chosen, while the question stands.
    const policy = await load();
    const mode = createSharedMode();
    const denying = await loadPolicy({
      cwd: folder,
      off: ["user"],
      trust: "given",
      cli: [{ pattern: "Bash", action: "deny" }],
    });
    const changes = [
      [() => gate.setPolicy(denying), "deny rule"],
      [() => mode.set("plan"), "deny mode"],
    ] as const;
    let change: () => unknown = () => {};
    const gate = createGate({
      policy,
      mode,
      ask: {
        ask() {
          change();
          return Promise.resolve({ kind: "allow-once" });
        },
      },
    });
    for (const [each, end] of changes) {
      change = each;
      assert.equal(ended(await gate.decide(bash("frob"))), end);
      gate.setPolicy(policy);
      mode.set("default");
    }
  }));

test("an always is written where it means the same, and the file loads again", () =>
  withWorkspace(async ({ folder, write, read, load, run }) => {
    const before = `# ours\n${rule("deny", "Bash:git push --force *")}\n# ask first\n${
      rule("ask", "Bash:git push *")
    }`;
    write(POLICY, before);
    const policy = await load();
    const answer = { kind: "allow-always", scope: "project", comment: "reviewed" } as const;
    const gate = createGate({ policy, ask: person(answer) });
    const decision = await gate.decide(run("git push origin"));
    assert.equal(ended(decision), "allow ask");
    assert.deepEqual(decision.warnings, []);
    assert.equal(
      read(POLICY),
      `# ours\n${rule("deny", "Bash:git push --force *")}\n[[permissions.rules]]\n` +
        'pattern = "Bash(git push:*)"\naction = "allow"\ncomment = "reviewed"\n\n# ask first\n' +
        rule("ask", "Bash:git push *"),
    );
    assert.equal(ended(await gate.decide(run("git push --tags"))), "allow rule");
    const loaded = await loadPolicy({ cwd: folder, off: ["user"], trust: "given" });
    assert.equal(loaded.evaluate(run("git push --tags")).action, "allow");
    assert.equal(loaded.evaluate(run("git push --force")).action, "deny");
    const cloned = await loadPolicy({ cwd: folder, off: ["user"] });
    assert.equal(cloned.evaluate(run("git push --tags")).action, "ask");
  }));

test("a new file gets its schema beside it", () =>
  withWorkspace(async ({ folder, read, load }) => {
    const ask = person({ kind: "allow-always", scope: "local" });
    const decision = await createGate({ policy: await load(), ask }).decide(bash("make"));
    assert.deepEqual(decision.warnings, []);
    assert.match(read(".caliban/permissions.local.toml"), /pattern = "Bash:make"/);
    assert.ok(statSync(join(folder, ".caliban/permissions.schema.json")).isFile());
  }));

test("a file that cannot be written is told, and the rule holds for the session", () =>
  withWorkspace(async ({ folder, write, read, load }) => {
    const ask = person({ kind: "allow-always", scope: "project" }, "deny-once");
    const loaded = await load();
    const gate = createGate({ policy: loaded, ask });
    write(POLICY, "not toml [");
    const decision = await gate.decide(bash("make"));
    assert.equal(ended(decision), "allow ask");
    assert.match(decision.warnings.join(), /^The answer is kept for this session only: /);
    assert.equal(read(POLICY), "not toml [");
    assert.equal(ended(await gate.decide(bash("make"))), "allow rule");
    rmSync(join(folder, ".caliban"), { recursive: true });
    writeFileSync(join(folder, ".caliban"), "");
    const again = createGate({
      policy: loaded,
      ask: person({ kind: "allow-always", scope: "local" }),
    });
    const second = await again.decide(bash("make"));
    assert.equal(ended(second), "allow ask");
    assert.match(
      second.warnings.join(),
      /^The answer is kept for this session only: Cannot write /,
    );
  }));

test("twenty answers at once lose nothing", () =>
  withWorkspace(async ({ read, load }) => {
    const ask: GateParts["ask"] = {
      ask: ({ suggestion = "" }) =>
        Promise.resolve({ kind: "allow-always", pattern: suggestion, scope: "project" }),
    };
    const gate = createGate({ policy: await load(), ask });
    const commands = Array.from({ length: 20 }, (_, index) => `tool${index}`);
    const decisions = await Promise.all(commands.map((command) => gate.decide(bash(command))));
    assert.deepEqual(decisions.flatMap(({ warnings }) => warnings), []);
    const text = read(POLICY);
    assert.deepEqual(commands.filter((command) => !text.includes(`"Bash(${command}:*)"`)), []);
  }));

test("decisions are in the audit log, also those that were denied early", () =>
  withWorkspace(async ({ folder, write: put, load }) => {
    put(POLICY, rule("allow", "Write") + rule("deny", "Bash:rm *"));
    const path = join(folder, "audit.jsonl");
    const tools = { Bash: { validateInput: () => "not now" } };
    const gate = createGate({
      policy: await load(),
      tools,
      audit: openAuditLog(runtime, { path }),
      session: "s1",
    });
    await gate.decide(write("a"));
    await gate.child({ name: "helper" }).decide(bash("rm x"));
    const entries = readFileSync(path, "utf8").trim().split("\n").map((line) => JSON.parse(line));
    const facts = entries.map(({ tool, verdict, decision, decidedBy, agent }) => ({
      tool,
      verdict,
      decision,
      decidedBy,
      agent,
    }));
    assert.deepEqual(facts, [
      { tool: "Write", verdict: "allow", decision: "allow", decidedBy: "rule", agent: undefined },
      { tool: "Bash", verdict: "deny", decision: "deny", decidedBy: "tool", agent: "helper" },
    ]);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const failing = createGate({
      policy: await load(),
      audit: openAuditLog(runtime, { path: join(folder, POLICY, "audit.jsonl") }),
    });
    const decision = await failing.decide(write("a"));
    assert.equal(decision.decision, "allow");
    assert.match(decision.warnings.join(), /^The audit log is not written: /);
  }));

test("audit_log = true in a file keeps every decision in this machine's log", () =>
  withWorkspace(async ({ folder, write: put, load }) => {
    put(POLICY, "[permissions]\naudit_log = true\n\n" + rule("deny", "Bash:rm *"));
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = join(folder, "state");
    try {
      const gate = createGate({ policy: await load() });
      assert.deepEqual((await gate.decide(bash("rm x"))).warnings, []);
      await gate.child({ name: "helper" }).decide(bash("make"));
      const text = readFileSync(join(folder, "state/caliban/audit.jsonl"), "utf8");
      const entries = text.trim().split("\n").map((line) => JSON.parse(line));
      assert.deepEqual(entries.map(({ decision, agent }) => [decision, agent]), [
        ["deny", undefined],
        ["ask", "helper"],
      ]);
    } finally {
      if (before === undefined) delete process.env.XDG_STATE_HOME;
      else process.env.XDG_STATE_HOME = before;
    }
  }));

test("a gate without a policy is refused with what to pass", () => {
  const parts: readonly unknown[] = [{}, undefined, null, { policy: undefined }, { policy: "x" }];
  for (const each of parts) {
    assert.throws(
      () => createGate(each as GateParts),
      (error) =>
        error instanceof TypeError && /its policy is missing.*loadPolicy\(\)/.test(error.message),
    );
  }
});
