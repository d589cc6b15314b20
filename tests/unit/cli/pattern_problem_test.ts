import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { patternProblem } from "../../../lib/cli/errors/pattern_problem.ts";
import { checkPattern } from "../../../lib/policy/compile/compile_policy.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map());

/** Texts that people write in place of a pattern, and the pattern that they are asked about. */
const LIKELY: readonly (readonly [written: string, meant: string])[] = [
  ["git push", "Bash(git push:*)"],
  ["git push *", "Bash(git push:*)"],
  ["ls *", "Bash(ls:*)"],
  ["git -C * push", "Bash(git -C * push)"],
  ["Bash git push", "Bash(git push:*)"],
  ["Bash *", "Bash"],
  ["Write docs/**", "Write(docs/**)"],
  ["WebFetch https://example.com/*", "WebFetch(https://example.com/*)"],
];

for (const [written, meant] of LIKELY) {
  test(`"${written}" is asked back as ${meant}, which can be used`, () => {
    const { error } = checkPattern(written, { action: "allow", profiles });
    assert.ok(error);
    assert.equal(patternProblem(written, error).hint, `Did you mean "${meant}"?`);
    assert.equal(checkPattern(meant, { action: "allow", profiles }).error, undefined);
  });
}

test("another fault keeps its own hint", () => {
  for (const written of ["Bash(git *", "Bash()", "", "git push(x"]) {
    const { error } = checkPattern(written, { action: "allow", profiles });
    assert.ok(error);
    assert.equal(patternProblem(written, error).hint, error.hint);
  }
});
