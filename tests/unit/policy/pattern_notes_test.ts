import assert from "node:assert/strict";
import { test } from "node:test";
import { JOINED, patternNotes } from "../../../lib/policy/edit/pattern_notes.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map());

function notes(pattern: string, action: "allow" | "deny" = "allow"): readonly string[] {
  return patternNotes({ pattern, action }, profiles).map((note) => note.replaceAll(JOINED, " "));
}

test("the colon form of a prefix is told, whatever the rule says", () => {
  for (const action of ["allow", "deny"] as const) {
    assert.deepEqual(notes("Bash:git push:*", action), [
      'after "Bash:" the ":*" is plain text, so this matches "git push:" + anything; ' +
      `'Bash(git push:*)' matches "git push" alone and with arguments`,
    ]);
  }
  assert.match(notes("Bash:git * x:*")[0] ?? "", /'Bash\(git \* x:\*\)' matches/);
});

test("an allow that misses the command alone is told", () => {
  assert.deepEqual(notes("Bash:git push *"), [
    'this matches "git push" + space + anything, not "git push" alone; ' +
    "'Bash(git push:*)' matches both",
  ]);
  assert.deepEqual(notes("Bash:git push *", "deny"), []);
});

test("nothing is told of other patterns", () => {
  const others = ["Bash", "Bash(git push:*)", "Bash:git push", "Bash:git push*", "Bash:~a:*"];
  for (const pattern of [...others, "Bash::*", "Write:a:*", "*:a:*", "Bash(", "Bash:timeout=5 *"]) {
    assert.deepEqual(notes(pattern), [], pattern);
  }
});
