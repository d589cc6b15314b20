import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { stringify } from "smol-toml";
import type { ProblemId } from "../../lib/model/problem.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { permissionsSchema } from "../../lib/policy/schema/permissions_schema.ts";
import { wrapper } from "./decode_texts.ts";

// The two may differ about TOML itself (it never reaches zod), the calendar (the schema knows a date's shape only), and a
// key `__proto__`, which zod passes over and the decoder refuses.
const DECODER_ONLY: readonly ProblemId[] = ["toml-syntax", "too-large", "invalid-date"];

const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant([]), fc.constant({}));

/** Mostly what belongs there, at times anything. */
function mostly<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: value, weight: 12 }, { arbitrary: scalar, weight: 1 });
}

function table(keys: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> {
  const known = fc.record(keys, { requiredKeys: [] });
  const extra = fc.dictionary(fc.constantFrom("x", "rule", "match", "shell", "deny", ""), scalar, {
    maxKeys: 1,
  });
  return fc.tuple(known, fc.oneof({ arbitrary: fc.constant({}), weight: 9 }, extra))
    .map(([a, b]) => ({ ...b, ...a }));
}

const date = fc.oneof(
  fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }).map((it) =>
    it.toISOString()
  ),
  fc.constantFrom("2027-01-01T00:00:00+02:00", "2027-01-01t00:00:00z", "2027-01-01", "soon", ""),
);

const ruleKeys = {
  comment: mostly(fc.string()),
  expires_at: mostly(date),
  reason: mostly(fc.string()),
  match: mostly(fc.array(mostly(fc.string()), { maxLength: 2 })),
  not_match: mostly(fc.array(mostly(fc.string()), { maxLength: 2 })),
};

const action = fc.constantFrom("allow", "deny", "deny", "deny", "ask", "Deny");

const rule = fc.tuple(
  fc.constantFrom("pattern", "pattern", "pattern", "tool"),
  mostly(fc.constantFrom("Bash:git *", "", "Read")),
  mostly(action),
  table(ruleKeys),
).map(([key, pattern, verb, rest]) => ({ [key]: pattern, action: verb, ...rest }));

const rules = mostly(
  fc.array(mostly(fc.oneof(rule, table({ pattern: fc.string(), tool: fc.string() }))), {
    maxLength: 3,
  }),
);

const bucket = mostly(fc.array(mostly(fc.string()), { maxLength: 2 }));

const settings = {
  default_mode: mostly(fc.constantFrom("default", "default", "plan", "no")),
  enforce: mostly(fc.boolean()),
  shell: mostly(fc.constantFrom("parsed", "literal", "bash")),
  enforce_expiry: mostly(fc.boolean()),
  audit_log: mostly(fc.boolean()),
  unmatched: mostly(fc.constantFrom("ask", "agent", "deny")),
};

const call = fc.oneof(
  fc.constantFrom("Bash:git push", "Bash:", "TodoWrite", "Bash:a\nb", "a:b:c (d) *"),
  fc.array(fc.constantFrom("Bash", ":", "(", "*", " ", "\n", "\t", "x", "é", "\u2003"), {
    maxLength: 5,
  }).map((parts) => parts.join("")),
  table({
    tool: mostly(fc.constantFrom("Bash", "Write", "a b", "x:y", "*", "")),
    input: mostly(fc.dictionary(
      fc.string().filter((it) => it !== "__proto__"),
      fc.jsonValue({
        noUnicodeString: false,
      }).filter((it) => it !== null && !JSON.stringify(it).includes("null")),
    )),
    cwd: mostly(fc.constantFrom("sub", "/x", "", "a\0b")),
  }),
);

const testKeys = {
  mode: mostly(fc.constantFrom("default", "plan", "no")),
  rule: mostly(fc.string()),
  why: mostly(fc.string()),
};

const policyTest = fc.tuple(
  mostly(call),
  mostly(fc.constantFrom("allow", "deny", "ask", "Deny")),
  table(testKeys),
).map(([it, expect, rest]) => ({ call: it, expect, ...rest }));

const tests = mostly(fc.array(mostly(policyTest), { maxLength: 2 }));

const permissions = fc.oneof(
  table({ tests }),
  table({ ...settings, rules }),
  table({ rules }),
  table({ deny: bucket, allow: bucket, require_trust: mostly(fc.boolean()) }),
  table({
    defaultMode: fc.constant("default"),
    managed_only: mostly(fc.boolean()),
    ask: bucket,
    rules,
  }),
);

const tool = table({
  first_arg: mostly(fc.constantFrom("sql", "a.b", "a..b", "a b", "")),
  kind: mostly(fc.constantFrom("text", "url", "command", "command", "urls")),
  class: mostly(fc.constantFrom("read", "Read", "control")),
  shell: mostly(fc.constantFrom("posix", "other", "other", "cmd")),
});

const repositoryText = fc.constantFrom(
  ...[
    "~/src/*",
    "/a/b",
    "~",
    "~/",
    "/",
    "src/*",
    "/*",
    "~/a/../b",
    "~/./a",
    "/a b/c",
    "~x/y",
    "~/a*b/c",
    "/a//b",
    "C:/x",
  ],
);

const wrapperText = fc.oneof(
  { arbitrary: wrapper, weight: 8 },
  fc.constantFrom(
    "bash",
    "sudo -u x",
    "PYTHON3.12",
    "npm run",
    "devbox run node",
    "bundle",
    "bundle exec rake",
    ".",
    "a  b",
    " a",
    "a b c d e",
    "-x",
    "a -x",
    "a/b",
    "a\n",
    "",
  ),
  fc.array(fc.constantFrom("a", "-", " ", "sh", "exec", ".", "é", "3", "uv", "run", "\t"), {
    maxLength: 5,
  })
    .map((parts) => parts.join("")),
);

const variableText = fc.constantFrom(
  "PORT",
  "MY_VAR",
  "x",
  "_a1",
  "PATH",
  "LD_PRELOAD",
  "GIT_X",
  "FOO_OPTS",
  "NODE_OPTIONS",
  "path",
  "1A",
  "A-B",
  "A B",
  "A=1",
  "A\n",
  "É",
  "",
);

const ownCommand = fc.constantFrom(
  ...[
    "just test",
    "just *",
    "bin/ci",
    "./ci *",
    ".scripts/ci",
    "npm test",
    "sudo *",
    "just --set=x",
  ],
  ...[
    "",
    "just  test",
    "just * x",
    "/bin/ci",
    "../ci",
    "a/../b",
    "just $x",
    "bash.exe x",
    "-x",
    "a/",
    "7z x",
  ],
);

const shell = table({
  variables: mostly(fc.array(mostly(variableText), { maxLength: 2 })),
  wrappers: mostly(fc.array(mostly(wrapperText), { maxLength: 2 })),
  classes: mostly(table({
    project: mostly(fc.array(mostly(ownCommand), { maxLength: 2 })),
    "service-read": mostly(fc.array(mostly(ownCommand), { maxLength: 2 })),
  })),
  repositories: mostly(fc.array(mostly(repositoryText), { maxLength: 2 })),
});

const tools = fc.dictionary(fc.string().filter((name) => name !== "__proto__"), mostly(tool), {
  maxKeys: 2,
});

const file = fc.oneof(
  table({ permissions: mostly(permissions), tools: mostly(tools), shell: mostly(shell) }),
  table({ shell, tools }),
  table({ permissions: mostly(permissions) }),
  table({ rule: rules, tools }),
  table({ rule: rules, permissions }),
);

test("decoder and zod schema take and refuse the same files", () => {
  const seen = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(file, (value) => {
      const text = stringify(value);
      const { problems } = decodePolicy(text);
      const shape = problems.filter((problem) => !DECODER_ONLY.includes(problem.id));
      const { success } = permissionsSchema.safeParse(value);
      seen[success ? "taken" : "refused"]++;
      if (shape.length > 0) assert.ok(!success, `only the decoder refuses ${text}`);
      if (problems.length === 0) assert.ok(success, `only the schema refuses ${text}`);
    }),
    { numRuns: 2000 },
  );
  // Neither side of the law may run dry.
  assert.ok(seen.taken > enough(200) && seen.refused > enough(200), JSON.stringify(seen));
});

test("a date that the schema takes is refused by the decoder for its calendar alone", () => {
  const part = fc.integer({ min: 0, max: 99 }).map((it) => String(it).padStart(2, "0"));
  const dates = fc.tuple(part, part, part, part, part).map(([month, day, hour, minute, second]) =>
    `2028-${month}-${day}T${hour}:${minute}:${second}Z`
  );
  fc.assert(fc.property(dates, (text) => {
    const value = { permissions: { rules: [{ pattern: "x", action: "ask", expires_at: text }] } };
    assert.ok(permissionsSchema.safeParse(value).success);
    const { rules, problems } = decodePolicy(stringify(value));
    const expected = Date.parse(text);
    const isReal = !Number.isNaN(expected) &&
      new Date(expected).toISOString().startsWith(text.slice(0, 19));
    assert.deepEqual(problems.map((it) => it.id), isReal ? [] : ["invalid-date"]);
    assert.equal(rules[0]?.expiresAt, isReal ? expected : undefined);
  }));
});

test("no text makes the decoder throw, and every span lies in the text", () => {
  const pieces = fc.constantFrom(
    "[[",
    "]]",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\n",
    "\r\n",
    " ",
    "#",
    '"',
    "'",
    '"""',
    "'''",
    "\\",
    "permissions",
    "rules",
    "rule",
    "tools",
    "pattern",
    "action",
    '"allow"',
    "true",
    "1",
    "-",
    "_",
    "2027-01-01",
    "T10:00:00Z",
    "inf",
    "0x",
    "\u0000",
    "\r",
    "\ud800",
    "é",
    "😀",
    "__proto__",
    "a=1\n",
  );
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((it) => it.join("")),
    fc.string({ unit: "binary" }),
  );
  fc.assert(
    fc.property(text, (it) => {
      for (const { span, message } of decodePolicy(it).problems) {
        assert.ok(message.startsWith("Cannot "), message);
        assert.ok(0 <= span.start && span.start <= span.end && span.end <= it.length, message);
        const before = it.slice(0, span.start);
        assert.equal(span.line, before.split("\n").length);
        assert.equal(span.column, before.length - before.lastIndexOf("\n"));
      }
    }),
    { numRuns: 3000 },
  );
});
