import assert from "node:assert/strict";
import { test } from "node:test";
import type { Opinion } from "../../../../lib/gate/auto/opinion.ts";
import type { ToolCall } from "../../../../lib/model/call.ts";
import { autoMode, bash, completion, model, says } from "./scene.ts";

function short({ decision, source }: Opinion): string {
  return `${decision} ${source}`;
}

async function judged(mode: ReturnType<typeof autoMode>, call: ToolCall): Promise<string> {
  return short(await mode.classify({ call }));
}

test("what the model says is passed on with its reason", async () => {
  for (const decision of ["allow", "soft_deny", "hard_deny"]) {
    const opinion = await autoMode(model(decision)).classify({ call: bash("make") });
    assert.deepEqual(opinion, { decision, source: "classifier", reason: "because" });
  }
});

test("a kill switch comes before everything, and asks nobody", async () => {
  const asked = model("allow");
  const mode = autoMode(asked, { text: 'allow = ["*"]\nhard_deny = ["*"]', disabled: "off" });
  const opinion = await mode.classify({ call: bash("make") });
  assert.deepEqual(opinion, { decision: "soft_deny", source: "disabled", reason: "off" });
  assert.equal(asked.questions.length, 0);
});

const LISTS = `
hard_deny = ["Bash:a *", "Bash:both *"]
soft_deny = ["Bash:b *", "Bash:both *", "Bash:soft *"]
allow = ["Bash:b c", "Bash:soft *", "Bash:c *"]
`;

test("the lists come before the model, hard_deny first", async () => {
  const asked = model("allow");
  const mode = autoMode(asked, { text: LISTS });
  assert.deepEqual(await mode.classify({ call: bash("a x") }), {
    decision: "hard_deny",
    source: "static-rule",
    reason: "the hard_deny pattern `Bash:a *` (user.toml:2) matches",
  });
  assert.equal(await judged(mode, bash("both x")), "hard_deny static-rule");
  mode.approved();
  assert.equal(await judged(mode, bash("b c")), "soft_deny static-rule");
  assert.equal(await judged(mode, bash("soft x")), "soft_deny static-rule");
  assert.equal(await judged(mode, bash("c x")), "allow static-rule");
  assert.equal(asked.questions.length, 0);
  assert.equal(await judged(mode, bash("d x")), "allow classifier");
});

test("a denial that cannot be evaluated is soft_deny, an allow that cannot is nothing", async () => {
  const text = 'hard_deny = ["Thing:x*"]\nsoft_deny = []\nallow = ["Other:x*"]';
  const asked = model("allow");
  const mode = autoMode(asked, { text });
  const opinion = await mode.classify({ call: { tool: "Thing", input: { a: "b" } } });
  assert.equal(short(opinion), "soft_deny static-rule");
  assert.match(
    opinion.reason,
    /^in the list hard_deny, .*, so the deny rule `Thing:x\*` cannot be evaluated$/,
  );
  assert.equal(asked.questions.length, 0);
  assert.equal(await judged(mode, { tool: "Other", input: { a: "x" } }), "allow classifier");
});

test("a soft denial that fits names itself where a hard one cannot be evaluated", async () => {
  const text = 'hard_deny = ["T:x*"]\nsoft_deny = ["T"]\nallow = []';
  const opinion = await autoMode(model("allow"), { text }).classify({
    call: { tool: "T", input: {} },
  });
  assert.match(opinion.reason, /soft_deny pattern `T`/);
});

test("where a written rule asks, nothing allows and everything may deny", async () => {
  const mode = autoMode(model("allow"), {
    text: 'allow = ["Bash:c *"]\nsoft_deny = []\nhard_deny = []',
  });
  for (const command of ["c x", "d x"]) {
    const opinion = await mode.classify({ call: bash(command), onlyDeny: true });
    assert.equal(opinion.decision, "soft_deny");
    assert.match(opinion.reason, /^a written rule asks about this call/);
  }
  const denying = autoMode(model("hard_deny"));
  const opinion = await denying.classify({ call: bash("x"), onlyDeny: true });
  assert.equal(short(opinion), "hard_deny classifier");
});

test("an answer that may only deny is kept as the model gave it", async () => {
  const mode = autoMode(model("allow"));
  await mode.classify({ call: bash("x"), onlyDeny: true });
  assert.equal(await judged(mode, bash("x")), "allow cache");
});

test("without a model, what no list says is soft_deny", async () => {
  const opinion = await autoMode(undefined).classify({ call: bash("x") });
  assert.equal(short(opinion), "soft_deny fallback");
  assert.match(opinion.reason, /^no model is configured/);
});

test("whatever fails is soft_deny, says why and is not kept", async () => {
  const asked = model("allow");
  const mode = autoMode(asked);
  const failures = [
    () => ({ kind: "fallback", reason: "no network" } as const),
    () => completion("no JSON"),
    () => completion(null),
    () => says("perhaps"),
    () => ({ kind: "completion", completion: "<html>" } as const),
    () => Promise.reject(new Error("a port that throws")),
    () => {
      throw new Error("a port that throws at once");
    },
  ];
  for (const failure of failures) {
    asked.answer = failure;
    const opinion = await mode.classify({ call: bash("x") });
    assert.equal(short(opinion), "soft_deny fallback");
    assert.notEqual(opinion.reason, "");
  }
  asked.answer = () => says("allow");
  assert.equal(await judged(mode, bash("x")), "allow classifier");
});

test("a hash, an environment or a salt that fails is soft_deny", async () => {
  const fails = () => {
    throw new Error("broken");
  };
  const broken = [
    { digest: () => Promise.reject(new Error("broken")) },
    { environment: fails },
    { salt: fails },
    { salt: () => "x" },
  ];
  for (const parts of broken) {
    const asked = model("allow");
    assert.equal(await judged(autoMode(asked, parts), bash("xx")), "soft_deny fallback");
    assert.equal(asked.questions.length, 0);
  }
});

test("a call that was cut is not allowed, but can be denied", async () => {
  const long = bash("x".repeat(5000));
  const asked = model("allow");
  const mode = autoMode(asked);
  const opinion = await mode.classify({ call: long });
  assert.equal(short(opinion), "soft_deny classifier");
  assert.match(opinion.reason, /saw only a part of the call, .* its reason: because$/);
  assert.equal(await judged(mode, long), "soft_deny cache");
  assert.equal(await judged(autoMode(model("hard_deny")), long), "hard_deny classifier");
});

test("every request has a salt of its own", async () => {
  const asked = model("allow");
  const mode = autoMode(asked);
  await mode.classify({ call: bash("a") });
  await mode.classify({ call: bash("b") });
  const salts = asked.questions.map(({ user }) => /BEGIN (\S+) and/.exec(user)?.[1]);
  assert.equal(new Set(salts).size, 2);
});

test("an input without canonical JSON is soft_deny", async () => {
  const opinion = await autoMode(model("allow")).classify({ call: bash("\ud800") });
  assert.equal(opinion.decision, "soft_deny");
});

test("a call that is none is refused", async () => {
  await assert.rejects(
    () => autoMode(model("allow")).classify({ call: { tool: "", input: {} } }),
    TypeError,
  );
});

test("an answer is kept for the same call, folder and environment", async () => {
  const asked = model("allow");
  let line = "branch = a";
  const mode = autoMode(asked, { environment: () => [line] });
  const call = { tool: "T", input: { a: 1, b: 2 } };
  assert.equal(await judged(mode, call), "allow classifier");
  assert.equal(await judged(mode, { tool: "T", input: { b: 2, a: 1 } }), "allow cache");
  assert.equal(await judged(mode, { ...call, cwd: "/elsewhere" }), "allow classifier");
  line = "branch = main";
  assert.equal(await judged(mode, call), "allow classifier");
  assert.equal(asked.questions.length, 3);
});

test("256 answers are kept, the oldest goes first", async () => {
  const asked = model("allow");
  const mode = autoMode(asked);
  for (let n = 0; n <= 256; n++) await mode.classify({ call: bash(`x ${n}`) });
  assert.equal(await judged(mode, bash("x 256")), "allow cache");
  assert.equal(await judged(mode, bash("x 1")), "allow cache");
  assert.equal(await judged(mode, bash("x 0")), "allow classifier");
});

test("leaving auto mode forgets every answer, a call that ran what was allowed", async () => {
  const asked = model("allow");
  asked.answer = ({ user }) => says(user.includes("bad") ? "soft_deny" : "allow");
  const mode = autoMode(asked);
  const fetching = { tool: "WebFetch", input: { url: "https://x.org/" } };
  const unknown = { tool: "mcp__x__run", input: { code: "1" } };
  const calls = [bash("good"), bash("bad"), fetching, unknown];
  for (const call of calls) await mode.classify({ call });
  mode.edited();
  const sources = [];
  for (const call of calls) sources.push((await mode.classify({ call })).source);
  assert.deepEqual(sources, ["classifier", "cache", "classifier", "classifier"]);
  mode.clear();
  for (const call of calls) assert.equal((await mode.classify({ call })).source, "classifier");
});

/** A model whose answers wait until they are released, one after the other. */
function waiting() {
  const asked = model("allow");
  const held: (() => void)[] = [];
  asked.answer = async () => {
    await new Promise<void>((resolve) => held.push(resolve));
    return says("allow");
  };
  const until = async (requests: number) => {
    while (held.length < requests) await new Promise((resolve) => setTimeout(resolve, 1));
  };
  return { asked, held, until };
}

test("an allow that was asked for before an edit or a clear is neither kept nor joined", async () => {
  for (const change of ["edited", "clear"] as const) {
    const { asked, held, until } = waiting();
    const mode = autoMode(asked);
    const before = mode.classify({ call: bash("x") });
    await until(1);
    mode[change]();
    const after = mode.classify({ call: bash("x") });
    await until(2);
    held[0]?.();
    assert.equal((await before).source, "classifier");
    asked.answer = () => says("allow");
    assert.equal((await mode.classify({ call: bash("y") })).source, "classifier");
    const other = new AbortController();
    other.abort();
    // The answer of before is not in the cache: the same call would else not need to be given up.
    const given = await mode.classify({ call: bash("x") }, { signal: other.signal });
    assert.equal(given.source, "fallback", change);
    held[1]?.();
    assert.equal((await after).source, "classifier");
    assert.equal((await mode.classify({ call: bash("x") })).source, "cache");
  }
});

test("a denial that was asked for before an edit is kept", async () => {
  const { asked, held, until } = waiting();
  const mode = autoMode({
    ask: async (question, options) => {
      await asked.ask(question, options);
      return says("soft_deny");
    },
  });
  const before = mode.classify({ call: bash("x") });
  await until(1);
  mode.edited();
  held[0]?.();
  await before;
  assert.equal((await mode.classify({ call: bash("x") })).source, "cache");
});

test("identical calls in flight share one request", async () => {
  const asked = model("allow");
  const mode = autoMode(asked);
  const opinions = await Promise.all(
    Array.from({ length: 20 }, () => mode.classify({ call: bash("x") })),
  );
  // A call whose hash was later than the answer finds it in the cache.
  assert.ok(opinions.every(({ decision }) => decision === "allow"));
  assert.equal(asked.questions.length, 1);
});

test("who gives up gets soft_deny, and a request nobody wants is ended", async () => {
  const { asked, until } = waiting();
  const mode = autoMode(asked);
  const giveUp = new AbortController();
  const opinion = mode.classify({ call: bash("x") }, { signal: giveUp.signal });
  await until(1);
  assert.equal(asked.ended, 0);
  giveUp.abort();
  assert.equal(short(await opinion), "soft_deny fallback");
  assert.equal(asked.ended, 1);
  const late = await mode.classify({ call: bash("z") }, { signal: giveUp.signal });
  assert.equal(short(late), "soft_deny fallback");
  assert.equal(asked.questions.length, 1);
});

test("after three denials in a row everything asks, until a person approves one", async () => {
  const asked = model("soft_deny");
  const text = 'allow = ["Bash:ok *"]\nhard_deny = ["Bash:never *"]\nsoft_deny = []';
  const mode = autoMode(asked, { text });
  for (const n of [1, 2, 3]) {
    assert.equal(await judged(mode, bash(`x ${n}`)), "soft_deny classifier");
  }
  asked.answer = () => says("allow");
  const opinion = await mode.classify({ call: bash("y") });
  assert.deepEqual(opinion, {
    decision: "soft_deny",
    source: "fallback",
    reason: "auto mode stepped back after 3 denials in a row, until a person approves a call",
  });
  assert.equal(await judged(mode, bash("ok x")), "soft_deny fallback");
  assert.equal(await judged(mode, bash("never x")), "hard_deny static-rule");
  assert.equal(asked.questions.length, 3);
  mode.approved();
  assert.equal(await judged(mode, bash("y")), "allow classifier");
});

test("an allow between denials begins the row anew, and twenty denials are too many all the same", async () => {
  const asked = model("allow");
  const mode = autoMode(asked);
  asked.answer = ({ user }) => says(user.includes("bad") ? "hard_deny" : "allow");
  for (let n = 0; n < 20; n++) {
    assert.equal(await judged(mode, bash(`bad ${n}`)), "hard_deny classifier");
    if (n % 2 === 1 && n < 19) {
      assert.equal(await judged(mode, bash(`good ${n}`)), "allow classifier");
    }
  }
  const opinion = await mode.classify({ call: bash("good") });
  assert.match(opinion.reason, /after 20 denials,/);
  mode.approved();
  assert.equal(await judged(mode, bash("good")), "allow classifier");
});

test("denials from the cache and the lists count, failures and asks of written rules do not", async () => {
  const asked = model("soft_deny");
  const repeated = autoMode(asked);
  for (const _ of [1, 2, 3]) await repeated.classify({ call: bash("x") });
  assert.match((await repeated.classify({ call: bash("x") })).reason, /stepped back/);
  const failing = model("allow");
  failing.answer = () => ({ kind: "fallback", reason: "down" });
  const unlucky = autoMode(failing);
  for (let n = 0; n < 25; n++) await unlucky.classify({ call: bash(`x ${n}`) });
  failing.answer = () => says("allow");
  for (let n = 0; n < 25; n++) await unlucky.classify({ call: bash(`y ${n}`), onlyDeny: true });
  assert.equal(await judged(unlucky, bash("x")), "allow classifier");
});

test("a model that is measured is asked to the end", async () => {
  const mode = autoMode(model("soft_deny"), { circuitBreaker: "never" });
  for (let n = 0; n < 30; n++) {
    assert.equal(await judged(mode, bash(`x ${n}`)), "soft_deny classifier");
  }
});
