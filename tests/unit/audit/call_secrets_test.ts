import assert from "node:assert/strict";
import { test } from "node:test";
import { callCleaner, maskedInput } from "../../../lib/audit/call_secrets.ts";
import type { JsonObject, ToolCall } from "../../../lib/model/call.ts";

const bash = (command: string, more: JsonObject = {}): ToolCall => ({
  tool: "Bash",
  input: { command, ...more },
});
const send = (input: JsonObject): ToolCall => ({ tool: "mcp__x__send", input });
const write = (content: string): ToolCall => ({ tool: "Write", input: { path: "a", content } });

const BODY = bash("python3 - <<E\nalpha Beta_7 gamma\n  delta = 1\nE\nls gamma");

/** Texts about a call, as each cleaner leaves them; a cleaner that is not named leaves the text as it is. */
const TEXTS: readonly (readonly [
  call: ToolCall,
  text: string,
  cleaned: { readonly clean?: string; readonly made?: string; readonly sentence?: string },
])[] = [
  // Secrets are taken out by all of them.
  ...([
    [send({ password: "hunter2x" }), "say hunter2x.", "say [masked]."],
    [send({ pin: 482913 }), "code 482913", "code [masked]"],
    [
      send({
        credentials: { user: "ada99", ok: true, no: null, pass: ["pa55word", { x: "d33ply" }] },
      }),
      "ada99 true null pa55word d33ply",
      "[masked] true null [masked] [masked]",
    ],
    [send({ env: [{ name: "API_KEY", value: "abc1xyz" }] }), "abc1xyz", "[masked]"],
    [send({ args: ["--password", "abc1xyz", "abc2xyz"] }), "abc1xyz abc2xyz", "[masked] abc2xyz"],
    [bash("deploy --token hunter2x"), "deploy hunter2x", "deploy [masked]"],
    [bash("x", { description: "TOKEN=hunter2x" }), "hunter2x", "[masked]"],
    [write('password = "hunter2x"'), "x hunter2x", "x [masked]"],
    [bash("cat > f <<E\npassword = 'hunter2x'\nE"), "x hunter2x", "x [masked]"],
  ] as const).map(([call, text, cleaned]) =>
    [call, text, { clean: cleaned, made: cleaned, sentence: cleaned }] as const
  ),
  // An ordinary word that a file announces, and a text of three characters, are no secret.
  [write("password: string"), "a string", { made: "a [left out]", sentence: "a [left out]" }],
  [write("password: 1234567"), "a 1234567", { made: "a [left out]", sentence: "a [left out]" }],
  [send({ password: "abc" }), "abc", {}],
  // Contents are taken out of what was made of the call, line by line; those of here-documents word by word.
  [write("first line\nsecond line"), "run second line", {
    made: "run [left out]",
    sentence: "run [left out]",
  }],
  [write("first line\nsecond line"), "run second", {}],
  [BODY, "run Beta_7", { made: "run [left out]", sentence: "run [left out]" }],
  [BODY, "run alpha, delta", { made: "run [left out], [left out]" }],
  [BODY, 'run alpha `x alpha` "alpha" alpha', {
    made: 'run [left out] `x [left out]` "[left out]" [left out]',
    sentence: 'run alpha `x [left out]` "[left out]" alpha',
  }],
  // Words that stand in the rest of the call, too, are known.
  [BODY, "run gamma python3", {}],
  [bash("cat > notes <<E\nnotes\nE"), "cat notes", {}],
  // The limit of contents: above it no text that was made of the call is kept.
  [write("x y\n".repeat(1 << 18)), "ls", {}],
  [write("x y\n".repeat(1 << 18) + "x"), "ls", { made: "[left out]", sentence: "[left out]" }],
];

for (const [call, text, { clean = text, made = text, sentence = text }] of TEXTS) {
  test(`cleaned for ${JSON.stringify(call.input).slice(0, 80)}: ${text}`, () => {
    const cleaner = callCleaner(call, { made: [], known: [] });
    for (const _twice of [1, 2]) {
      assert.deepEqual({
        clean: cleaner.clean(text),
        made: cleaner.cleanMade(text),
        sentence: cleaner.cleanSentence(text),
      }, { clean, made, sentence });
    }
  });
}

test("a secret that only the texts made of a call announce is taken out of all", () => {
  const call = bash(`deploy --"tok"en hunter2x`);
  const { clean } = callCleaner(call, { made: ["deploy --token hunter2x"], known: [] });
  assert.equal(clean("see hunter2x"), "see [masked]");
});

test("words of the policy and of the folder are known", () => {
  const call = bash("cat > f <<E\nalpha Beta_7\nBeta_7\nE");
  const { cleanMade } = callCleaner(call, { made: [], known: ["/work/Beta_7"] });
  assert.equal(cleanMade("alpha or Beta_7"), "[left out] or Beta_7");
});

/** Inputs as a reader without their secrets sees them. */
const MASKED: readonly (readonly [input: JsonObject, masked: JsonObject])[] = [
  [
    { command: "deploy --token hunter2x", description: "Deploys with hunter2x" },
    { command: "deploy --token [masked]", description: "Deploys with [masked]" },
  ],
  [{ password: "hunter2x", note: "hunter2x!" }, { password: "[masked]", note: "[masked]!" }],
  [{ pin: 482913, note: "482913" }, { pin: "[masked]", note: "[masked]" }],
  [{ content: "plain\ntext", edits: [{ new_string: "x" }] }, {
    content: "plain\ntext",
    edits: [{ new_string: "x" }],
  }],
  [{ content: "TOKEN=hunter2x\nls", n: 1 }, { content: "TOKEN=[masked]\nls", n: 1 }],
  [{ command: "cat <<E\nplain text\nE" }, { command: "cat <<E\nplain text\nE" }],
];

for (const [input, masked] of MASKED) {
  test(`shown of ${JSON.stringify(input)}`, () => {
    const shown = maskedInput({ tool: "mcp__x__send", input });
    assert.deepEqual(shown.input, masked);
    assert.equal(shown.isMasked, JSON.stringify(input) !== JSON.stringify(masked));
  });
}

test("a text about a call is shown without its secrets", () => {
  const { clean } = maskedInput(send({ password: "hunter2x" }));
  assert.equal(clean("PIN=12 hunter2x"), "PIN=[masked] [masked]");
});
