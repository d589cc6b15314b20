// No patch that Codex applies changes a file that was not judged: its own parser on generated patches, beside ours.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import process from "node:process";
import { EventFault } from "../../lib/agents/hook/hook_protocol.ts";
import { mapCall } from "../../lib/agents/hook/map_call.ts";
import { CODEX, filesBelow, write } from "./codex_program.ts";
import { FILES, patchText, picker } from "./patch_texts.ts";

const COUNT = Number(process.env["PATCHES"] ?? 20_000);
const SEED = Number(process.env["SEED"] ?? 14);
/** Patches that one shell applies, one after the other. */
const AT_ONCE = 250;

/** Applies the patch of each numbered folder there. `$(<p)` drops line breaks at its end, as Codex does. */
const SCRIPT = `for d in "$1"/*/; do
  cd "$d/ws" && "$0" --codex-run-as-apply-patch "$(<../p)" >/dev/null 2>&1 && : > ../applied
done`;

interface Applied {
  readonly patch: string;
  readonly isApplied: boolean;
  /** The files that were made, changed or removed, seen from the folder. */
  readonly touched: readonly string[];
}

async function applied(patches: readonly string[]): Promise<readonly Applied[]> {
  const folder = mkdtempSync(join(tmpdir(), "caliban-patches-"));
  try {
    for (const [at, patch] of patches.entries()) {
      const place = join(folder, String(at).padStart(4, "0"));
      write(join(place, "p"), patch);
      for (const [path, text] of Object.entries(FILES)) write(join(place, "ws", path), text);
    }
    const shell = spawn("bash", ["-c", SCRIPT, CODEX!, folder], { stdio: "ignore" });
    await new Promise((done) => shell.on("close", done));
    return patches.map((patch, at) => {
      const place = join(folder, String(at).padStart(4, "0"));
      const after = filesBelow(place);
      const before = new Map(
        Object.entries(FILES).map(([path, text]) => [join(place, "ws", path), text]),
      );
      const paths = new Set([...before.keys(), ...after.keys()]);
      const touched = [...paths].filter((path) => before.get(path) !== after.get(path))
        .filter((path) => path !== join(place, "p") && path !== join(place, "applied"));
      return {
        patch,
        isApplied: after.has(join(place, "applied")),
        touched: touched.map((path) => resolve("/N/ws", path.replace(place, "/N"))),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files that are judged, seen from `/N/ws`; undefined where the call is stopped because it cannot be read. */
function judged(patch: string): ReadonlySet<string> | undefined {
  try {
    const { calls } = mapCall("codex", {
      tool: "apply_patch",
      input: { command: patch },
      cwd: "/N/ws",
    });
    return new Set(calls.map(({ input }) => resolve("/N/ws", String(input["path"] ?? "/none"))));
  } catch (error) {
    if (error instanceof EventFault) return undefined;
    throw error;
  }
}

const RECORDED = new URL("../../tests/cases/agents/patches.json", import.meta.url);

test("the patches of the table change the files that it names", {
  skip: CODEX === undefined,
}, async () => {
  const rows: readonly { readonly patch: string }[] = JSON.parse(readFileSync(RECORDED, "utf8"));
  const found = (await applied(rows.map(({ patch }) => patch)))
    .map(({ patch, touched }) => ({ patch, changes: touched }));
  if (process.env["UPDATE"] === "1") {
    const lines = found.map((row) => `  ${JSON.stringify(row)}`).join(",\n");
    writeFileSync(RECORDED, `[\n${lines.replace(/[^\n\x20-\x7e]/g, escaped)}\n]\n`);
  } else assert.deepEqual(found, rows);
});

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

test(`${COUNT} patches: each file that Codex changes was judged`, {
  skip: CODEX === undefined,
  timeout: 1_200_000,
}, async () => {
  const pick = picker(SEED);
  const left = Array.from({ length: COUNT }, () => patchText(pick)).filter((text) =>
    !text.includes("\0")
  );
  const count = { applied: 0, stopped: 0, files: 0 };
  const missed: object[] = [];
  const work = async () => {
    for (let some = left.splice(0, AT_ONCE); some.length > 0; some = left.splice(0, AT_ONCE)) {
      for (const { patch, isApplied, touched } of await applied(some)) {
        const paths = judged(patch);
        if (isApplied) count.applied++;
        if (isApplied && paths === undefined) count.stopped++;
        count.files += touched.length;
        const unseen = touched.filter((path) => paths !== undefined && !paths.has(path));
        if (unseen.length > 0) missed.push({ patch, unseen });
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  console.log(JSON.stringify(count));
  assert.deepEqual(missed.slice(0, 10), []);
  assert.ok(count.applied > COUNT / 5, `only ${count.applied} were applied`);
});
