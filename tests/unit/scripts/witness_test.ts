import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { factIn, factText } from "../../../scripts/catalog/fact_text.ts";
import { type CommandFact, differencesOf, excusedIn } from "../../../scripts/catalog/witness.ts";
import excuses from "../../cases/classes/witness_excuses.json" with { type: "json" };
import facts from "../../cases/classes/witness_facts.json" with { type: "json" };

const COMMANDS = Object.entries(facts.commands as Readonly<Record<string, string>>);
const EXCUSED = excusedIn(excuses);

/** The number of differences with a reason, which only shrinks. */
const MOST_EXCUSED = 880;

/** The differences between the tables and all facts. */
const FOUND = COMMANDS.flatMap(([command, text]) => differencesOf(command, factIn(text)));

test("the facts of a collection of completions and the tables agree but for differences with a reason", () => {
  const excused = new Set(EXCUSED);
  assert.deepEqual(FOUND.filter((difference) => !excused.has(difference)), []);
});

test("no reason stands for a difference that is gone", () => {
  const found = new Set(FOUND);
  const programs = new Set(COMMANDS.map(([command]) => command.split(" ")[0]));
  const gone = EXCUSED.filter((difference) =>
    programs.has(difference.split(" ")[0]) && !found.has(difference)
  );
  assert.deepEqual(gone, []);
  assert.ok(EXCUSED.length <= MOST_EXCUSED, `${EXCUSED.length} differences have a reason`);
  assert.equal(new Set(EXCUSED).size, EXCUSED.length);
});

test("a fact is the same behind its text", () => {
  const lines = [
    "! -a,--all -n,--lines= -f,--file=file* --color=?~ --pair== --out=folder! | file* any",
    "",
  ];
  for (const line of lines) assert.equal(factText(factIn(line)), line);
  for (const [command, text] of COMMANDS) assert.equal(factText(factIn(text)), text, command);
});

/** The differences of one option or operand from the tables as they are. */
function differences(command: string, text: string) {
  return differencesOf(command, factIn(text) satisfies CommandFact);
}

test("a fact that the tables contradict is told", () => {
  assert.deepEqual(differences("wc", "-l -c | file*"), []);
  assert.deepEqual(differences("wc", "-l="), ["wc -l: a value"]);
  assert.deepEqual(differences("head", "-n"), ["head -n: no value"]);
  assert.deepEqual(differences("head", "-n=?"), ["head -n: an optional value"]);
  assert.deepEqual(differences("head", "-n=*"), ["head -n: several values"]);
  assert.deepEqual(differences("head", "-n=="), ["head -n: two values"]);
  assert.deepEqual(differences("head", "-n=~"), ["head -n: a value in its own word"]);
  assert.deepEqual(differences("head", "-n=file"), ["head -n: a file"]);
  assert.deepEqual(differences("seq", "| file"), ["seq: operand 1 is a file"]);
  assert.deepEqual(differences("wc", "-l!"), ["wc -l: a change"]);
  assert.deepEqual(differences("git status", "!"), ["git status: a change"]);
  assert.deepEqual(differences("git no-such-command", "! -x="), []);
  assert.deepEqual(differences("no-such-program", "-x="), []);
});
