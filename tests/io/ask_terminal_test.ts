import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import type { AskAnswer } from "../../lib/model/verdict.ts";
import { BUN_FLAGS, commandOf, finish, type Program, TRIED, without } from "../support/process.ts";
import { withoutTerminal } from "../support/pty.ts";
import { PtySession } from "../support/pty_session.ts";
import { REPO } from "../support/spec_run.ts";

const DRIVER = join(REPO, "tests/support/ask_driver.ts");
const TERMINAL = withoutTerminal();
const MENU = "always deny";
const PLACE = { cwd: REPO, env: { NO_COLOR: "1" } };

function driver(program: Program, how: string): readonly string[] {
  const flags = program === "bun"
    ? BUN_FLAGS
    : ["run", "--quiet", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
  return [commandOf(program), ...flags, DRIVER, how];
}

/** The answers that were told. */
function answersIn(shown: string): readonly AskAnswer[] {
  return [...shown.matchAll(/answer (\{.*\})/g)].map(([, json = ""]) => JSON.parse(json));
}

/** One act of a person: a text to wait for, and the keys to type then. */
type Act = readonly [wait: string, type: string];

async function play(program: Program, { how, acts }: { how: string; acts: readonly Act[] }) {
  const session = new PtySession(driver(program, how), PLACE);
  for (const [wait, type] of acts) {
    await session.until(wait);
    await session.type(type);
  }
  assert.equal(await session.ended(), 0, session.shown);
  // The terminal is as it was: it echoes, has lines and signals.
  assert.match(session.shown, /(?<!-)\bicanon\b/);
  assert.match(session.shown, /(?<!-)\becho\b/);
  assert.match(session.shown, /(?<!-)\bisig\b/);
  return session.shown;
}

const DENIED: AskAnswer = { kind: "deny-once" };

/** Plays in which one question is answered. */
const PLAYS: readonly (readonly [title: string, acts: readonly Act[], answer: AskAnswer])[] = [
  ["y allows once", [[MENU, "y"]], { kind: "allow-once" }],
  ["arrows and Enter allow once", [[MENU, "\x1b[A"], ["> a", "\x1bOA"], ["> y", "\r"]], {
    kind: "allow-once",
  }],
  ["Escape denies once", [[MENU, "\x1b"]], DENIED],
  ["Ctrl-C denies once", [[MENU, "\x03"]], DENIED],
  ["Ctrl-D denies once", [[MENU, "\x04"]], DENIED],
  ["Enter denies once, with what the agent is told", [
    [MENU, "\r"],
    ["do instead?", "use a branch, ünd ask\r"],
  ], { kind: "deny-once", comment: "use a branch, ünd ask" }],
  ["Escape in a pattern denies once", [[MENU, "a"], ["Bash(git push:*)", "x\x1b"]], DENIED],
  ["always, with the pattern that was suggested", [
    [MENU, "a"],
    ["Bash(git push:*)", "\r"],
    ["this session", "\r"],
    ["comment", "\r"],
  ], {
    kind: "allow-always",
    pattern: "Bash(git push:*)",
    patterns: ["Bash(git push:*)"],
    scope: "session",
  }],
  ["always, with a pattern that was changed twice, a scope and a comment", [
    [MENU, "d"],
    ["Bash(git push:*)", "\x15Bash(git push"],
    ["push", "\r"],
    ['missing ")"', " --force:*)\r"],
    ["this session", "4"],
    ["comment", "never\r"],
  ], {
    kind: "deny-always",
    pattern: "Bash(git push --force:*)",
    patterns: ["Bash(git push --force:*)"],
    scope: "local",
    comment: "never",
  }],
  ["what is pasted or typed in haste is no answer", [
    [MENU, "\x1b[200~y\r\x1b[201~"],
    ["", "yes"],
    ["", "n"],
    ["do instead?", "\x1b[200~a\rb\x1b[201~\r"],
  ], { kind: "deny-once", comment: "a b" }],
];

for (const program of TRIED) {
  const needs = { timeout: 60_000, skip: TERMINAL || without(program) };

  for (const [title, acts, answer] of PLAYS) {
    test(`on a terminal: ${title} (${program})`, needs, async () => {
      const shown = await play(program, { how: "one", acts });
      assert.deepEqual(answersIn(shown), [answer]);
    });
  }

  test(
    `what was typed before a question settled is not its answer (${program})`,
    needs,
    async () => {
      const shown = await play(program, {
        how: "settle",
        acts: [["git push", "y"], ["", "y\r"], ["", "\x1b"]],
      });
      assert.deepEqual(answersIn(shown), [DENIED]);
    },
  );

  test(`two questions, and what is typed between them (${program})`, needs, async () => {
    const shown = await play(program, {
      how: "two",
      acts: [[MENU, "y"], ["answer", "y"], ["git fetch", ""], [MENU, "\x1b"]],
    });
    assert.deepEqual(answersIn(shown), [{ kind: "allow-once" }, DENIED]);
  });

  test(`questions at once are asked one after the other (${program})`, needs, async () => {
    const shown = await play(program, {
      how: "parallel",
      acts: [[MENU, "y"], ["git fetch", ""], [MENU, "y"]],
    });
    assert.deepEqual(answersIn(shown), [{ kind: "allow-once" }, DENIED, { kind: "allow-once" }]);
    assert.ok(!shown.includes("git stash"));
  });

  test(
    `a question that is given up is denied, and the next one works (${program})`,
    needs,
    async () => {
      const shown = await play(program, {
        how: "abort",
        acts: [[MENU, ""], ["answer", ""], ["git fetch", ""], [MENU, "y"]],
      });
      assert.deepEqual(answersIn(shown), [DENIED, DENIED, { kind: "allow-once" }]);
    },
  );

  test(`a call cannot draw on the terminal (${program})`, needs, async () => {
    const shown = await play(program, { how: "hostile", acts: [[MENU, "\x1b"]] });
    const plain = shown.replaceAll("\r", "");
    assert.ok(plain.includes("\n│ ls\\u{1b}[2J\\u{202e}\n│ > y  allow once\n"), shown);
    assert.deepEqual(answersIn(shown), [DENIED]);
  });

  test(`who hangs up denies once (${program})`, needs, async () => {
    const session = new PtySession(driver(program, "one"), PLACE);
    await session.until(MENU);
    session.hangUp();
    assert.equal(await session.ended(), 0, session.shown);
    assert.deepEqual(answersIn(session.shown), [DENIED]);
  });

  test(`where there is no terminal nobody is asked (${program})`, needs, async () => {
    const { status, stdout, stderr } = await finish(driver(program, "one"), {
      ...PLACE,
      input: "y\n",
    });
    assert.deepEqual([status, stderr], [0, ""]);
    const comment = "nobody could be asked: there is no terminal";
    assert.deepEqual(answersIn(stdout), [{ ...DENIED, comment }]);
  });
}
