import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "smol-toml";
import { autoModeSchema } from "../../../../lib/gate/auto/auto_mode_schema.ts";
import { decodeAutoMode } from "../../../../lib/gate/auto/decode_auto_mode.ts";
import { enough } from "../../../support/cases.ts";
import fc from "../../../support/seeded.ts";

const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant([]), fc.constant({}));

/** Mostly what belongs there, at times anything. */
function mostly<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: value, weight: 12 }, { arbitrary: scalar, weight: 1 });
}

const element = fc.oneof(
  { arbitrary: fc.constantFrom("$defaults", "Bash:git *", "plain"), weight: 6 },
  fc.constantFrom(
    "$defaults",
    "$defaults.allow",
    "$defaults.soft_deny",
    "$defaults.hard_deny",
    "$defaults.environment",
    "$defaultsx",
    "Bash:git *",
    "$CWD",
    "x = $CWD, $GIT_REMOTE",
    "$CWD_",
    "$x $1 $",
    "a\n$IS_MAIN_BRANCH",
    "",
  ),
  fc.array(fc.constantFrom("$", "CWD", "defaults", ".", "allow", " ", "x", "\n", "_"), {
    maxLength: 6,
  }).map((parts) => parts.join("")),
);

const list = mostly(fc.array(mostly(element), { maxLength: 3 }));

const classifier = fc.record({
  base_url: mostly(fc.constantFrom(
    "http://127.0.0.1:11434/v1",
    "http://127.0.0.1:11434/",
    "http://[::1]:11434/v1",
    "https://x.org",
    "https://x.org/v1/",
    "https://x.org/v1?k=v",
    "https://u@x.org",
    "ftp://x.org",
    "x.org",
    "https://",
  )),
  model: mostly(fc.constantFrom("m", "n", "qwen3:4b", "")),
  api_key_env: mostly(fc.constantFrom("OPENAI_API_KEY", "A", "_B", "C2", "sk-1", "")),
  timeout_ms: mostly(fc.constantFrom(1, 5000, 600000, 7, 600001, 0, 1.5)),
  extra: fc.constant(1),
}, { requiredKeys: [] }).map(({ extra, ...rest }) =>
  extra === undefined || Object.keys(rest).length % 4 !== 0 ? rest : { ...rest, extra }
);

const file = fc.record({
  environment: list,
  allow: list,
  soft_deny: list,
  hard_deny: list,
  disable_auto_mode: mostly(fc.boolean()),
  disableAutoMode: mostly(fc.boolean()),
  classifier: mostly(fc.oneof(classifier, fc.constant({ base_url: "https://x.org", model: "m" }))),
  x: scalar,
}, { requiredKeys: [] }).map((value) => {
  const { x: _x, disableAutoMode: _old, ...usual } = value;
  return Object.keys(usual).length === 3 ? value : usual;
});

test("decoder and zod schema take and refuse the same files", () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(file, (value) => {
      const text = stringify(value);
      const errors = decodeAutoMode(text).problems.filter(({ severity }) => severity === "error");
      const { success } = autoModeSchema.safeParse(value);
      seen[success ? "taken" : "refused"]++;
      assert.equal(errors.length === 0, success, text);
    }),
    { numRuns: 1000 },
  );
  // Neither side of the law may run dry.
  assert.ok(seen.taken > enough(100) && seen.refused > enough(100), JSON.stringify(seen));
});

test("both take a number and a name up to their limits, and nothing beyond", () => {
  const rows: readonly (readonly [more: Record<string, number | string>, isTaken: boolean])[] = [
    ...[1, 2, 5_000, 600_000].map((timeout_ms) => [{ timeout_ms }, true] as const),
    ...[0, -1, 1.5, 600_001].map((timeout_ms) => [{ timeout_ms }, false] as const),
    [{ model: "m".repeat(200) }, true],
    [{ model: "m".repeat(201) }, false],
    [{ model: "" }, false],
  ];
  for (const [more, isTaken] of rows) {
    const value = { classifier: { base_url: "https://x.org", model: "m", ...more } };
    const { problems } = decodeAutoMode(stringify(value));
    assert.equal(problems.length === 0, isTaken, JSON.stringify(more));
    assert.equal(autoModeSchema.safeParse(value).success, isTaken, JSON.stringify(more));
  }
});

test("no text makes the decoder throw, and every span lies in the text", () => {
  const pieces = fc.constantFrom(
    "[classifier]\n",
    "allow",
    "environment",
    "base_url",
    "timeout_ms",
    "=",
    "[",
    "]",
    '"$CWD"',
    '"$X"',
    '"',
    "1",
    "1e999",
    "nan",
    "true",
    "\n",
    ",",
    "{",
    "}",
    ".",
    "\u0000",
    "\ud800",
  );
  const text = fc.array(pieces, { maxLength: 20 }).map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (it) => {
      for (const { span, message } of decodeAutoMode(it).problems) {
        assert.ok(message.startsWith("Cannot "), message);
        assert.ok(0 <= span.start && span.start <= span.end && span.end <= it.length, message);
      }
    }),
    { numRuns: 1000 },
  );
});
