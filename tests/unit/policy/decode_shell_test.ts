import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";
import { pureWrapper } from "../../../lib/policy/compile/known_programs.ts";
import { printPolicy, printPolicyJson } from "../../../lib/policy/edit/print_policy.ts";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";

/** The problems of a text, each on one line: place, length, id, message and hint. */
function problemsOf(text: string): readonly string[] {
  return decodePolicy(text).problems.map(({ id, message, span, hint }) => {
    const place = `${span.line}:${span.column}+${span.end - span.start}`;
    return `${place} ${id}: ${message}${hint === undefined ? "" : ` | ${hint}`}`;
  });
}

/** The problem of one wrapper; undefined if there is none. */
function saidOf(wrapper: string): string | undefined {
  const [said, ...others] = problemsOf(`[shell]\nwrappers = [${JSON.stringify(wrapper)}]\n`);
  assert.deepEqual(others, []);
  return said;
}

test("wrappers come with their places, in the order of the text", () => {
  const file = decodePolicy('[shell]\nwrappers = ["rtk",\n  "devbox run"]\n');
  assert.deepEqual(file.problems, []);
  assert.deepEqual(file.settings.wrappers, {
    value: [
      { value: "rtk", span: { start: 20, end: 25, line: 2, column: 13 } },
      { value: "devbox run", span: { start: 29, end: 41, line: 3, column: 3 } },
    ],
    span: { start: 19, end: 42, line: 2, column: 12 },
  });
  assert.deepEqual(decodePolicy("[shell]\n").settings, {});
  assert.deepEqual(decodePolicy("[shell]\nwrappers = []\n").settings.wrappers?.value, []);
  assert.equal(decodePolicy('shell = { wrappers = ["a"] }\n').settings.wrappers?.value.length, 1);
});

const PLAIN = 'expected one to four plain words such as "devbox run"';

const MESSAGES: readonly (readonly [string, string, readonly string[]])[] = [
  [
    "a repository that is no folder",
    '[shell]\nrepositories = ["~/src/*", "src", "/*", "~/../x"]\n',
    [
      '2:28+5 unknown-value: Cannot read repository "src": expected a folder such as "~/src/*" | It begins with / or ~/, and * matches a part of a name',
      '2:35+4 unknown-value: Cannot read repository "/*": expected a folder such as "~/src/*" | It begins with / or ~/, and * matches a part of a name',
      '2:41+8 unknown-value: Cannot read repository "~/../x": expected a folder such as "~/src/*" | It begins with / or ~/, and * matches a part of a name',
    ],
  ],
  ["a key that is near one", '[shell]\nwrapper = ["rtk"]\n', [
    '2:1+7 unknown-key: Cannot read key "wrapper": there is no such key here | Did you mean "wrappers"?',
  ]],
  ["a key that is near none", "[shell]\nread = 1\n", [
    '2:1+4 unknown-key: Cannot read key "read": there is no such key here | The keys here are wrappers, variables, classes, repositories',
  ]],
  ["a table that is near it", "[shel]\n", [
    '1:2+4 unknown-key: Cannot read key "shel": there is no such key here | Did you mean "shell"?',
  ]],
  ["a setting in the table", '[shell]\nshell = "literal"\n', [
    '2:1+5 misplaced-key: Cannot read key "shell": it belongs under [permissions], above the rules',
  ]],
  ["wrappers in another table", '[permissions]\nwrappers = ["rtk"]\n', [
    '2:1+8 misplaced-key: Cannot read key "wrappers": it belongs in the [shell] table',
  ]],
  ["a table that is none", "shell = true\n", [
    '1:9+4 wrong-type: Cannot read key "shell": expected a table, not a boolean',
  ]],
  ["several tables", "[[shell]]\n", [
    '1:1+9 wrong-type: Cannot read key "shell": expected a table, not an array | Write [shell], and write it once',
  ]],
  ["a table where the setting stands", '[permissions.shell]\nwrappers = ["rtk"]\n', [
    '1:14+5 wrong-type: Cannot read key "shell": expected a string, not a table',
  ]],
  ["wrappers that are no array", '[shell]\nwrappers = "rtk"\n', [
    '2:12+5 wrong-type: Cannot read key "wrappers": expected an array, not a string',
  ]],
  ["each wrapper that is no text", '[shell]\nwrappers = [1, "rtk", ["a"]]\n', [
    '2:13+1 wrong-type: Cannot read an element of "wrappers": expected a string, not a number',
    '2:23+5 wrong-type: Cannot read an element of "wrappers": expected a string, not an array',
  ]],
  ["each wrapper that cannot be one", '[shell]\nwrappers = ["rtk", "a/b", "sh"]\n', [
    `2:20+5 unknown-value: Cannot read wrapper "a/b": ${PLAIN} | Name the program without its folder`,
    '2:27+4 unknown-value: Cannot read wrapper "sh": caliban already knows the program "sh" | Remove it: caliban finds its inner command without this entry',
  ]],
  ["a shell that there is not", '[tools.x]\nkind = "command"\nshell = "othre"\n', [
    '3:9+7 unknown-value: Cannot read shell "othre": expected one of posix, bash, zsh, sh, other | Did you mean "other"?',
  ]],
  ["a shell that is no text", "[tools.x]\nshell = true\n", [
    '2:9+4 wrong-type: Cannot read key "shell": expected a string, not a boolean',
  ]],
  ["the shell of a tool of another kind", '[tools.x]\nshell = "other"\nkind = "text"\n', [
    '2:1+5 misplaced-key: Cannot read key "shell": it belongs to a tool of kind command, and this is text',
  ]],
];

for (const [name, text, expected] of MESSAGES) {
  test(`decodePolicy tells of ${name}`, () => assert.deepEqual(problemsOf(text), expected));
}

test("a wrapper is one to four plain words", () => {
  const said: readonly (readonly [string, string])[] = [
    ["", "A word consists of letters, digits and . _ + -"],
    ["rtk;", "A word consists of letters, digits and . _ + -"],
    ["rtk *", "A word consists of letters, digits and . _ + -"],
    ["$rtk", "A word consists of letters, digits and . _ + -"],
    ["rtk\u0000", "A word consists of letters, digits and . _ + -"],
    ["rtk\n", 'Write "rtk"'],
    ["-rtk", "A word consists of letters, digits and . _ + -"],
    ["é", "A word consists of letters, digits and . _ + -"],
    ["devbox  run", 'Write "devbox run"'],
    [" devbox run ", 'Write "devbox run"'],
    ["devbox\trun", 'Write "devbox run"'],
    ["mise exec --", 'End it before the option: "mise exec"'],
    ["nix develop -c", 'End it before the option: "nix develop"'],
    ["./rtk", "Name the program without its folder"],
    ["C:\\bin\\rtk.exe", "Name the program without its folder"],
    ["a b c d e", "End it before the command that it runs"],
  ];
  for (const [wrapper, hint] of said) {
    const quoted = wrapper.replace("\u0000", "\\u0000").replace("\n", "\\u000A").replace(
      "\t",
      "\\u0009",
    );
    assert.ok(
      saidOf(wrapper)?.endsWith(`Cannot read wrapper "${quoted}": ${PLAIN} | ${hint}`),
      saidOf(wrapper),
    );
  }
  for (const wrapper of ["rtk", "a b c d", "g++ x_1", "7zip", "devbox run", "mise exec", "w3m"]) {
    assert.equal(saidOf(wrapper), undefined, wrapper);
  }
});

test("a program that is known is no wrapper, however it is written", () => {
  const said: readonly (readonly [string, string, string])[] = [
    ["bash -c", "bash", "Remove it: caliban finds its inner command without this entry"],
    [".", ".", "Remove it: caliban finds its inner command without this entry"],
    ["sudo", "sudo", "Remove it: caliban finds its inner command without this entry"],
    ["BASH.exe", "BASH.exe", "Remove it: caliban finds its inner command without this entry"],
    ["python3.12", "python3.12", "Remove it: caliban finds its inner command without this entry"],
    ["npm run", "npm", "Remove it: caliban finds its inner command without this entry"],
    ["bundle", "bundle", 'Did you mean "bundle exec"?'],
    ["bundle install", "bundle", 'Did you mean "bundle exec"?'],
    ["bundle exec rake", "bundle", 'Did you mean "bundle exec"?'],
    ["uv run python", "uv", 'Did you mean "uv run"?'],
    ["devbox run node", "node", 'End it before that: "devbox run"'],
  ];
  for (const [wrapper, name, hint] of said) {
    const why = `caliban already knows the program "${name}"`;
    assert.ok(saidOf(wrapper)?.endsWith(`wrapper "${wrapper}": ${why} | ${hint}`), saidOf(wrapper));
  }
  for (const wrapper of ["bundle exec", "pnpm exec", "poetry run", "uv run", "devbox exec"]) {
    assert.equal(saidOf(wrapper), undefined, wrapper);
  }
});

test("every program of defaults/shell.toml that runs others is known", () => {
  const catalog = new ProgramCatalog();
  const runs = catalog.names.filter((name) => {
    const { inner, trade, opaque } = catalog.program(name)!.table;
    return inner !== undefined || trade === true || opaque === true;
  });
  assert.ok(runs.length > 80);
  for (const first of runs) {
    for (const name of [first, ...catalog.program(first)!.table.also ?? []]) {
      const isKnown = saidOf(name)?.includes(`caliban already knows the program "${name}"`);
      assert.ok(isKnown, `${name}: add it to [names] runs of defaults/shell.toml`);
    }
  }
});

test("a long wrapper is read in no time", () => {
  const wrapper = "1".repeat(60_000);
  const start = performance.now();
  assert.equal(saidOf(wrapper), undefined);
  assert.ok(saidOf(`${wrapper};`)?.includes(PLAIN));
  assert.ok(performance.now() - start < 1000);
});

test("what is offered in place of a known program can be read", () => {
  for (const name of ["bundle", "pnpm", "poetry", "uv"]) {
    const offered = pureWrapper(name);
    assert.ok(offered !== undefined && offered.startsWith(`${name} `));
    assert.equal(saidOf(offered), undefined);
  }
  assert.equal(pureWrapper("sudo"), undefined);
});

test("a tool's shell stands beside kind command, or beside no kind", () => {
  const file = decodePolicy(
    '[tools.A]\nkind = "command"\nshell = "other"\n[tools.B]\nshell = "posix"\n[tools.C]\n',
  );
  assert.deepEqual(file.problems, []);
  assert.deepEqual([...file.tools].map(([name, { value }]) => [name, value]), [
    ["A", { kind: "command", shell: "other" }],
    ["B", { shell: "posix" }],
    ["C", {}],
  ]);
});

test("both keys are written in their canonical places", () => {
  const text = '[tools.A]\nshell = "other"\nclass = "execute"\nkind = "command"\n' +
    '[[permissions.rules]]\npattern = "A"\naction = "ask"\n' +
    '[shell]\nwrappers = [\n  "rtk", # one\n  "devbox run",\n]\n[permissions]\nenforce = true\n';
  const file = decodePolicy(text);
  assert.equal(
    printPolicy(file),
    '[permissions]\nenforce = true\n\n[shell]\nwrappers = ["rtk", "devbox run"]\n\n' +
      '[[permissions.rules]]\npattern = "A"\naction = "ask"\n\n' +
      '[tools.A]\nkind = "command"\nclass = "execute"\nshell = "other"\n',
  );
  assert.deepEqual(JSON.parse(printPolicyJson(file)), {
    permissions: { enforce: true, rules: [{ pattern: "A", action: "ask" }] },
    shell: { wrappers: ["rtk", "devbox run"] },
    tools: { A: { kind: "command", class: "execute", shell: "other" } },
  });
  const alone = printPolicy(decodePolicy('shell.wrappers = ["rtk"]\n'));
  assert.equal(alone, '[shell]\nwrappers = ["rtk"]\n');
});
