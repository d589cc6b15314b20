import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { formatPolicy } from "../../lib/policy/edit/format_policy.ts";
import { lintText } from "../unit/lint/lint_text.ts";

const COMMENTS = [
  "# caliban-ignore: leaky-prefix it is meant",
  "# caliban-ignore: broad-allow,leaky-prefix,duplicate,contradiction they are meant",
  "# caliban-ignore: duplicate the other one, too",
  "# caliban-ignore: secret-readable a sandbox",
  "# caliban-ignore: example-fails",
  "# more",
];
const comment = fc.constantFrom(...COMMENTS);
/** The text between two tokens of a list or an inline table. */
const inner = fc.oneof(
  fc.constantFrom("", " ", "\n", "\n\n"),
  comment.map((it) => ` ${it}\n`),
  comment.map((it) => `\n  ${it}\n`),
  fc.tuple(comment, comment).map(([a, b]) => ` ${a}\n\n${b}\n\n`),
);
/** The lines between two statements. */
const between = fc.array(fc.oneof(comment, comment, fc.constant(""), fc.constant("#: x")), {
  maxLength: 2,
}).map((lines) => lines.map((line) => `${line}\n`).join(""));
const behind = fc.oneof(fc.constant(""), fc.constant(""), comment.map((it) => ` ${it}`));
const pattern = fc.constantFrom("Bash:git*", "Bash:npm*", "Bash", "*", "Read:**", "Bash(ls)")
  .map((it) => `"${it}"`);
const action = fc.constantFrom("allow", "ask", "allow").map((it) => `"${it}"`);

function list(element: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(
    inner,
    fc.array(fc.tuple(element, inner, inner), { maxLength: 4 }),
    fc.boolean(),
  ).map(([first, elements, ends]) => {
    const texts = elements.map(([it, before, after], at) =>
      at < elements.length - 1 || ends ? `${it}${before},${after}` : `${it}${before}`
    );
    return `[${first}${texts.join("")}]`;
  });
}

const match = list(fc.constantFrom('"git status"', '"rm x"'));
const longText = fc.constantFrom('"""\n[[x]]\n"""', "'''\n# caliban-ignore: leaky-prefix x\n'''");
const pairs = fc.tuple(
  pattern.map((it) => `pattern = ${it}`),
  action.map((it) => `action = ${it}`),
  fc.option(fc.oneof(match.map((it) => `match = ${it}`), longText.map((it) => `comment = ${it}`))),
).chain((given) => {
  const all = given.filter((it) => it !== null);
  return fc.shuffledSubarray(all, { minLength: all.length });
});

/** A rule in braces; TOML 1.1 has lines and comments in it. */
const inline = pairs.chain((all) =>
  fc.array(fc.tuple(inner, inner), { minLength: all.length, maxLength: all.length }).map((gaps) => {
    const texts = all.map((pair, at) => `${gaps[at]![0]}${pair}${gaps[at]![1]}`);
    return `{ ${texts.join(",")} }`;
  })
);

const table = pairs.chain((all) =>
  fc.array(fc.tuple(between, behind), { minLength: all.length + 1, maxLength: all.length + 1 })
    .map((gaps) => {
      const lines = ["[[permissions.rules]]", ...all];
      return lines.map((line, at) => `${gaps[at]![0]}${line}${gaps[at]![1]}\n`).join("");
    })
);

const permissions = fc.tuple(
  between,
  between,
  fc.constantFrom("rules", "allow", "permissions.rules"),
  list(inline),
  list(pattern),
  behind,
  between,
).map(([above, within, key, rules, patterns, end, below]) => {
  const pair = `${key} = ${key === "allow" ? patterns : rules}${end}\n`;
  const head = key.startsWith("p") ? "" : `${above}[permissions]\n`;
  return `${head}${within}${pair}${below}enforce=true\n`.replace(
    /^enforce/m,
    key.startsWith("p") ? "permissions.enforce" : "enforce",
  );
});

const policy = fc.tuple(
  fc.constantFrom("", "#:schema ./x.json\n"),
  fc.oneof(permissions, fc.array(table, { maxLength: 3 }).map((all) => all.join(""))),
  between,
).map((parts) => parts.join(""));

/** The findings, each with its rule, in any order. */
function findingsOf(text: string): readonly string[] {
  const select = [...new Set(COMMENTS.flatMap((it) => it.match(/[a-z]+-[a-z]+/g) ?? []))];
  const { findings } = lintText(text, {
    select: [...select.filter((id) => id !== "caliban-ignore"), "duplicate", "ignore-comment"],
  });
  return findings.map(({ id, rule, message }) =>
    `${id} ${rule?.pattern} ${rule?.action} ${message.replace(/ on line \d+/, "")}`
  ).toSorted();
}

test("a formatted policy has the findings that it had, wherever a comment ignores some", () => {
  let [all, kept] = [0, 0];
  fc.assert(
    fc.property(policy, (text) => {
      const once = formatPolicy(text);
      if (!once.ok) return;
      assert.deepEqual(findingsOf(once.text), findingsOf(text), `${text}\n=====\n${once.text}`);
      const twice = formatPolicy(once.text);
      assert.ok(twice.ok);
      assert.equal(twice.text, once.text);
      all++;
      if (once.kept.length > 0) kept++;
    }),
    { numRuns: 300 },
  );
  assert.ok(all > 0 && kept > 0 && kept < all, `${kept} of ${all}`);
});
