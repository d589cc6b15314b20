import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import {
  importedPath,
  loadedWith,
  type Module,
  moduleAt,
  modulesBelow,
  packageName,
} from "../support/modules.ts";
import { ALONE } from "../support/alone.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** The rooms of lib, in order: a file may import its own room and those before it. `core` is the file lib/core.ts. */
const ROOMS = [
  "model",
  "text",
  "pattern",
  "shell",
  "policy",
  "decide",
  "analysis",
  "suggest",
  "audit",
  "agents",
  "gate",
  "suite",
  "lint",
  "report",
  "prompt",
  "core",
  "adapters",
  "io",
  "cli",
];

/** Packages by the rooms that may import them. */
const PACKAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ["text", ["smol-toml", "toml-eslint-parser", "jsonc-parser"]],
  ["policy", ["smol-toml", "toml-eslint-parser", "zod"]],
  ["shell", ["unbash"]],
  ["agents", ["smol-toml"]],
  ["gate", ["canonicalize", "lru-cache", "re2js", "zod"]],
  ["report", ["diff"]],
  ["io", ["openai", "proper-lockfile"]],
]);

/** Calls by which a test changes the user, the folder or a variable of its process, which tests beside it share. */
const CHANGES_PROCESS =
  /\bsete?[ug]id\?*\.*\(|\bchdir\(|\bprocess\.env\S* = |\benv\.(?:set|delete)\(|\bdelete process\.env/;

/** Names that no file below lib/io may use. */
const IMPURE = [
  /\bDeno[.[]|\bDeno\s*[;,)}]/,
  /\bBun[.[]/,
  /\bprocess[.[]|=\s*process\b/,
  /\bDate\.now\b/,
  /\bnew Date\(\)/,
  /\bMath\.random\b/,
  /\bcrypto\./,
  /\bperformance\b/,
  /\bconsole\./,
  /\bglobalThis\b/,
  /["']node:/,
  /\bfetch\(/,
];

/** Names that no file of lib may use. */
const NOWHERE = [/\beval\(/, /\bnew Function\(/, /["'](?:npm|jsr|https?):[^/"' ]+["'];?$/];

const BUDGET = 300;

/** The most files of one folder. */
const FLAT = 22;

const modules = modulesBelow(REPO, "lib");

test("every file of lib is in a room", () => {
  const strays = modules.filter((module) => !ROOMS.includes(roomOf(module.path)));
  assert.deepEqual(strays.map(({ path }) => path), []);
});

test("imports point only downwards", () => {
  assert.deepEqual(modules.flatMap(upwardImports), []);
});

test("packages are imported only where they may be", () => {
  assert.deepEqual(modules.flatMap(strayPackages), []);
});

test("what stands below lib/io is pure", () => {
  const pure = modules.filter((module) => isBelow(module, "io"));
  assert.ok(pure.length > 0);
  assert.deepEqual(pure.flatMap((module) => named(module, IMPURE)), []);
});

test("no code is made of text, and no module comes from elsewhere", () => {
  assert.deepEqual(modules.flatMap((module) => named(module, NOWHERE)), []);
});

test("everything but the command line loads the parser with what reads command lines", () => {
  const entries = ["core", "adapters/adapters", "pattern/patterns"].map((name) => `lib/${name}.ts`);
  const outside = ["bench", "examples", "scripts", "tests"].flatMap((folder) =>
    modulesBelow(REPO, folder)
  );
  const all = [...modules, ...outside, moduleAt(REPO, "mod.ts")];
  const importers = new Map<string, string[]>();
  for (const module of all) {
    for (const each of module.imports.filter(({ kind }) => kind === "static")) {
      const path = importedPath(module, each);
      if (path !== undefined) importers.set(path, [...importers.get(path) ?? [], module.path]);
    }
  }
  const loads = (path: string) => {
    const found = new Set([path]);
    for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
    return found;
  };
  const loaded = loads("lib/shell/parse/loaded_parser.ts");
  const bad = [...loads("lib/shell/parse/parser_on_call.ts")].filter((path) =>
    !loaded.has(path) &&
    (path.startsWith("lib/") ? entries.includes(path) : !importers.has(path))
  );
  assert.deepEqual(bad, []);
});

test("files keep to their budget and their names to snake_case", () => {
  const long = modules.filter(({ lines }) => lines.length > BUDGET + 1).map(({ path }) => path);
  const odd = modules.map(({ path }) => path).filter((path) => !/^[a-z0-9_/]+\.ts$/.test(path));
  assert.deepEqual({ long, odd }, { long: [], odd: [] });
});

test("no docstring and no comment begins with a clause", () => {
  const texts = modules.map(({ path }) => [path, readFileSync(join(REPO, path), "utf8")] as const);
  const clauses = texts.flatMap(([path, text]) =>
    [...text.matchAll(
      /(?:\/\*\*\s*(?:\*\s*)?|^\s*\/\/ )((?:What|Whether|How|Where|Who)\b[^\n]*)/gm,
    )]
      .map(([, first = ""]) => `${path}: ${first}`)
  );
  assert.deepEqual(clauses, []);
});

test("no folder is flat", () => {
  const folders = Map.groupBy(modules, ({ path }) => path.slice(0, path.lastIndexOf("/")));
  const flat = [...folders].filter(([, files]) => files.length > FLAT);
  assert.deepEqual(flat.map(([folder, files]) => `${folder}: ${files.length}`), []);
});

test("lib/README.md has one row for every room, base at the bottom", () => {
  const lines = readFileSync(join(REPO, "lib/README.md"), "utf8").split("\n");
  const rows = lines.flatMap((line) => {
    const [, room, contents] = /^\| `lib\/(\w+)(?:\.ts)?` \| ([^|]+) \|/.exec(line) ?? [];
    return room === undefined || contents === undefined ? [] : [{ room, contents }];
  });
  assert.deepEqual(rows.map(({ room }) => room), ROOMS.toReversed());
  const there = new Set(modules.map(({ path }) => roomOf(path)));
  assert.deepEqual(ROOMS.filter((room) => !there.has(room)), []);
  assert.deepEqual(
    rows.filter(({ contents }) => /^(?:What|Whether|How|Where|Who)\b/.test(contents)),
    [],
  );
});

/** Packages that `check` loads: what each costs is measured in bench/start_up.ts. */
const AT_START = ["smol-toml", "unbash"];

test("what check and explain load starts no Node layer and no validation library", () => {
  const folder = "lib/cli";
  const verbs = readdirSync(join(REPO, folder)).filter((name) => /^(?:check|explain)$/.test(name));
  const loaded = loadedWith(REPO, [
    "lib/cli/run.ts",
    "lib/io/runtime/choose_runtime.ts",
    "lib/io/runtime/deno_runtime.ts",
    ...verbs.map((name) => `${folder}/${name}/run.ts`),
  ]);
  const packages = loaded.flatMap(({ path, imports }) =>
    imports.flatMap(({ kind, specifier, line }) =>
      kind !== "static" || specifier.startsWith(".") || AT_START.includes(specifier)
        ? []
        : [`${path}:${line}: ${specifier}`]
    )
  );
  assert.deepEqual(packages, []);
});

test("what is looked for is found", () =>
  withTempDir((folder) => {
    const text = [
      'import { a } from "../cli/a.ts";',
      "import {",
      "  b,",
      '} from "lodash/b";',
      'export type { C } from "../io/c.ts";',
      'const d = () => import("node:fs");',
      "const e = Date.now(); // Math.random",
      "/** Deno.exit */",
    ];
    mkdirSync(join(folder, "lib/model"), { recursive: true });
    writeFileSync(join(folder, "lib/model/x.ts"), text.join("\n"));
    const [found] = modulesBelow(folder, "lib");
    assert.ok(found);
    assert.deepEqual(upwardImports(found), [
      "lib/model/x.ts:1: imports lib/cli/a.ts, a higher room",
      "lib/model/x.ts:5: imports lib/io/c.ts, a higher room",
    ]);
    assert.deepEqual(strayPackages(found), ['lib/model/x.ts:2: imports "lodash/b"']);
    assert.deepEqual(named(found, IMPURE).map((place) => place.slice(0, 17)), [
      "lib/model/x.ts:6:",
      "lib/model/x.ts:7:",
    ]);
  }));

function roomOf(path: string): string {
  const [, second = ""] = path.split("/");
  return second.replace(/\.ts$/, "");
}

function isBelow(module: Module, room: string): boolean {
  return ROOMS.indexOf(roomOf(module.path)) < ROOMS.indexOf(room);
}

function upwardImports(module: Module): readonly string[] {
  const own = ROOMS.indexOf(roomOf(module.path));
  return module.imports.flatMap((each) => {
    const path = importedPath(module, each);
    if (path === undefined) return [];
    if (/^(?:defaults|schema)\/[a-z_.-]+\.json$/.test(path)) return [];
    if (!path.startsWith("lib/")) return [`${module.path}:${each.line}: imports ${path}`];
    if (ROOMS.indexOf(roomOf(path)) <= own) return [];
    return [`${module.path}:${each.line}: imports ${path}, a higher room`];
  });
}

function strayPackages(module: Module): readonly string[] {
  const allowed = PACKAGES.get(roomOf(module.path)) ?? [];
  return module.imports.flatMap(({ specifier, line }) => {
    const allowedHere = specifier.startsWith(".") || specifier.startsWith("node:") ||
      allowed.includes(packageName(specifier));
    return allowedHere ? [] : [`${module.path}:${line}: imports "${specifier}"`];
  });
}

function named(module: Module, names: readonly RegExp[]): readonly string[] {
  return module.lines.flatMap((line, index) =>
    names.some((name) => name.test(line)) ? [`${module.path}:${index + 1}: ${line.trim()}`] : []
  );
}

/** Files of reports and verbs that make JSON for a key or a part of a sentence, which `visible` escapes. */
const KEYS = [
  "lib/report/lint/findings_sarif.ts",
  "lib/report/diff/diff_settings.ts",
  "lib/cli/doctor/probe.ts",
  "lib/cli/audit/run.ts",
  "lib/cli/list/run.ts",
  "lib/cli/output/call_notes.ts",
  "lib/cli/test_policy/run.ts",
  "lib/cli/check/line_result.ts",
  "lib/cli/hook_try/text.ts",
];

test("a test that changes its process runs alone", () => {
  const changing = readdirSync(join(REPO, "tests/io")).filter((name) =>
    CHANGES_PROCESS.test(readFileSync(join(REPO, "tests/io", name), "utf8"))
  );
  assert.ok(changing.length > 0);
  const alone = ALONE.flat().map((name) => `${name}_test.ts`);
  assert.deepEqual(changing.filter((name) => !alone.includes(name)), []);
});

test("JSON of reports has one printer", () => {
  const own = ["lib/report", "lib/cli", "lib/audit"].flatMap((folder) => modulesBelow(REPO, folder))
    .map(({ path, lines }) => ({ path, text: lines.join("\n") }));
  assert.ok(own.length > 100);
  const written = own.filter(({ text }) =>
    /JSON\.stringify\([^;]*, null, 2\)|write\([^;]*JSON\.stringify/.test(text)
  );
  assert.deepEqual(written.map(({ path }) => path), []);
  const others = own.filter(({ path, text }) =>
    text.includes("JSON.stringify(") && !KEYS.includes(path) && path !== "lib/audit/call_secrets.ts"
  );
  assert.deepEqual(others.map(({ path }) => path), []);
});
