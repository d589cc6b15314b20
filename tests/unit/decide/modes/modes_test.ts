import assert from "node:assert/strict";
import { test } from "node:test";
import { type Action, MODE_NAMES as NAMES, type ToolClass } from "../../../../lib/model/call.ts";
import type { UnitVerdict, VerdictBy } from "../../../../lib/model/verdict.ts";
import { DISABLED, type Mode, modeNamed, MODES } from "../../../../lib/decide/modes.ts";
import { textWidth } from "../../../../lib/text/visible.ts";

const CLASSES: readonly (ToolClass | undefined)[] = [
  "read",
  "edit",
  "execute",
  "network",
  "control",
  undefined,
];

function unitOf(action: Action, by: VerdictBy): UnitVerdict {
  return {
    text: "x",
    kind: "call",
    via: null,
    depth: 0,
    tool: "X",
    action,
    by,
    rule: null,
    reason: "the rules say so",
    steps: [],
    classes: [],
  };
}

/** Everything that a mode can be asked, and what it answers. */
function* answers(mode: Mode) {
  for (const action of ["allow", "deny", "ask"] as const) {
    for (const by of ["rule", "safety"] as const) {
      if (by === "safety" && action !== "ask") continue;
      for (const toolClass of CLASSES) {
        for (const inside of [true, false]) {
          const unit = unitOf(action, by);
          const given = toolClass === undefined ? {} : { class: toolClass };
          const answer = mode.answer({ unit, ...given, isInside: () => inside });
          yield { action, by, toolClass, inside, answer };
        }
      }
    }
  }
}

test("the registry has the modes of the settings, in their order", () => {
  assert.deepEqual(MODES.map(({ name }) => name), NAMES);
  for (const mode of MODES) assert.equal(modeNamed(mode.name), mode);
  for (const name of ["", "Plan", "disabled", "toString"]) assert.equal(modeNamed(name), undefined);
});

test("the chips are those of a status line", () => {
  assert.deepEqual(MODES.map(({ badge }) => badge), [
    "",
    "✎ accept edits",
    "📋 plan",
    "🤖 auto",
    "⏭ don't ask",
    "⚠ bypass",
  ]);
});

for (const mode of [...MODES, DISABLED]) {
  test(`the mode ${mode.name} is a mode`, () => {
    assert.match(mode.summary, /^[a-z].*[^.]$/);
    assert.ok(textWidth(mode.badge) <= 20);
    for (const { action, by, answer } of answers(mode)) {
      const changed = answer.decision !== action;
      if (!mode.liftsDenials) {
        assert.ok(action === "ask" || !changed, "static allow and deny stand");
        assert.ok(by === "rule" || answer.decision !== "allow", "a safety check stands");
        assert.equal(answer.decidedBy, changed ? "mode" : by);
        assert.equal(answer.reason === undefined, !changed);
      } else assert.equal(answer.decision, "allow");
      if (answer.reason !== undefined) assert.match(answer.reason, /[^.]$/);
    }
  });
}

test("only bypass and the state without permissions lift denials, only auto asks a model", () => {
  assert.deepEqual(
    [...MODES, DISABLED].filter((mode) => mode.liftsDenials).map(({ name }) => name),
    [
      "bypassPermissions",
      "disabled",
    ],
  );
  assert.deepEqual(MODES.filter((mode) => mode.asksModel).map(({ name }) => name), ["auto"]);
});

test("what each mode makes of a question, class by class", () => {
  const table = MODES.map((mode) => {
    const cells = [...answers(mode)]
      .filter(({ action, by, inside }) => action === "ask" && by === "rule" && inside)
      .map(({ answer }) => answer.decision);
    return `${mode.name}: ${cells.join(" ")}`;
  });
  assert.deepEqual(table, [
    "default: ask ask ask ask ask ask",
    "acceptEdits: ask allow ask ask ask ask",
    "plan: ask deny deny deny ask ask",
    "auto: ask ask ask ask ask ask",
    "dontAsk: allow allow allow allow allow allow",
    "bypassPermissions: allow allow allow allow allow allow",
  ]);
});

test("acceptEdits leaves a file outside of the workspace a question", () => {
  const outside = [...answers(modeNamed("acceptEdits")!)].filter(({ inside }) => !inside);
  assert.deepEqual(outside.filter(({ action, answer }) => action !== answer.decision), []);
});
