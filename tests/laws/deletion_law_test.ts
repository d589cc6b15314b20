import assert from "node:assert/strict";
import { test } from "node:test";
import unnoticed from "../cases/shell/unnoticed.json" with { type: "json" };
import { CASES, PARTS } from "../support/cases.ts";
import { programEntries, PROGRAMS, tableMark } from "../support/shell_deletion.ts";

/** By program and place, the texts of the entries that no test notices; "" for one that is no element of a list. */
const LISTS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> =
  unnoticed.programs;

/** The tables that the lists were made for. A program whose table has changed since is tried when all are. */
const MARKS: Readonly<Record<string, string>> = unnoticed.tables;

/** Programs whose entries were not tried yet. */
const WAITING: ReadonlySet<string> = new Set(unnoticed.waiting);

const isAll = CASES.amount === "all";

/** True if it is the turn of the entry with this number: each has one in so many days. */
function isDue(at: number): boolean {
  const parts = { few: PARTS * PARTS, some: PARTS, all: 1 }[CASES.amount];
  return at % parts === CASES.seed % parts;
}

function nameOf(program: string, { place, text }: { place: string; text: string }): string {
  return `${program} ${place}${text === "" ? "" : `:${text}`}`;
}

/** The entries of a program whose outcome is not that of the list. */
function faults(program: string, from: number): readonly string[] {
  const list = Object.hasOwn(LISTS, program) ? LISTS[program]! : {};
  const known = new Set(
    Object.entries(list).flatMap(([place, texts]) =>
      texts.map((text) => nameOf(program, { place, text }))
    ),
  );
  const all = programEntries(program);
  const names = new Set(all.map((entry) => nameOf(program, entry)));
  const gone = [...known].filter((name) => !names.has(name)).map((name) => `${name}: no entry`);
  const wrong = all.filter((_, index) => isDue(from + index)).flatMap((entry) => {
    const name = nameOf(program, entry);
    const isFound = entry.isNoticed();
    // A test that was added since takes an entry off the list, which matters when all are tried.
    if (isFound === !known.has(name) || isFound && !isAll) return [];
    return [
      isFound ? `${name}: noticed, so take it out of the list` : `${name}: no test notices it`,
    ];
  });
  return isAll ? [...gone, ...wrong] : wrong;
}

test(
  "each entry of shell.toml is noticed by a test if it is gone, but for a list that only shrinks",
  { timeout: 3_600_000 },
  () => {
    const listed = [...Object.keys(LISTS), ...WAITING];
    assert.deepEqual(listed.filter((program) => !PROGRAMS.includes(program)), []);
    assert.ok(PROGRAMS.length - WAITING.size >= 150);
    let from = 0;
    const tried = PROGRAMS.filter((program) => !WAITING.has(program));
    const same = tried.filter((program) => isAll || MARKS[program] === tableMark(program));
    assert.ok(same.length >= 100, "Run tests/support/update_unnoticed.ts for the changed tables");
    const found = same.flatMap((program) => {
      const own = faults(program, from);
      from += programEntries(program).length;
      return own;
    });
    assert.deepEqual(found, []);
  },
);
