import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { sample } from "../support/cases.ts";
import { answer, assertSane, inWorkspace, policyAt } from "../support/process_here.ts";

const LONG = { timeout: 120_000 };
const MIB = 1024 * 1024;
const a = (length: number) => "a".repeat(length);

/** The huge part, and the command line with it. Each must end within seconds, and never in an allow. */
const HUGE: readonly (readonly [string, readonly string[]])[] = [
  ["a command", ["check", "Bash", `git ${a(MIB)}`]],
  ["a command of parentheses", ["check", "Bash", "(".repeat(100_000)]],
  ["a command of quotes", ["check", "Bash", "'\"`$(".repeat(20_000)]],
  ["a pattern", ["check", "Bash", "ls", `--deny=Bash:${a(MIB)}`]],
  ["a pattern of stars", ["check", "Bash", a(10_000), `--deny=Bash:${"*a".repeat(MIB / 2)}b`]],
  ["a pattern of parentheses", ["check", "Bash", "ls", `--deny=${"(".repeat(100_000)}`]],
  ["a pattern of braces", ["check", "Write", "x", `--deny=Write:${"{a,".repeat(100_000)}`]],
  ["a path pattern", ["check", "Write", "x", `--deny=Write:${"**/a".repeat(MIB / 4)}`]],
  ["a path", ["check", "Write", `/${a(MIB)}`, "--deny=Write:**/*b"]],
  ["a path of segments", ["check", "Write", "a/".repeat(MIB / 2), "--deny=Write:**/a/**/b"]],
  ["a path of dots", ["check", "Write", "../".repeat(MIB / 3), "--deny=Write:**/b"]],
  ["a URL", ["check", "WebFetch", `https://x.org/${a(MIB)}`, "--deny=WebFetch:https://*b"]],
  ["a host", ["check", "WebFetch", `https://${"a.".repeat(MIB / 2)}`, "--deny=WebFetch:domain:b"]],
  ["a tool", ["check", a(MIB), "{}"]],
  ["a flag", ["check", `--${a(MIB)}`, "Bash", "ls"]],
  ["a verb", [a(MIB)]],
];

for (const [what, argv] of sample(HUGE, 4, 8)) {
  test(
    `a mebibyte or more is answered or refused at once: ${what}`,
    LONG,
    () =>
      inWorkspace(async (folder) => {
        const started = Date.now();
        const answered = await answer(argv, { folder });
        assertSane(argv, answered);
        assert.notEqual(answered.status, 0);
        assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
        assert.equal(
          (await answer(["explain", ...argv.slice(1)], { folder })).status === 70,
          false,
        );
      }),
  );
}

test("a file of 10,000 rules is answered at once", LONG, () =>
  inWorkspace(async (folder) => {
    const rule = (index: number) =>
      `[[permissions.rules]]\npattern = "Bash:c${index} *"\naction = "deny"\n`;
    writeFileSync(
      policyAt(folder),
      Array.from({ length: 10_000 }, (_, index) => rule(index)).join("\n"),
    );
    const started = Date.now();
    const answered = await answer(["check", "Bash", "c9999 x"], { folder });
    assert.equal(answered.status, 1, answered.stderr);
    assert.ok(Date.now() - started < 10_000, `${Date.now() - started} ms`);
  }));
