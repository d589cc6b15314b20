import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { STARTER } from "../../lib/cli/init/starter.ts";
import { decodeCounted } from "../../lib/policy/decode/decode_fast.ts";
import { decodeFully } from "../../lib/policy/decode/decode_policy.ts";
import { PlainLines } from "../../lib/policy/decode/plain_lines.ts";
import { plainTables } from "../../lib/policy/edit/plain_tables.ts";
import { kindOf, linesOf } from "../../lib/text/text_lines.ts";
import { countParts } from "../../lib/text/toml_parts.ts";
import { parseToml } from "../../lib/text/toml_tree.ts";
import { arrayFile, tableFile } from "./decode_texts.ts";

const RULE = '[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n';

/** True if the fast decoder takes the text. It must then agree with the full one, which must find no problem. */
function isTaken(text: string): boolean {
  const fast = decodeCounted(text);
  if (fast === undefined) return false;
  const full = decodeFully(text);
  assert.deepEqual(fast.file, full);
  // The members are in one order too: some compare the JSON of two files.
  assert.equal(JSON.stringify(fast.file), JSON.stringify(full));
  assert.deepEqual(fast.file.problems, []);
  assert.equal(fast.parts, countParts(text, Infinity).parts);
  checkTables(text);
  return true;
}

/** True if a value goes over several lines. */
function goesOn(text: string): boolean {
  const lines = PlainLines.of(text)!;
  for (let line = lines.next(); line !== "end"; line = lines.next()) {
    if (lines.goesOn()) return true;
  }
  return false;
}

/** Holds the tables and comments that rules are removed by to those of the tree. */
function checkTables(text: string): void {
  const plain = plainTables(text);
  if (goesOn(text)) return assert.equal(plain, undefined);
  const document = parseToml(text);
  const permissions = document.root.members.get("permissions")?.value;
  const rules = permissions?.type === "table" ? permissions.members.get("rules")?.value : undefined;
  const tables = rules?.type === "array" && rules.form === "tables"
    ? rules.elements.map((each) => each.type === "table" && [each.span, each.end])
    : undefined;
  assert.deepEqual(plain?.tables.map(({ span, end }) => [span, end]), tables);
  const lines = linesOf(document);
  const own = plain && linesOf(plain);
  for (const at of lines.starts.keys()) {
    assert.equal(own && kindOf(own, at), own && kindOf(lines, at));
  }
}

const content = fc.oneof(
  fc.constantFrom("Bash:git *", "Read(**/.env)", "mcp__x__*", ""),
  fc.array(
    fc.constantFrom(
      "#",
      "[[",
      "]]",
      "[permissions]",
      "=",
      " ",
      "\t",
      "'",
      '"',
      "\\",
      "é",
      "😀",
      "a",
    ),
    { maxLength: 8 },
  ).map((parts) => parts.join("")),
  fc.string({ unit: "grapheme", maxLength: 12 }),
);

const string = fc.oneof(
  content.map((it) => `"${it.replace(/["\\]/g, "\\$&")}"`),
  content.map((it) => `"${it.replace(/["\\]/g, "")}\\n\\t\\f\\b\\r"`),
  content.map((it) => `'${it.replaceAll("'", "")}'`),
);

const space = fc.constantFrom("", " ", " ", " ", "  ", "\t");
const indent = fc.constantFrom("", "", "", "  ", "\t");
const tail = fc.oneof(
  fc.constantFrom("", "", "", "  ", "#", ' # "', " # [[permissions.rules]]"),
  content.map((it) => ` # ${it}`),
);
const filler = fc.array(
  fc.oneof(
    fc.constantFrom("", "", "  ", "# [[permissions.rules]]", '  # pattern = "x"'),
    content.map((it) => `#${it}`),
  ),
  { maxLength: 3 },
);

function header(name: string): fc.Arbitrary<string> {
  return fc.tuple(indent, tail).map(([before, behind]) => before + name + behind);
}

function pair(key: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.tuple(indent, space, space, value, tail)
    .map(([before, left, right, raw, behind]) => before + key + left + "=" + right + raw + behind);
}

/** The lines of a table: `first` always, some of the others, in any order, with comments and blank lines between. */
function table(
  name: string,
  { first = [], others = [] }: Record<string, readonly fc.Arbitrary<string>[]>,
): fc.Arbitrary<readonly string[]> {
  return fc.tuple(fc.tuple(...first), fc.subarray([...others]))
    .chain(([always, some]) => fc.tuple(fc.constant(always), fc.tuple(...some)))
    .chain(([always, some]) => {
      const lines = [...always, ...some];
      return fc.shuffledSubarray(lines, { minLength: lines.length });
    })
    .chain((lines) =>
      fc.tuple(header(name), ...lines.map((line) => fc.tuple(filler, fc.constant(line))))
    )
    .map(([head, ...lines]) => [head, ...lines.flatMap(([above, line]) => [...above, line])]);
}

const date = fc.constantFrom(
  "2027-01-01T00:00:00Z",
  "2028-02-29T23:59:59.123456789+02:00",
  "1999-12-31T00:00:00.5-00:00",
);
const expires = pair("expires_at", fc.oneof(date, date.map((it) => `"${it}"`)));
const comment = pair("comment", string);

/** Blanks in a list, which may go over several lines. */
const gap = fc.oneof(
  space,
  fc.constantFrom(
    "\n",
    "\r\n",
    "\n  ",
    "\n\n\t",
    " # one\n",
    "\n# [[permissions.rules]]\r\n",
    " #]\n",
  ),
  content.map((it) => ` # ${it}\n`),
);

/** A list of strings, on one line or several. */
const list = fc.tuple(
  fc.oneof(
    fc.array(fc.tuple(space, string, space), { maxLength: 3 }),
    fc.array(fc.tuple(gap, string, gap), { maxLength: 4 }),
  ),
  fc.oneof(fc.constantFrom("", " ", "\t"), gap),
  fc.oneof(fc.constantFrom("", ",", ", "), gap.map((it) => `,${it}`)),
).map(([items, pad, comma]) => {
  const inner = items.map((parts) => parts.join("")).join(",");
  return `[${pad}${inner}${items.length > 0 ? comma : ""}]`;
});
const examples = [pair("match", list), pair("not_match", list)];
const name = fc.constantFrom("pattern", "pattern", "pattern", "tool");

const rule = name.chain((key) =>
  fc.oneof(
    table("[[permissions.rules]]", {
      first: [pair(key, string), pair("action", fc.constantFrom('"allow"', "'ask'"))],
      others: [comment, expires, ...examples],
    }),
    table("[[permissions.rules]]", {
      first: [pair(key, string), pair("action", fc.constant('"deny"'))],
      others: [comment, expires, pair("reason", string), ...examples],
    }),
  )
);

const bool = fc.constantFrom("true", "false");
const settings = fc.constantFrom("default_mode", "defaultMode").chain((mode) =>
  table("[permissions]", {
    others: [
      pair(mode, fc.constant('"default"')),
      pair("enforce", bool),
      pair("shell", fc.constantFrom('"parsed"', "'literal'")),
      pair("enforce_expiry", bool),
      pair("audit_log", bool),
      pair("require_trust", bool),
      pair("managed_only", bool),
      pair("unmatched", fc.constantFrom('"ask"', "'agent'")),
    ],
  })
);

const toolName = fc.constantFrom("mcp__db__query", "X-1", "7", '"a b"', '"é.#]"', "__proto__");
const toolKeys = [
  pair("first_arg", fc.constantFrom('"sql"', "'query.sql'")),
  pair("class", fc.constantFrom('"read"', '"execute"')),
];
const tools = fc.uniqueArray(toolName, { maxLength: 3 }).chain((names) =>
  fc.tuple(...names.map((it) =>
    fc.oneof(
      table(`[tools.${it}]`, {
        others: [...toolKeys, pair("kind", fc.constantFrom('"text"', '"command"'))],
      }),
      table(`[tools.${it}]`, {
        first: [pair("shell", fc.constantFrom('"posix"', "'other'"))],
        others: [...toolKeys, pair("kind", fc.constant('"command"'))],
      }),
    )
  ))
);

/** A file without problems as people write them, tables in any order. */
const plainFile = fc.tuple(
  fc.array(rule, { maxLength: 4 }),
  fc.option(settings),
  tools,
  fc.constantFrom("\n", "\n", "\r\n"),
  fc.boolean(),
).chain(([rules, setting, some, eol, isEnded]) => {
  const tables = [...rules, ...(setting === null ? [] : [setting]), ...some];
  return fc.tuple(
    fc.shuffledSubarray(tables, { minLength: tables.length }),
    fc.array(filler, { minLength: tables.length + 1, maxLength: tables.length + 1 }),
  ).map(([order, gaps]) => {
    const lines = order.flatMap((it, index) => [...(gaps[index] ?? []), ...it]);
    return [...lines, ...(gaps.at(-1) ?? [])].join(eol) + (isEnded ? eol : "");
  });
});

/** A file of lists, as people write them by hand and `perms add` does. */
const listFile = fc.tuple(
  table("[permissions]", {
    others: [...["deny", "ask", "allow"].map((key) => pair(key, list)), pair("enforce", bool)],
  }),
  tools,
  fc.constantFrom("\n", "\r\n"),
).map(([lists, some, eol]) => [...lists, ...some.flat()].join(eol));

// deno-fmt-ignore
const NASTY = [
  '"', "'", '"""', "'''", "\\", "\\u0041", "\\e", "\\x41", "#", "[", "]", "[[", "]]", "{", "}", "=", ".", ",", " ", "\t",
  "\n", "\r", "\r\n", "\u0000", "\u000b", "\u007f", "\u0085", "\u2028", "\ufeff", "\ud800", "é", "-", "_", "0", "T", "Z",
  "true", "allow", "permissions", "rules", "a=1\n", "[permissions]\n", "[tools.x]\n", "[tools]\n", RULE,
];

const KINDS = ["delete", "insert", "double", "delete-line", "double-line", "swap-lines"] as const;

/** A change to a text at `at`, modulo its length, of `length` characters or lines; what is inserted is `piece`. */
interface Change {
  readonly kind: (typeof KINDS)[number];
  readonly at: number;
  readonly length: number;
  readonly piece: string;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom(...KINDS, "insert"),
  at: fc.nat(),
  length: fc.integer({ min: 1, max: 3 }),
  piece: fc.constantFrom(...NASTY),
});

function changed(text: string, { kind, at, length, piece }: Change): string {
  const from = at % (text.length + 1);
  const lines = text.split("\n");
  const first = at % lines.length;
  const cut = lines.slice(first, first + length);
  switch (kind) {
    case "delete":
      return text.slice(0, from) + text.slice(from + length);
    case "insert":
      return text.slice(0, from) + piece + text.slice(from);
    case "double":
      return text.slice(0, from + length) + text.slice(from);
    case "delete-line":
      return lines.toSpliced(first, length).join("\n");
    case "double-line":
      return lines.toSpliced(first, 0, ...cut).join("\n");
    case "swap-lines":
      return lines.toSpliced(first, cut.length, ...cut.toReversed()).join("\n");
  }
}

test("the fast decoder takes nearly every plain file, and says what the full one says", () => {
  const seen = { valid: 0, taken: 0, files: 0 };
  fc.assert(
    fc.property(plainFile, (text) => {
      seen.files++;
      if (decodeFully(text).problems.length === 0) seen.valid++;
      if (isTaken(text)) seen.taken++;
    }),
    { numRuns: 500 },
  );
  assert.ok(
    seen.valid >= 0.95 * seen.files && seen.taken >= 0.9 * seen.valid,
    JSON.stringify(seen),
  );
});

test("a file of lists is decoded alike, whatever stands between the elements", () => {
  const seen = { taken: 0, left: 0 };
  fc.assert(
    fc.property(listFile, fc.array(change, { maxLength: 2 }), (text, all) => {
      seen[isTaken(all.reduce(changed, text)) ? "taken" : "left"]++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(seen.taken > enough(150) && seen.left > enough(150), JSON.stringify(seen));
});

/** A rule in the shortest way, and what may stand behind its lines or in place of one. */
const shortRule = fc.tuple(
  fc.constantFrom(
    "Bash:git *",
    "",
    "a'b",
    "é[[",
    "# x",
    "x\\\\y",
    "x".repeat(16_340),
    "x".repeat(16_400),
  ),
  fc.constantFrom("allow", "deny", "ask", "Allow", ""),
  fc.constantFrom("", " ", " # behind", "\t#"),
  fc.constantFrom(
    "\n",
    "\n\n",
    "\n\n\n",
    "\n \n",
    "\r\n\r\n",
    "",
    '\ncomment = "c"\n',
    '\nreason = "r"\n',
    '\naction = "deny"\n',
    '\n\nmatch = ["a"]\n',
    "\n# a\n\n",
    "\n[permissions]\nenforce = true\n",
  ),
).map(([pattern, action, tail, behind]) =>
  `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"${tail}${behind}`
);

test("rules in the shortest way are decoded alike, whatever stands behind and between them", () => {
  const seen = { taken: 0, left: 0 };
  const head = fc.constantFrom("", "\n", "# a\n", '[permissions]\nshell = "parsed"\n\n');
  fc.assert(
    fc.property(head, fc.array(shortRule, { maxLength: 3 }), (before, rules) => {
      seen[isTaken(before + rules.join("")) ? "taken" : "left"]++;
    }),
    { numRuns: 1500 },
  );
  assert.ok(seen.taken > enough(150) && seen.left > enough(150), JSON.stringify(seen));
});

const digits = (most: number) =>
  fc.nat({ max: most }).map((number) => String(number).padStart(2, "0"));
const anyDate = fc.tuple(
  fc.constantFrom("1000", "2023", "2024", "2100", "2999"),
  ...[14, 33, 26, 62, 62].map(digits),
  fc.constantFrom("", ".", ".0", ".1234567891"),
  fc.oneof(
    fc.constantFrom("Z", "", "z"),
    fc.tuple(fc.constantFrom("+", "-"), digits(26), digits(62))
      .map(([sign, hour, minute]) => `${sign}${hour}:${minute}`),
  ),
).map(([year, month, day, hour, minute, second, fraction, zone]) =>
  `${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}${zone}`
);

test("a date that there is not is left to the full decoder", () => {
  const seen = { taken: 0, left: 0 };
  fc.assert(
    fc.property(anyDate, fc.constantFrom("", '"', "'"), (each, quote) => {
      seen[isTaken(`${RULE}expires_at = ${quote}${each}${quote}\n`) ? "taken" : "left"]++;
    }),
    { numRuns: 1000 },
  );
  assert.ok(seen.taken > enough(100) && seen.left > enough(100), JSON.stringify(seen));
});

test("a file of any make is left to the full decoder or decoded alike", () => {
  fc.assert(fc.property(fc.oneof(tableFile, arrayFile), (text) => void isTaken(text)), {
    numRuns: 500,
  });
});

test("a changed file is left to the full decoder or decoded alike", () => {
  const seen = { taken: 0, left: 0 };
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.oneof(plainFile, plainFile, tableFile), changes, (text, all) => {
      seen[isTaken(all.reduce(changed, text)) ? "taken" : "left"]++;
    }),
    { numRuns: 1500 },
  );
  // Neither side of the law may run dry.
  assert.ok(seen.taken > enough(150) && seen.left > enough(150), JSON.stringify(seen));
});

test("the files that caliban writes are taken", () => {
  for (const text of [STARTER, RULE, "", `${RULE}[permissions]\n`]) assert.ok(isTaken(text), text);
});

test("lists of strings are taken, on one line and on several", () => {
  const texts = [
    '[permissions]\ndeny = [\n"x"]\n',
    '[permissions]\ndeny = [\n  "x", # "y"\n  # ]\n  \'z\'\r\n  ,\n]  # end\nallow = [\n]\nask = ["a",\n"b"]',
    `${RULE}match = ["a",\n"b"]\n${RULE}`,
    `${RULE}match = ["a" # b\n]\n\n# c\n${RULE}`,
    `${RULE}match = ["a", 'b\\', "c\\"]\\n", ] # d\n`,
    `${RULE}match = []\nnot_match=['']\n`,
    '[permissions]\ndeny = ["x", "y"]\nallow = []\n',
  ];
  for (const text of texts) assert.ok(isTaken(text), text);
});

test("what is written in another way is left to the full decoder", () => {
  const texts = [
    'permissions.rules = [{ pattern = "x", action = "ask" }]\n',
    '[permissions]\nrules = [{ pattern = "x", action = "ask" }]\n',
    '[permissions]\ndeny = [\n"x"\n"y"]\n',
    '[permissions]\ndeny = [\n"x",,]\n',
    "[permissions]\ndeny = [\n,]\n",
    '[permissions]\ndeny = [\n"x",\n',
    '[permissions]\ndeny = ["x" # ]\n',
    '[permissions]\ndeny = [\n"x"\n] y\n',
    '[permissions]\ndeny = [\n"x\ny"]\n',
    '[permissions]\ndeny = [\n"""x"""]\n',
    `[permissions]\ndeny = [\n${'"x",\n'.repeat(4000)}]\n`,
    "[permissions]\ntests = []\n",
    '[[permissions.tests]]\ncall = "x"\nexpect = "ask"\n',
    `${RULE}match = ["a", """b"""]\n`,
    `${RULE}match = ["a\\u0041"]\n`,
    `${RULE}match = [true]\n`,
    `${RULE}match = [["a"]]\n`,
    '[[rule]]\npattern = "x"\naction = "ask"\n',
    "[tools]\n",
    '[shell]\nwrappers = ["rtk"]\n',
    'shell.wrappers = ["rtk"]\n',
    "[shell]\n",
    "[ permissions ]\n",
    '["permissions"]\n',
    '[permissions]\n"enforce" = true\n',
    '[permissions]\nshell = """parsed"""\n',
    "[permissions]\nshell = '''parsed'''\n",
    '[permissions]\nshell = "\\u0070arsed"\n',
    `${RULE}comment = "a\\eb"\n`,
    `${RULE}comment = "a\\x41b"\n`,
    `${RULE}expires_at = 2027-01-01 00:00:00Z\n`,
    `${RULE}expires_at = 2027-01-01t00:00:00z\n`,
    `${RULE}expires_at = 2027-01-01T00:00Z\n`,
    `${RULE}expires_at = 0001-01-01T00:00:00Z\n`,
    `\ufeff${RULE}`,
    RULE.replaceAll("\n", "\r"),
    `${RULE}# \u0000\n`,
    `${RULE}# \u2028\n`,
    `${RULE}# \ud800\n`,
    `# ${"x".repeat(20_000)}\n${RULE}`,
    `# ${"x".repeat(1000)}\n`.repeat(9000),
  ];
  assert.deepEqual(texts.filter((text) => decodeCounted(text) !== undefined), []);
});

test("what has a problem is left to the full decoder", () => {
  const texts = [
    "[permissions]\nenforce = true\nenforce = true\n",
    "[permissions]\n[permissions]\n",
    '[tools.x]\n[tools."x"]\n',
    "enforce = true\n[permissions]\n",
    '[permissions]\nenforce = "true"\n',
    '[permissions]\nshell = "bash"\n',
    '[permissions]\nrules = "x"\n',
    '[permissions]\naudit_log = "all"\n',
    '[permissions]\ndefault_mode = "default"\ndefaultMode = "default"\n',
    '[[permissions.rules]]\npattern = "x"\n',
    '[[permissions.rules]]\naction = "ask"\n',
    `${RULE}tool = "x"\n`,
    `${RULE}reason = "x"\n`,
    `${RULE}expires_at = "soon"\n`,
    `${RULE}expires_at = 2027-02-30T00:00:00Z\n`,
    `${RULE}expires_at = true\n`,
    `${RULE}Action = "deny"\n`,
    '[tools.x]\nfirst_arg = "a b"\n',
    '[tools.x]\nshell = "cmd"\n',
    '[tools.x]\nkind = "text"\nshell = "other"\n',
    '[shell]\nwrappers = ["sudo"]\n',
  ];
  assert.deepEqual(texts.filter((text) => decodeCounted(text) !== undefined), []);
  for (const text of texts) assert.notDeepEqual(decodeFully(text).problems, [], text);
});
