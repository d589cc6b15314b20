// No shell line with Codex's apply_patch changes a file that a denial of that file would not have stopped: the real program in
// real bash, beside ours.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { policyFromToml } from "../../lib/core.ts";
import { finish } from "../../tests/support/process.ts";
import { CODEX, filesBelow, write } from "./codex_program.ts";
import { picker } from "./patch_texts.ts";

const COUNT = Number(process.env["LINES"] ?? 600);
const SEED = Number(process.env["SEED"] ?? 14);
/** Lines that run at the same time. */
const AT_ONCE = 8;

type Pick = ReturnType<typeof picker>;

const ENTERS = [
  "",
  "",
  "cd d && ",
  "cd d; ",
  "cd nope; ",
  "cd nope || ",
  'cd "d" && ',
  "cd 'd/e' && ",
  "cd d\\/e && ",
  "cd ./d/../d && ",
  "pushd d >/dev/null && ",
  "(cd d); ",
  "x=d; cd $x && ",
  "cd d && cd e && ",
  "cd d && cd .. && ",
  "if cd d; then :; fi; ",
  "for i in d e; do cd $i; done; ",
  "cd d || cd e && ",
  "true && cd $(echo d) && ",
  "cd -- d && ",
];
const PATHS = [
  "new",
  "../up",
  "d/x",
  "x",
  "./y",
  "e/z",
  "$HOME/h",
  "\\$q",
  "a'b",
  'a"b',
  "a\\\\b",
  "`echo t`",
  "d/\\\nz",
  "~/t",
];

function patchOf(path: string): string {
  return `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch`;
}

function given(path: string, pick: Pick): string {
  const patch = patchOf(path);
  const command = pick([
    "apply_patch",
    "apply_patch",
    "applypatch",
    "command apply_patch",
    "time apply_patch",
  ]);
  switch (
    pick([
      "quoted",
      "quoted",
      "plain",
      "tabs",
      "single",
      "double",
      "string",
      "pipe",
      "file",
      "group",
      "shell",
    ])
  ) {
    case "quoted":
      return `${command} <<'E'\n${patch}\nE`;
    case "plain":
      return `${command} <<E\n${patch}\nE`;
    case "tabs":
      return `${command} <<-'E'\n\t${patch.replaceAll("\n", "\n\t")}\n\tE`;
    case "single":
      return `${command} '${patch.replaceAll("'", "'\\''")}'`;
    case "double":
      return `${command} "${patch}"`;
    case "string":
      return `${command} <<<"${patch}"`;
    case "pipe":
      return `cat <<'E' | ${command}\n${patch}\nE`;
    case "file":
      return `cat > p <<'E'; ${command} < p\n${patch}\nE`;
    case "group":
      return `{ ${command}; } <<'E'\n${patch}\nE`;
    case "shell":
      return `bash -c '${command} "$1"' x '${patch.replaceAll("'", "'\\''")}'`;
    default:
      return patch;
  }
}

/** The files that a line makes, from the folder above the one that it runs in. */
async function madeBy(line: string): Promise<readonly string[]> {
  const place = mkdtempSync(join(tmpdir(), "caliban-line-"));
  try {
    for (const name of ["apply_patch", "applypatch"]) {
      mkdirSync(join(place, "bin"), { recursive: true });
      symlinkSync(CODEX!, join(place, "bin", name));
    }
    mkdirSync(join(place, "ws/d/e"), { recursive: true });
    mkdirSync(join(place, "ws/e"));
    write(join(place, "home/.keep"), "");
    const env = [`PATH=${place}/bin:/usr/bin:/bin`, `HOME=${place}/home`];
    await finish(["env", "-i", ...env, "bash", "-c", line], { cwd: join(place, "ws") });
    const made = [...filesBelow(place).keys()].map((path) => relative(place, path));
    return made.filter((path) => !/^(?:bin\/|home\/\.(?:keep|codex)|ws\/(?:\w\/)*p$)/.test(path));
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** The rules' answer to a line where each of the files is denied. */
function verdictOf(line: string, made: readonly string[]): string {
  const rules = made.map((path) => {
    const text = `/T/${path}`.replace(/[\\*?[\]{}]/g, "\\$&");
    return `{ pattern = ${JSON.stringify(`Edit(${text})`)}, action = "deny" }`;
  });
  const policy = policyFromToml(
    `permissions.rules = [${rules.join(", ")}, { pattern = "Bash", action = "allow" }]`,
    { workspace: "/T/ws", home: "/T/home" },
  );
  return policy.evaluate({ tool: "Bash", input: { command: line } }).action;
}

test(`${COUNT} lines: what apply_patch makes is stopped by a denial of it`, {
  skip: CODEX === undefined,
  timeout: 600_000,
}, async () => {
  const pick = picker(SEED);
  const lines = Array.from({ length: COUNT }, () => pick(ENTERS) + given(pick(PATHS), pick));
  const count = { made: 0, deny: 0, ask: 0, allow: 0 };
  const missed: object[] = [];
  const work = async () => {
    for (let line = lines.pop(); line !== undefined; line = lines.pop()) {
      const made = await madeBy(line);
      if (made.length === 0) continue;
      const verdict = verdictOf(line, made);
      count.made++;
      count[verdict as "deny"]++;
      if (verdict === "allow") missed.push({ line, made });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  console.log(JSON.stringify(count));
  assert.deepEqual(missed.slice(0, 10), []);
  assert.ok(count.made > COUNT / 3, `only ${count.made} made a file`);
});
