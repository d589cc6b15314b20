import assert from "node:assert/strict";
import { test } from "node:test";
import { SOURCES } from "../../../../lib/policy/sources/source_order.ts";
import {
  SourceError,
  type SourceOptions,
  type Surroundings,
} from "../../../../lib/policy/sources/source.ts";
import type { SourceKind } from "../../../../lib/model/call.ts";

const OPTIONS: SourceOptions = { cli: [], rules: [], session: [], command: [], off: [] };

function surroundings(
  env: Readonly<Record<string, string>>,
  changes: Partial<Surroundings> = {},
): Surroundings {
  return {
    platform: "linux",
    env: (name) => env[name],
    home: "/home/ann",
    workspace: "/ws",
    cwd: "/ws/sub",
    options: OPTIONS,
    ...changes,
  };
}

function placesOf(kind: SourceKind, where: Surroundings) {
  const source = SOURCES.find((source) => source.kind === kind);
  assert.ok(source);
  return source.places(where);
}

test("the registry has every kind once, highest first", () => {
  assert.deepEqual(
    SOURCES.map(({ kind }) => kind),
    ["managed", "session", "command", "cli", "flag", "local", "project", "user", "builtin"],
  );
});

test("every source says in one line what it is", () => {
  for (const { title, where } of SOURCES) {
    assert.match(title, /^[^\n]+[^.\n]$/);
    assert.match(where, /^[^\n]+$/);
  }
});

test("files stand where each platform keeps them", () => {
  const cases = [
    ["managed", surroundings({}), "/etc/caliban/permissions.toml"],
    [
      "managed",
      surroundings({}, { platform: "darwin" }),
      "/Library/Application Support/caliban/permissions.toml",
    ],
    [
      "managed",
      surroundings({ ProgramData: "D:\\PD" }, { platform: "windows" }),
      "D:\\PD\\caliban\\permissions.toml",
    ],
    [
      "managed",
      surroundings({ ProgramData: "PD" }, { platform: "windows" }),
      "C:\\ProgramData\\caliban\\permissions.toml",
    ],
    ["local", surroundings({}), "/ws/.caliban/permissions.local.toml"],
    ["project", surroundings({}), "/ws/.caliban/permissions.toml"],
    [
      "project",
      surroundings({}, { platform: "windows", workspace: "C:\\ws" }),
      "C:\\ws\\.caliban\\permissions.toml",
    ],
    ["user", surroundings({}), "/home/ann/.config/caliban/permissions.toml"],
    ["user", surroundings({ XDG_CONFIG_HOME: "/cfg" }), "/cfg/caliban/permissions.toml"],
    [
      "user",
      surroundings({ XDG_CONFIG_HOME: "cfg" }),
      "/home/ann/.config/caliban/permissions.toml",
    ],
    [
      "user",
      surroundings({ APPDATA: "C:\\R" }, { platform: "windows" }),
      "C:\\R\\caliban\\permissions.toml",
    ],
    [
      "user",
      surroundings({}, { platform: "windows", home: "C:\\Users\\ann" }),
      "C:\\Users\\ann\\AppData\\Roaming\\caliban\\permissions.toml",
    ],
  ] as const;
  for (const [kind, where, path] of cases) {
    assert.deepEqual(placesOf(kind, where), [{ kind: "file", path, named: false }]);
  }
});

test("CALIBAN_MANAGED_FILE adds a named file, and must be absolute", () => {
  const places = placesOf("managed", surroundings({ CALIBAN_MANAGED_FILE: "/m.toml" }));
  assert.deepEqual(places.map((place) => [place.path, "named" in place && place.named]), [
    ["/etc/caliban/permissions.toml", false],
    ["/m.toml", true],
  ]);
  const relative = surroundings({ CALIBAN_MANAGED_FILE: "m.toml" });
  assert.throws(() => placesOf("managed", relative), SourceError);
});

test("without XDG_CONFIG_HOME and HOME the user's rules are an error unless they are off", () => {
  const nowhere = surroundings({}, { home: undefined });
  assert.throws(
    () => placesOf("user", nowhere),
    (error) => error instanceof SourceError && error.message.endsWith("or pass --no-user"),
  );
  const off = { ...nowhere, options: { ...OPTIONS, off: ["user"] as const } };
  assert.deepEqual(placesOf("user", off).map(({ kind }) => kind), ["off"]);
});

test("rule files are --rules in order, else CALIBAN_RULES, relative to the current directory", () => {
  const paths = (env: Record<string, string>, rules: readonly string[]) =>
    placesOf("flag", surroundings(env, { options: { ...OPTIONS, rules } })).map(({ path }) => path);
  assert.deepEqual(paths({ CALIBAN_RULES: "e.toml" }, ["a.toml", "/b.toml"]), [
    "/ws/sub/a.toml",
    "/b.toml",
  ]);
  assert.deepEqual(paths({ CALIBAN_RULES: "e.toml" }, []), ["/ws/sub/e.toml"]);
  assert.deepEqual(paths({ CALIBAN_RULES: "" }, []), []);
});

test("rule flags keep their order, number and text", () => {
  const cli = [{ action: "deny", pattern: "Bash:rm *" }, { action: "allow", pattern: "Bash" }];
  const places = placesOf(
    "cli",
    surroundings({}, { options: { ...OPTIONS, cli } as SourceOptions }),
  );
  const rules = places.flatMap((place) => place.kind === "rules" ? place.rules : []);
  assert.deepEqual(
    rules.map(({ pattern, action, source, text }) => [pattern, action, source, text]),
    [
      [
        { value: "Bash:rm *", span: { start: 0, end: 9, line: 1, column: 1 } },
        "deny",
        { kind: "cli", path: "--deny", line: 1, column: 1 },
        "Bash:rm *",
      ],
      [
        { value: "Bash", span: { start: 0, end: 4, line: 1, column: 1 } },
        "allow",
        { kind: "cli", path: "--allow", line: 2, column: 1 },
        "Bash",
      ],
    ],
  );
});

test("flags turn user, workspace and built-in rules off, and nothing else", () => {
  const off = ["user", "project", "builtin"] as const;
  const where = surroundings({}, { options: { ...OPTIONS, off } });
  const places = SOURCES.flatMap((source) => source.places(where));
  assert.deepEqual(places.map(({ kind }) => kind), ["file", "off", "off", "off", "off"]);
});

test("the built-in rules end in the ask for everything", () => {
  const [place] = placesOf("builtin", surroundings({}));
  assert.ok(place?.kind === "rules");
  const last = place.rules.at(-1);
  assert.deepEqual([last?.pattern.value, last?.action], ["*", "ask"]);
  assert.ok(place.rules.every(({ source }) => source.path === "defaults/permissions.toml"));
});

test("every source has its texts, and says whether its rules can be written", () => {
  assert.deepEqual(
    SOURCES.map(({ kind, writable }) => `${kind} ${writable}`),
    [
      "managed no",
      "session memory",
      "command memory",
      "cli no",
      "flag no",
      "local file",
      "project file",
      "user file",
      "builtin no",
    ],
  );
  for (const { kind, title, where } of SOURCES) {
    assert.ok(title.length > 10 && where.length > 5, kind);
  }
});
