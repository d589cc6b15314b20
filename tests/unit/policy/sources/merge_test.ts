import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../../support/seeded.ts";
import type { ModeName, ToolOverride } from "../../../../lib/model/call.ts";
import type { MergedSources, SourceEntry } from "../../../../lib/model/rule.ts";
import { mergeSources } from "../../../../lib/policy/sources/merge.ts";
import { entryOf, fileEntries, fileWords, spanAt, wrappersOf } from "./source_entries.ts";

const OPTIONS = {
  defaultTools: ["Bash", "Read"],
  appliesTo: (tool: string, pattern: string) => pattern.startsWith(`${tool}:`),
};

const merge = (...entries: readonly SourceEntry[]) => mergeSources(entries, OPTIONS);
const patterns = ({ rules }: MergedSources) => rules.map(({ pattern }) => pattern.value);
const messages = ({ notices }: MergedSources) => notices.map(({ id, message }) => [id, message]);

test("rules stand in the order of the entries, each with its place", () => {
  const merged = merge(
    entryOf("local", { rules: [["A", "ask"], ["B", "allow"]] }),
    entryOf("user", { rules: [["C", "deny"]] }),
  );
  assert.deepEqual(patterns(merged), ["A", "B", "C"]);
  assert.deepEqual(merged.rules[1]?.source, { kind: "local", path: "/local", line: 2, column: 1 });
  assert.equal(merged.rules[1]?.text, "local");
});

test("the tools of a file that is not trusted are known as written, beside files that are", () => {
  const tools = { mcp__a__b: { class: "read" } } as const;
  const written = (...entries: readonly SourceEntry[]) => [
    ...(merge(...entries).writtenTools ?? new Map()).keys(),
  ];
  const project = entryOf("project", { trusted: false, tools });
  assert.deepEqual(written(project), ["mcp__a__b"]);
  assert.deepEqual(written(project, entryOf("user", {})), ["mcp__a__b"]);
  assert.deepEqual(written(entryOf("project", { trusted: true, tools })), []);
  assert.deepEqual(written(entryOf("project", { trusted: false }), entryOf("user", { tools })), []);
});

test("a setting is taken from the highest source that has it", () => {
  const merged = merge(
    entryOf("managed", { settings: { enforce: false } }),
    entryOf("local", { settings: { defaultMode: "plan" } }),
    entryOf("project", { settings: { defaultMode: "auto", enforceExpiry: true } }),
    entryOf("user", { settings: { enforce: true, enforceExpiry: false } }),
  );
  assert.equal(merged.settings.enforce?.value, false);
  assert.equal(merged.settings.enforceExpiry, true);
  assert.deepEqual(merged.settings.defaultMode, {
    value: "plan",
    source: { kind: "local", path: "/local", line: 1, column: 1 },
  });
});

test("settings that only people above the project may make are ignored in it, and that is said", () => {
  const settings = { enforce: true, requireTrust: true, managedOnly: true };
  const merged = merge(entryOf("project", { settings, rules: [["A", "allow"]] }));
  assert.deepEqual(merged.settings, {
    repositories: [],
    shell: "parsed",
    variables: [],
    classes: [],
    wrappers: [],
    enforceExpiry: false,
    managedOnly: false,
  });
  assert.deepEqual(patterns(merged), ["A"]);
  assert.deepEqual(messages(merged), [
    [
      "ignored",
      "require_trust of the project does not count: it is read from managed and user files only",
    ],
    [
      "ignored",
      "enforce of the project does not count: it is read from managed and user files only",
    ],
    ["ignored", "managed_only of the project does not count: it is read from managed files only"],
  ]);
});

test("managed_only drops the allow rules of all others but the built-in ones", () => {
  const rules = [["A", "allow"], ["D", "deny"]] as const;
  const merged = merge(
    entryOf("managed", { settings: { managedOnly: true }, rules: [["M", "allow"]] }),
    entryOf("flag", { rules }),
    entryOf("user", { rules }),
    entryOf("builtin", { rules: [["Read", "allow"]] }),
  );
  assert.deepEqual(patterns(merged), ["M", "D", "D", "Read"]);
  assert.deepEqual(messages(merged)[0], [
    "ignored",
    "the allow rules of the rules file do not count: a managed file sets managed_only",
  ]);
});

test("shell is literal only where a trusted or outer file says so and no managed file was read", () => {
  const literal = { settings: { shell: "literal" } } as const;
  assert.equal(merge(entryOf("user", literal)).settings.shell, "literal");
  assert.equal(merge(entryOf("project", literal)).settings.shell, "literal");
  assert.equal(merge(entryOf("managed", literal), entryOf("user")).settings.shell, "literal");
  assert.equal(merge(entryOf("managed"), entryOf("user", literal)).settings.shell, "parsed");
  const untrusted = merge(entryOf("project", { ...literal, trusted: false }));
  assert.equal(untrusted.settings.shell, "parsed");
  assert.deepEqual(messages(untrusted), [
    ["untrusted", 'shell = "literal" of the project counts only after "caliban trust"'],
  ]);
});

test("the wrappers of all sources add up, highest first and each once", () => {
  const merged = merge(
    entryOf("managed", { settings: { wrappers: wrappersOf("rtk") } }),
    entryOf("flag", { settings: { wrappers: wrappersOf("devbox run", "rtk") } }),
    entryOf("local"),
    entryOf("project", { settings: { wrappers: wrappersOf("mise exec") } }),
    entryOf("user", { settings: { wrappers: wrappersOf("devbox run", "asdf exec") } }),
  );
  assert.deepEqual(merged.settings.wrappers, ["rtk", "devbox run", "mise exec", "asdf exec"]);
  assert.deepEqual(merged.notices, []);
});

test("wrappers of an untrusted workspace do not count, and that is said", () => {
  const settings = { wrappers: wrappersOf("rtk") };
  const untrusted = { settings, trusted: false };
  const user = entryOf("user", { settings: { wrappers: wrappersOf("asdf exec") } });
  const notices = [
    ["untrusted", 'the [shell] wrappers of the local file count only after "caliban trust"'],
    ["untrusted", 'the [shell] wrappers of the project count only after "caliban trust"'],
  ];
  const files = [entryOf("local", untrusted), entryOf("project", untrusted)];
  for (const above of [[], [entryOf("managed")]]) {
    const merged = merge(...above, ...files, user);
    assert.deepEqual(merged.settings.wrappers, ["asdf exec"]);
    assert.deepEqual(messages(merged), notices);
  }
  const empty = { settings: { wrappers: [] }, trusted: false };
  assert.deepEqual(merge(entryOf("project", empty)).notices, []);
});

test("with managed_only only managed wrappers count", () => {
  const merged = merge(
    entryOf("managed", { settings: { managedOnly: true, wrappers: wrappersOf("rtk") } }),
    entryOf("user", { settings: { wrappers: wrappersOf("asdf exec") } }),
  );
  assert.deepEqual(merged.settings.wrappers, ["rtk"]);
  assert.deepEqual(messages(merged), [[
    "ignored",
    "the [shell] wrappers of the user do not count: a managed file sets managed_only",
  ]]);
});

test("tools are merged key by key, highest first", () => {
  const merged = merge(
    entryOf("local", { tools: { T: { firstArg: "a" }, U: { shell: "posix" } } }),
    entryOf("user", {
      tools: { T: { firstArg: "b", kind: "path" }, U: { class: "read", shell: "other" } },
    }),
  );
  assert.deepEqual([...merged.tools], [
    ["T", { firstArg: "a", kind: "path" }],
    ["U", { class: "read", shell: "posix" }],
  ]);
});

test("an untrusted project cannot describe a tool that anyone above it speaks of", () => {
  const project = (name: string) =>
    entryOf("project", { tools: { [name]: { kind: "text", shell: "other" } }, trusted: false });
  const refused = [
    [project("Bash")],
    [project("T"), entryOf("user", { tools: { T: {} } })],
    [entryOf("flag", { tools: { T: {} } }), project("T")],
    [project("T"), entryOf("user", { rules: [["T:x", "deny"]] })],
  ];
  for (const entries of refused) {
    const merged = merge(...entries);
    assert.deepEqual([...merged.tools.values()].filter(({ kind }) => kind === "text"), []);
    assert.match(merged.notices[0]?.message ?? "", /counts only after "caliban trust"$/);
  }
  assert.equal(
    merge(project("Bash")).notices[0]?.message,
    '[tools.Bash] of the project counts only after "caliban trust"',
  );
});

test("an untrusted project describes the argument of a tool that nobody speaks of, and not its class", () => {
  const user = entryOf("user", { rules: [["T", "ask"]] });
  const of = (table: ToolOverride, plain: "plain" | "trust" = "trust") =>
    merge(
      entryOf("project", { tools: { T: table }, trusted: false }),
      plain === "trust"
        ? user
        : entryOf("user", { rules: [["T", "ask"]], settings: { requireTrust: false } }),
    );
  const table = { firstArg: "sql", kind: "text", class: "edit" } as const;
  assert.deepEqual(of(table).tools.get("T"), {
    firstArg: "sql",
    kind: "text",
    isUntrusted: true,
  });
  assert.deepEqual(messages(of(table)), [
    ["untrusted", 'the class in [tools.T] of the project counts only after "caliban trust"'],
  ]);
  const line = { firstArg: "line", kind: "command", shell: "other" } as const;
  assert.equal(of(line).tools.get("T"), undefined);
  assert.deepEqual(messages(of(line)), [
    ["untrusted", '[tools.T] of the project counts only after "caliban trust"'],
  ]);
  assert.deepEqual(of(line, "plain").tools.get("T"), line);
});

test("with a managed file nobody else describes its tools or the defaults' ones", () => {
  const tools = { Bash: { kind: "text" }, M: { kind: "text" }, T: { kind: "text" } } as const;
  const merged = merge(
    entryOf("managed", { tools: { M: { firstArg: "sql" } } }),
    entryOf("user", { tools }),
  );
  assert.deepEqual([...merged.tools], [["M", { firstArg: "sql" }], ["T", { kind: "text" }]]);
  assert.deepEqual(merged.notices.map(({ id }) => id), ["ignored", "ignored"]);
});

test("an untrusted project's allow rules and looser start mode do not count, its denies and asks do", () => {
  const rules = [["A", "allow"], ["D", "deny"], ["Q", "ask"]] as const;
  const words = { rules, settings: { defaultMode: "dontAsk" } } as const;
  const held = merge(entryOf("project", { ...words, trusted: false }), entryOf("user"));
  assert.deepEqual(patterns(held), ["D", "Q"]);
  assert.deepEqual(held.rules.map(({ untrusted }) => untrusted), [true, true]);
  assert.equal(held.settings.defaultMode, undefined);
  assert.deepEqual(messages(held), [
    ["untrusted", 'default_mode of the project counts only after "caliban trust"'],
    ["untrusted", 'the allow rules of the project count only after "caliban trust"'],
  ]);
  const trusted = merge(entryOf("project", words), entryOf("user"));
  assert.deepEqual(patterns(trusted), ["A", "D", "Q"]);
  assert.ok(trusted.rules.every(({ untrusted }) => untrusted === undefined));
  const plain = entryOf("user", { settings: { requireTrust: false } });
  const counted = merge(entryOf("project", { ...words, trusted: false }), plain);
  assert.deepEqual(patterns(counted), ["A", "D", "Q"]);
  assert.equal(counted.settings.defaultMode?.value, "dontAsk");
  const flag = entryOf("flag", { settings: { requireTrust: false } });
  assert.deepEqual(patterns(merge(flag, entryOf("project", { ...words, trusted: false }))), [
    "D",
    "Q",
  ]);
});

test("an untrusted start mode counts where it is no looser than the one below it", () => {
  const rows: readonly (readonly [ModeName, ModeName | undefined, ModeName | undefined])[] = [
    ["plan", undefined, "plan"],
    ["default", undefined, "default"],
    ["acceptEdits", undefined, undefined],
    ["auto", undefined, undefined],
    ["dontAsk", undefined, undefined],
    ["bypassPermissions", undefined, undefined],
    ["plan", "default", "plan"],
    ["default", "acceptEdits", "default"],
    ["acceptEdits", "dontAsk", "acceptEdits"],
    ["default", "plan", "plan"],
    // The lists of auto mode deny, so that no other mode is stricter.
    ["plan", "auto", "auto"],
    ["auto", "acceptEdits", "acceptEdits"],
    ["auto", "auto", "auto"],
  ];
  for (const [project, user, counts] of rows) {
    const settings = user === undefined ? {} : { defaultMode: user };
    const merged = merge(
      entryOf("project", { settings: { defaultMode: project }, trusted: false }),
      entryOf("user", { settings }),
    );
    assert.equal(merged.settings.defaultMode?.value, counts, `${project} over ${user}`);
  }
});

test("an untrusted project does not turn literal commands into parsed ones either", () => {
  const user = entryOf("user", { settings: { shell: "literal" } });
  const merged = merge(entryOf("project", { settings: { shell: "parsed" }, trusted: false }), user);
  assert.equal(merged.settings.shell, "literal");
});

test("files above the repository need trust for their allow rules and start mode, never for their denies", () => {
  const words = {
    rules: [["A", "allow"], ["D", "deny"], ["Q", "ask"]],
    settings: { defaultMode: "dontAsk" },
  } as const;
  const plain = entryOf("user", { rules: [["U", "allow"]], settings: { requireTrust: false } });
  const above = (entry: SourceEntry) => ({ ...entry, repository: "/ws/x" });
  const held = merge(
    above(entryOf("local", { rules: [["L", "allow"]], trusted: false })),
    above(entryOf("project", { ...words, trusted: false })),
    plain,
  );
  assert.deepEqual(patterns(held), ["D", "Q", "U"]);
  assert.equal(held.settings.defaultMode, undefined);
  const why = 'counts only after "caliban trust": its folder is above the repository "/ws/x"';
  assert.deepEqual(messages(held), [
    ["untrusted", `default_mode of the project ${why}`],
    ["untrusted", `the allow rules of the local file ${why.replace("counts", "count")}`],
    ["untrusted", `the allow rules of the project ${why.replace("counts", "count")}`],
  ]);
  const trusted = merge(above(entryOf("project", words)));
  assert.deepEqual([patterns(trusted), trusted.notices], [["A", "D", "Q"], []]);
});

test("a file with an error gives its problems and nothing else", () => {
  const broken = entryOf("project", { rules: [["A", "allow"]], settings: { shell: "literal" } });
  assert.ok(broken.file);
  const problem = { id: "wrong-type", severity: "error", message: "no", span: spanAt(3) } as const;
  const merged = merge({ ...broken, file: { ...broken.file, problems: [problem] } });
  assert.deepEqual(merged.rules, []);
  assert.equal(merged.settings.shell, "parsed");
  assert.deepEqual(merged.problems, [{ ...problem, path: "/project", text: "project" }]);
  const warned = { ...problem, severity: "warning" } as const;
  assert.deepEqual(patterns(merge({ ...broken, file: { ...broken.file, problems: [warned] } })), [
    "A",
  ]);
});

test("no deny or ask rule is ever dropped, and no rule changes its place", () => {
  fc.assert(fc.property(fileEntries, (entries) => {
    const written = entries.flatMap(({ file }) => file?.rules ?? []).map((rule) => rule.action);
    const { rules } = merge(...entries);
    const strict = written.filter((action) => action !== "allow");
    assert.deepEqual(
      rules.map(({ action }) => action).filter((action) => action !== "allow"),
      strict,
    );
    const places = rules.map(({ source }) => {
      return entries.findIndex(({ kind }) => kind === source.kind) * 100 + source.line;
    });
    assert.deepEqual(places, places.toSorted((a, b) => a - b));
  }));
});

test("an untrusted project changes neither how shells are read, wrappers nor tools that others speak of", () => {
  fc.assert(fc.property(fileEntries, fileWords, (entries, words) => {
    const outer = entries.filter(({ kind }) => kind !== "project" && kind !== "local");
    const project = entryOf("project", { ...words, trusted: false });
    const at = outer.findIndex(({ kind }) => kind === "user");
    const place = at < 0 ? outer.length : at;
    const without = merge(...outer);
    const merged = merge(...outer.slice(0, place), project, ...outer.slice(place));
    if (without.settings.shell === "parsed") assert.equal(merged.settings.shell, "parsed");
    assert.deepEqual(merged.settings.wrappers, without.settings.wrappers);
    for (const [name, table] of without.tools) assert.deepEqual(merged.tools.get(name), table);
    assert.deepEqual(merged.tools.get("Bash"), without.tools.get("Bash"));
  }));
});

test("what a managed file says, nobody below it changes", () => {
  fc.assert(fc.property(fileWords, fileEntries, (words, entries) => {
    const managed = entryOf("managed", words);
    const alone = merge(managed);
    const merged = merge(managed, ...entries.filter(({ kind }) => kind !== "managed"));
    const { settings = {} } = words;
    assert.equal(merged.settings.shell, alone.settings.shell);
    assert.equal(merged.settings.managedOnly, alone.settings.managedOnly);
    if (settings.defaultMode) {
      assert.equal(merged.settings.defaultMode?.value, settings.defaultMode);
    }
    if (settings.enforce !== undefined) {
      assert.equal(merged.settings.enforce?.value, settings.enforce);
    }
    for (const [name, table] of alone.tools) assert.deepEqual(merged.tools.get(name), table);
    assert.deepEqual(merged.rules.slice(0, alone.rules.length), alone.rules);
  }));
});

test("trust never takes anything away", () => {
  fc.assert(fc.property(fileEntries, (entries) => {
    const trusted = merge(...entries.map((entry) => ({ ...entry, trusted: true })));
    const merged = merge(...entries);
    assert.ok(merged.rules.every((rule) => {
      return trusted.rules.some(({ source, pattern }) => {
        return source.path === rule.source.path && source.line === rule.source.line &&
          pattern.value === rule.pattern.value;
      });
    }));
    const all = new Set(trusted.settings.wrappers);
    assert.ok(merged.settings.wrappers.every((wrapper) => all.has(wrapper)));
    assert.deepEqual(trusted.notices.filter(({ id }) => id === "untrusted"), []);
  }));
});

test("a log that the user switched on is not for the workspace to switch off, trusted or not", () => {
  for (const trusted of [false, true]) {
    const merged = merge(
      entryOf("local", { settings: { auditLog: false }, trusted }),
      entryOf("project", { settings: { auditLog: false }, trusted }),
      entryOf("user", { settings: { auditLog: true } }),
    );
    assert.deepEqual(merged.settings.auditLog, {
      value: true,
      source: { kind: "user", path: "/user", line: 1, column: 1 },
    });
    assert.deepEqual(messages(merged), [
      [
        "ignored",
        "audit_log = false of the local file does not count: the user switched the audit log on",
      ],
      [
        "ignored",
        "audit_log = false of the project does not count: the user switched the audit log on",
      ],
    ]);
  }
});

test("a log is switched on by any file, and off by the highest of those that may", () => {
  const on = { auditLog: true };
  const off = { auditLog: false };
  const auditOf = (...entries: Parameters<typeof entryOf>[]) => {
    const { settings, notices } = merge(...entries.map((each) => entryOf(...each)));
    return [settings.auditLog?.value, notices.length];
  };
  const untrusted = ["project", { settings: on, trusted: false }] as const;
  assert.deepEqual(auditOf(["user", {}]), [undefined, 0]);
  assert.deepEqual(auditOf([...untrusted]), [true, 0]);
  assert.deepEqual(auditOf([...untrusted], ["user", { settings: off }]), [true, 0]);
  const shared = { settings: on };
  assert.deepEqual(auditOf(["local", { settings: off }], ["project", shared]), [false, 0]);
  assert.deepEqual(auditOf(["managed", { settings: off }], ["user", shared]), [false, 0]);
  assert.deepEqual(auditOf(["managed", { settings: on }], ["user", { settings: off }]), [true, 0]);
});
