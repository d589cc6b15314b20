import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { EVERYWHERE } from "../../lib/cli/args/flags.ts";
import { verbName } from "../../lib/cli/args/verb.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { manPage, VARIABLES } from "../../scripts/pack/man_page.ts";
import { REPO } from "../support/spec_run.ts";

const PAGE = await manPage(VERBS, { version: "1.2.3", date: "2026-11-03" });

test("the manual page is what mandoc wants, to the last line", { skip: missing("mandoc") }, () => {
  const { stdout, stderr, status } = spawnSync("mandoc", ["-Tlint"], {
    input: PAGE,
    encoding: "utf8",
  });
  assert.deepEqual([stdout, stderr, status], ["", "", 0]);
});

test("the manual page shows every verb, flag and example", { skip: missing("mandoc") }, () => {
  const shown = spawnSync("mandoc", ["-Tascii", "-Owidth=200"], { input: PAGE, encoding: "utf8" });
  const text = shown.stdout.replaceAll(STRUCK, "");
  assert.match(text, /November 3, 2026/);
  for (const verb of VERBS) {
    assert.ok(text.includes(`\n     ${verbName(verb)} `), verbName(verb));
    for (const { name } of [...verb.flags, ...EVERYWHERE]) assert.ok(text.includes(` --${name}`));
    for (const { command } of verb.examples) {
      for (const line of command.split("\n")) assert.ok(text.includes(line), line);
    }
  }
});

/** A letter that another one is struck over: bold or underlined. */
const STRUCK = new RegExp(`.${String.fromCharCode(8)}`, "g");

test("no line of the manual page is a request by accident", () => {
  const requests = PAGE.split("\n").filter((line) => /^[.']/.test(line));
  const known = /^\.(?:Ar|Bd|Bl|Cm|Dd|Dt|Ed|El|Ev|It|Nd|Nm|Op|Os|Pp|Sh|Ss)(?: |$)/;
  assert.deepEqual(requests.filter((line) => !known.test(line)), []);
});

/** Set for the hooks of a user, or when the program is built, and not read. */
const SET = ["CALIBAN_COMMIT", "CALIBAN_PROJECT_DIR"];

test("the manual page has every variable of caliban that lib names", () => {
  const lib = join(REPO, "lib");
  const names = readdirSync(lib, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts"))
    .flatMap((path) => readFileSync(join(lib, path), "utf8").match(/\bCALIBAN_[A-Z_]+\b/g) ?? []);
  const own = Object.keys(VARIABLES).filter((name) => name.startsWith("CALIBAN_"));
  const wanted = [...new Set(names)].filter((name) => !SET.includes(name));
  assert.deepEqual(wanted.toSorted(), own.toSorted());
});

function missing(program: string): string | false {
  return spawnSync(program, ["-V"]).error !== undefined && `needs ${program}`;
}
