import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { Opinion } from "../../../lib/gate/auto/opinion.ts";
import { createGate } from "../../../lib/gate/create_gate.ts";
import { createSharedMode } from "../../../lib/decide/shared_mode.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import {
  auto,
  bash,
  ended,
  gateOf,
  later,
  modeOf,
  odd,
  person,
  policyWith,
  stages,
  write,
} from "./scene.ts";

const WRITTEN = policyWith("ask Bash:git push *", "ask Write:docs/**", "ask WebFetch");
const CELLS = [
  { mode: "default", make: "ask rule", push: "ask rule", file: "ask rule", docs: "ask rule" },
  { mode: "acceptEdits", make: "ask rule", push: "ask rule", file: "allow mode", docs: "ask rule" },
  { mode: "plan", make: "deny mode", push: "deny mode", file: "deny mode", docs: "deny mode" },
  {
    mode: "auto",
    make: "allow classifier",
    push: "ask classifier",
    file: "allow classifier",
    docs: "ask classifier",
  },
  {
    mode: "dontAsk",
    make: "allow mode",
    push: "allow mode",
    file: "allow mode",
    docs: "allow mode",
  },
] as const;

for (const { mode, make, push, file, docs } of CELLS) {
  test(`which ask outlasts ${mode}`, async () => {
    const classifier = auto("allow");
    const gate = gateOf(WRITTEN, { mode, classifier });
    assert.equal(ended(await gate.decide(bash("make"))), make);
    assert.equal(ended(await gate.decide(bash("git push"))), push);
    assert.equal(ended(await gate.decide(write("src/a"))), file);
    assert.equal(ended(await gate.decide(write("docs/a"))), docs);
    const denies = classifier.questions.map(({ onlyDeny = false }) => onlyDeny);
    assert.deepEqual(denies, mode === "auto" ? [false, true, false, true] : []);
  });

  test(`a safety check outlasts ${mode}`, async () => {
    const classifier = auto("allow");
    const gate = gateOf(policyWith("allow Write"), { mode, classifier, autoAllow: true });
    const { decision, decidedBy } = await gate.decide(write(".git/config"));
    assert.notEqual(decision, "allow");
    assert.ok(decidedBy === "safety" || decidedBy === "mode");
    assert.equal(classifier.questions.length, 0);
  });
}

test("bypass and disabled let run what is denied", async () => {
  const policy = policyWith("deny Bash");
  const bypass = gateOf(policy, { mode: modeOf("bypassPermissions") });
  assert.equal(ended(await bypass.decide(bash("make"))), "allow bypass");
  const disabled = gateOf(policy, { mode: "disabled" });
  assert.equal(ended(await disabled.decide(bash("make"))), "allow disabled");
});

test("bypassPermissions needs a shared mode: a name cannot allow it", () => {
  assert.throws(() => gateOf(policyWith(), { mode: "bypassPermissions" }), TypeError);
});

test("a mode that is not there is wrong use", () => {
  assert.throws(() => gateOf(policyWith(), { mode: odd("yolo") }), TypeError);
});

test("the session's own handle: a change counts at once, bypass stays refused", async () => {
  const mode = createSharedMode();
  const classifier = auto("allow");
  const gate = gateOf(policyWith("deny Bash:rm *"), { mode, classifier });
  const ends: string[] = [];
  for (let times = 0; times < 6; times++) {
    ends.push(`${mode.current}: ${ended(await gate.decide(write("a")))}`);
    mode.cycle();
  }
  assert.deepEqual(ends, [
    "default: ask rule",
    "acceptEdits: allow mode",
    "plan: deny mode",
    "auto: allow classifier",
    "dontAsk: allow mode",
    "default: ask rule",
  ]);
  assert.deepEqual(classifier.told.filter((each) => each === "clear"), ["clear"]);
  const open = createSharedMode({ start: "bypassPermissions", allowBypass: true });
  const bypass = gateOf(policyWith("deny Bash:rm *"), { mode: open });
  assert.equal(ended(await bypass.decide(bash("rm x"))), "allow bypass");
});

test("a policy that says enforce refuses both", async () => {
  const text =
    '[permissions]\nenforce = true\n[[permissions.rules]]\npattern = "Bash"\naction = "deny"';
  const read = policyFromToml(text);
  const source = { kind: "managed", path: "/etc/p.toml", line: 2, column: 1 } as const;
  const settings = { ...read.settings, enforce: { value: true, source } };
  const policy = read.with({ ...read.sources, settings });
  assert.ok(policy);
  for (const mode of [modeOf("bypassPermissions"), modeOf("disabled")]) {
    const decision = await gateOf(policy, { mode }).decide(bash("make"));
    assert.equal(ended(decision), "deny rule");
    assert.match(decision.warnings.join(), /is refused: "enforce = true" in \/etc\/p\.toml:2/);
  }
});

test("what a model denies", async () => {
  const end = async (decision: Opinion["decision"], ask = person("deny-once")) => {
    const gate = gateOf(policyWith(), { mode: "auto", classifier: auto(decision), ask });
    return { ask, decision: await gate.decide(bash("make")) };
  };
  const hard = await end("hard_deny");
  assert.equal(ended(hard.decision), "deny classifier");
  assert.equal(hard.decision.reason, "the model says so");
  const soft = await end("soft_deny", person("allow-once"));
  assert.equal(ended(soft.decision), "allow ask");
  assert.match(soft.ask.questions[0]?.reason ?? "", /^the model says so; /);
});

test("a call whose rule asks in the model's place can only be denied", async () => {
  const gate = gateOf(policyWith("ask Bash:git push *"), {
    mode: "auto",
    classifier: auto("hard_deny"),
  });
  assert.equal(ended(await gate.decide(bash("git push"))), "deny classifier");
});

test("without a model the mode auto asks", async () => {
  assert.equal(
    ended(await gateOf(policyWith(), { mode: "auto" }).decide(bash("make"))),
    "ask rule",
  );
});

test("auto mode is told of approvals, of edits and of being left", async () => {
  const classifier = auto("soft_deny");
  const mode = modeOf("auto");
  const gate = gateOf(policyWith("allow Write"), { mode, classifier, ask: person("allow-once") });
  await gate.decide(bash("make"));
  await gate.decide(write("a"));
  await gate.decide(bash("echo a > b"));
  mode.set("plan");
  mode.set("default");
  mode.set("auto");
  assert.deepEqual(classifier.told, [
    "approved",
    "edited",
    "edited",
    "approved",
    "edited",
    "clear",
  ]);
  gate.close();
  assert.equal(mode.listeners.size, 0);
});

test("auto mode is told of each call that may run and is not known to be read-only", async () => {
  const classifier = auto("allow");
  const gate = gateOf(policyWith("allow Bash"), { mode: modeOf("auto"), classifier });
  const reads = [
    ...["ls", "git status", "git diff --stat", "cd src", "echo a; pwd", "true", "true < a"].map(
      bash,
    ),
    ...["Read", "Grep"].map((tool) => ({ tool, input: { path: "a" } })),
  ];
  for (const call of reads) {
    await gate.decide(call);
    await gate.afterCall(call);
    assert.deepEqual(classifier.told, [], JSON.stringify(call));
  }
  const commands = [
    ...["sed -i 1d Makefile", "cp a Makefile", "tee Makefile < a", 'ls > "$f"', "make", "ls x"],
    ...["git checkout evil", "ln -s /etc x", "git status; rm x", "git status > x", "$(git status)"],
  ];
  const others = ["Write", "WebFetch", "Task", "Read ", "mcp__fs__read_file"]
    .map((tool) => ({ tool, input: { path: "a", url: "https://x.org/" } }));
  for (const call of [...commands.map(bash), ...others]) {
    await gate.decide(call);
    await gate.afterCall(call);
    assert.deepEqual(classifier.told.splice(0), ["edited", "edited"], JSON.stringify(call));
  }
});

test("auto mode is told of a call that stays an ask: the caller's own person may let it run", async () => {
  const classifier = auto("soft_deny");
  const gate = gateOf(policyWith("deny Bash:rm *"), { mode: modeOf("auto"), classifier });
  assert.equal(ended(await gate.decide(bash("make"))), "ask classifier");
  assert.deepEqual(classifier.told, ["edited"]);
  assert.equal(ended(await gate.decide(bash("rm x"))), "deny rule");
  assert.deepEqual(classifier.told, ["edited"]);
});

test("an opinion counts only while the mode is still auto", async () => {
  for (const [next, end] of [["plan", "deny mode"], ["default", "ask rule"]] as const) {
    const { promise, settle } = later<Opinion>();
    const mode = modeOf("auto");
    const classifier = auto(() => promise);
    const gate = gateOf(policyWith(), { mode, classifier });
    const decision = gate.decide(bash("make"));
    while (classifier.questions.length === 0) await Promise.resolve();
    mode.set(next);
    settle({ decision: "allow", source: "classifier", reason: "fine" });
    assert.equal(ended(await decision), end);
    assert.deepEqual(stages(await decision).filter((each) => /^(mode|classifier)/.test(each)), [
      "mode:ask",
      "classifier:allow",
      `mode:${end.split(" ")[0]}`,
    ]);
  }
});

test("a mode that never rests is a deny", async () => {
  const mode = modeOf("auto");
  let reads = 0;
  const restless = {
    subscribe: mode.subscribe,
    get current() {
      return reads++ % 2 === 0 ? "default" as const : "auto" as const;
    },
  };
  const gate = createGate({
    policy: openPolicyOf(policyWith()),
    mode: restless,
    classifier: auto("allow"),
  });
  const decision = await gate.decide(bash("make"));
  assert.equal(ended(decision), "deny safety");
  assert.match(decision.reason, /changes faster than the call can be decided$/);
  assert.ok(stages(decision).length < 60);
});

test("a mode that can no longer be read at the end is a deny", async () => {
  const { subscribe } = modeOf("auto");
  let reads = 0;
  const breaking = {
    subscribe,
    get current(): "dontAsk" {
      if (reads++ < 2) return "dontAsk";
      throw new Error("a bug");
    },
  };
  const gate = createGate({ policy: openPolicyOf(policyWith()), mode: breaking });
  assert.equal(ended(await gate.decide(bash("make"))), "deny safety");
});

test("a tool that is waited for without a promise of the runtime is waited for all the same", async () => {
  const gate = gateOf(policyWith("allow Bash"), {
    tools: {
      Bash: {
        checkPermissions: () => ({
          then(done: (opinion: { decision: "allow" }) => void) {
            gate.setPolicy(openPolicyOf(policyWith("deny Bash")));
            done({ decision: "allow" });
          },
        } as never),
      },
    },
  });
  assert.equal(ended(await gate.decide(bash("make"))), "deny rule");
});

test("the mode of a gate can be read and watched, not set", () => {
  const mode = modeOf("plan");
  const gate = gateOf(policyWith(), { mode });
  let heard = 0;
  const end = gate.mode.subscribe(() => heard++);
  mode.set("auto");
  end();
  mode.set("default");
  assert.equal(gate.mode.current, "default");
  assert.equal(heard, 1);
  assert.ok(!("set" in gate.mode) && Object.isFrozen(gate.mode) && Object.isFrozen(gate));
});

test("auto-allow answers ordinary questions, and says so", async () => {
  const gate = gateOf(policyWith("ask Bash:git push *", "deny Bash:rm -rf *"), { autoAllow: true });
  const push = await gate.decide(bash("git push"));
  assert.equal(ended(push), "allow auto-allow");
  assert.deepEqual(push.warnings, [
    "Bash was not asked about: every question is answered with allow (auto-allow)",
  ]);
  assert.equal(ended(await gate.decide(bash('rm "$@"'))), "ask safety");
  assert.equal(ended(await gate.decide(bash("rm -rf x"))), "deny rule");
});

test("where nobody can be asked the reason says what would allow the call", async () => {
  const gate = gateOf(policyWith("ask Bash:git push *"), { headless: true });
  const reason = async (call: Parameters<typeof gate.decide>[0]) => {
    const decision = await gate.decide(call);
    assert.equal(ended(decision), "deny headless");
    return decision.reason.replace(/^nobody can be asked \(headless\); .*?; /, "");
  };
  assert.equal(await reason(bash("git push")), "the rule `allow Bash(git push:*)` would allow it");
  assert.equal(
    await reason(bash("git push && make")),
    "the rules `allow Bash(git push:*)` and `allow Bash:make` would allow it",
  );
  assert.equal(
    await reason(write("src/a")),
    "the mode acceptEdits or the rule `allow Write:./src/a` would allow it",
  );
  const checked = await gate.decide(write(".git/config"));
  assert.ok(!checked.reason.includes("would allow it"), checked.reason);
});
