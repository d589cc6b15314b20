/**
 * `deno task catalog --completions [--record]`: holds the tables beside the completions of `@withfig/autocomplete`, which npm puts into
 * dist/completions, a folder that git ignores. Prints each difference that tests/cases/classes/witness_excuses.json does not name;
 * with `--record` writes the facts that a test holds the tables to.
 */
import "../../lib/shell/parse/loaded_parser.ts";
import { allNames } from "../../lib/shell/programs/texts/program_names.ts";
import excuses from "../../tests/cases/classes/witness_excuses.json" with { type: "json" };
import { factText } from "./fact_text.ts";
import { type CommandFact, differencesOf, excusedIn, judgedFact, mayHaveClass } from "./witness.ts";

const PACKAGE = "@withfig/autocomplete";
const VERSION = "2.692.3";
const ROOT = new URL("../../", import.meta.url);
const FOLDER = decodeURIComponent(new URL("dist/completions", ROOT).pathname);
const BUILT = `${FOLDER}/node_modules/${PACKAGE}/build`;
const FACTS = new URL("tests/cases/classes/witness_facts.json", ROOT);

/** Programs with so many commands that their facts are compared, but not recorded. */
const TOO_LARGE: ReadonlySet<string> = new Set(["aws", "az", "gcloud"]);

async function run(command: string, args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(command, { args: [...args] }).output();
  if (success) return new TextDecoder().decode(stdout);
  throw new Error(`${command} ended with an error: ${new TextDecoder().decode(stderr)}`);
}

/** The facts about the commands of our tables. The files are programs: they run in a process that may only read them. */
const NAMES = allNames();

async function readFacts(): Promise<Readonly<Record<string, CommandFact>>> {
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts"];
  await run("npm", ["install", "--prefix", FOLDER, ...quiet, `${PACKAGE}@${VERSION}`]);
  const script = decodeURIComponent(new URL("read_completions.ts", import.meta.url).pathname);
  const flags = ["--quiet", "--no-prompt", "--no-check", "--no-config", `--allow-read=${FOLDER}`];
  const names = [...NAMES.keys()];
  return JSON.parse(await run(Deno.execPath(), ["run", ...flags, script, BUILT, ...names]));
}

/** The first name of a program, so that the facts of another name of it are looked at once. */
function isFirstName(command: string): boolean {
  const name = command.split(" ")[0]!;
  return NAMES.get(name) === name;
}

function recordText(facts: readonly (readonly [string, CommandFact])[]): string {
  const lines = facts.filter(([command]) => !TOO_LARGE.has(command.split(" ")[0]!))
    .map(([command, fact]) =>
      `    ${JSON.stringify(command)}: ${JSON.stringify(factText(judgedFact(command, fact)))}`
    );
  return `{\n  "source": "${PACKAGE} ${VERSION} (MIT)",\n  "commands": {\n${
    lines.join(",\n")
  }\n  }\n}\n`;
}

/** Compares, and returns the number of differences without an excuse. */
export async function compareCompletions(mode: "report" | "record"): Promise<number> {
  const all = Object.entries(await readFacts());
  const facts = all.filter(([command]) => isFirstName(command) && mayHaveClass(command))
    .sort(([a], [b]) => a < b ? -1 : 1);
  if (mode === "record") await Deno.writeTextFile(FACTS, recordText(facts));
  const excused = new Set(excusedIn(excuses));
  const found = facts.flatMap(([command, fact]) => differencesOf(command, fact));
  const open = found.filter((difference) => !excused.has(difference));
  for (const difference of open) console.log(difference);
  console.log(`${facts.length} commands compared, ${open.length} differences without an excuse`);
  return open.length;
}
