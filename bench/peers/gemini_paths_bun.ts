// No file that Gemini CLI's tools open was not judged: their own reading of generated paths, beside ours.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { Config, EditTool, ReadFileTool, WriteFileTool } from "@google/gemini-cli-core";
import "../../lib/shell/parse/loaded_parser.ts";
import { mapCall } from "../../lib/agents/hook/map_call.ts";
import { policyFromToml } from "../../lib/policy/sources/policy_from_toml.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { picker } from "./patch_texts.ts";

// Gemini CLI tells its every step.
console.debug = () => {};
console.warn = () => {};

const COUNT = Number(process.env["PATHS"] ?? 20_000);
const SEED = Number(process.env["SEED"] ?? 14);
const FILES = [
  "secret/x.txt",
  "src/only.ts",
  "src/deep/a.ts",
  ".husky/pre-push",
  "a.ts",
  "@own/b.ts",
];

const EDGES = [
  "",
  "",
  "",
  " ",
  "\t",
  "\n",
  "\r",
  "\0",
  "@",
  "@@",
  "@/",
  "%40",
  "%20",
  '"',
  "'",
  "`",
  "~/",
  "./",
  "//",
];
const PATHS = [
  ...FILES,
  "x.txt",
  "only.ts",
  "deep/a.ts",
  "eep/a.ts",
  "pre-push",
  "b.ts",
  "new/file.ts",
  "..",
  "../ws/secret/x.txt",
  "secret",
  "file:x",
];
const BEHIND = ["", "", "", " ", "\n", "\0", "/", "/.", "%00", "%2f..", ".", "\\"];

type Pick = ReturnType<typeof picker>;

/** A character as it is, in percent escapes, or with a NUL or backslash before it. */
function written(character: string, pick: Pick): string {
  const code = character.charCodeAt(0).toString(16).padStart(2, "0");
  return pick([character, `%${code}`, `%25${code}`, `\0${character}`, `\\${character}`]);
}

function pathText(pick: Pick, folder: string): string {
  let path = pick(PATHS);
  if (pick([0, 1]) === 0) {
    const at = pick(Array.from(path, (_, index) => index));
    path = path.slice(0, at) + written(path[at]!, pick) + path.slice(at + 1);
  }
  const start = pick(["", "", "", `${folder}/`, `file://${folder}/`, `@${folder}/`]);
  return pick(EDGES) + start + path + pick(BEHIND);
}

/** The policy of a folder, with its links and lists. */
function policyOf(folder: string): CompiledPolicy {
  const realPath = (path: string): string | null => {
    for (
      let [at, rest] = [path, ""];;
      [at, rest] = [dirname(at), `/${at.slice(at.lastIndexOf("/") + 1)}${rest}`]
    ) {
      try {
        return realpathSync(at) + rest;
      } catch {
        if (at === "/" || at === ".") return path;
      }
    }
  };
  const listFolder = (path: string) => {
    try {
      return readdirSync(path, { withFileTypes: true }).map((entry) => ({
        name: entry.name,
        kind: entry.isDirectory() ? "folder" as const : "other" as const,
      }));
    } catch {
      return null;
    }
  };
  return policyFromToml("", { workspace: folder, realPath, listFolder });
}

test(`${COUNT} paths: each file that a tool of Gemini CLI opens was judged`, async () => {
  const folder = join(realpathSync(mkdtempSync(join(tmpdir(), "caliban-gemini-"))), "ws");
  try {
    for (const path of FILES) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), "a\n");
    }
    const config = new Config({
      sessionId: "s",
      targetDir: folder,
      cwd: folder,
      debugMode: false,
      model: "none",
    });
    await config.storage.initialize();
    const bus = (config as unknown as { readonly _messageBus: never })._messageBus;
    const tools = [
      { name: "read_file", tool: new ReadFileTool(config, bus), more: {} },
      { name: "write_file", tool: new WriteFileTool(config, bus), more: { content: "x" } },
      {
        name: "replace",
        tool: new EditTool(config, bus),
        more: { old_string: "a", new_string: "b", instruction: "x" },
      },
    ];
    const policy = policyOf(folder);
    const pick = picker(SEED);
    const count = { opened: 0, unknown: 0, refused: 0 };
    const missed: object[] = [];
    for (let index = 0; index < COUNT; index++) {
      const { name, tool, more } = pick(tools);
      const input = { file_path: pathText(pick, folder), ...more };
      const built = (tool as { silentBuild(input: object): unknown }).silentBuild(input);
      if (built instanceof Error) {
        count.refused++;
        continue;
      }
      const [location] = (built as { toolLocations(): { readonly path: string }[] })
        .toolLocations();
      const { calls: [call], reading } = mapCall("gemini", { tool: name, input, cwd: folder });
      const request = policy.request(call!, { isPlaced: true, ...(reading && { reading }) });
      const path = request.path(input.file_path);
      count.opened++;
      if (!path.ok) count.unknown++;
      if (path.forms.some(({ root }) => `/${root}` === location!.path)) continue;
      if (!path.ok && path.forms.length === 0) continue;
      missed.push({
        name,
        path: input.file_path,
        opened: location!.path,
        judged: path.forms.map(({ root }) => root),
      });
    }
    console.log(JSON.stringify(count));
    assert.deepEqual(missed.slice(0, 10), []);
    assert.ok(count.opened > COUNT / 4);
  } finally {
    rmSync(dirname(folder), { recursive: true, force: true });
  }
}, { timeout: 600_000 });
