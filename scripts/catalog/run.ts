/**
 * `deno task catalog [PROGRAM…]`: compares the tables of defaults/shell.toml with the programs of this machine. Each program with
 * a class that changes nothing outside of its folder is started with `--help`, in a folder of its own, and the options that it
 * names are held beside those of its table. Prints what has drifted; with `--check` options that a table lacks are status 1.
 *
 * `--completions`: compares them with a collection of completions instead, which npm installs; any new difference is status 1.
 * `--record` writes the facts of these completions that a test holds the tables to.
 */
import { parse } from "smol-toml";
import { driftOf, type WrittenTable } from "./drift.ts";

/** Classes of programs that are safe to start with `--help`, should one of them not know it. */
const STARTED: ReadonlySet<string> = new Set(["read", "edit", "delete", "repository", "secret"]);

/** The word behind a program that prints the options of a sub-command, where it is not `--help`. */
const HELP: Readonly<Record<string, string>> = { git: "-h" };

const TIMEOUT = 5_000;

interface Command {
  readonly words: readonly string[];
  readonly table: WrittenTable;
}

function* commandsOf(words: readonly string[], table: WrittenTable): Generator<Command> {
  const own = table["class"] ?? [];
  const classes = (typeof own === "string" ? [own] : own) as readonly string[];
  if (classes.length > 0 && classes.every((name) => STARTED.has(name))) yield { words, table };
  const subs = (table["sub"] ?? {}) as Readonly<Record<string, WrittenTable>>;
  for (const [name, sub] of Object.entries(subs)) yield* commandsOf([...words, name], sub);
}

/** The text that a command prints of itself; undefined if the machine does not have the program, or it does not end. */
async function helpOf({ words: [program = "", ...subs] }: Command, folder: string) {
  try {
    const { stdout, stderr } = await new Deno.Command(program, {
      args: [...subs, HELP[program] ?? "--help"],
      cwd: folder,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: folder, LC_ALL: "C.UTF-8", PAGER: "cat" },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      signal: AbortSignal.timeout(TIMEOUT),
    }).output();
    const decoder = new TextDecoder();
    return `${decoder.decode(stdout)}\n${decoder.decode(stderr)}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof DOMException) return undefined;
    throw error;
  }
}

async function compare(names: readonly string[], mode: "report" | "check"): Promise<number> {
  const toml = await Deno.readTextFile(new URL("../../defaults/shell.toml", import.meta.url));
  const { variables: _, alone: _1, names: _2, configuration: _3, ...tables } = parse(toml);
  const unknown = names.find((name) => !Object.hasOwn(tables, name));
  if (unknown !== undefined) {
    console.error(`No table in defaults/shell.toml for "${unknown}"`);
    return 64;
  }
  const commands = Object.entries(tables)
    .filter(([name]) => names.length === 0 || names.includes(name))
    .flatMap(([name, table]) => [...commandsOf([name], table as WrittenTable)]);
  const count = { compared: 0, absent: 0, silent: 0, lacking: 0 };
  for (const command of commands) {
    const folder = await Deno.makeTempDir({ prefix: "caliban-catalog-" });
    const text = await helpOf(command, folder);
    await Deno.remove(folder, { recursive: true });
    const drift = text === undefined ? undefined : driftOf(command.table, text);
    if (drift === undefined) {
      count[text === undefined ? "absent" : "silent"]++;
      continue;
    }
    count.compared++;
    if (drift.missing.length > 0) count.lacking++;
    const name = command.words.join(" ");
    if (drift.missing.length > 0) {
      console.log(`${name}: not in its table: ${drift.missing.join(" ")}`);
    }
    if (drift.extra.length > 0) console.log(`${name}: not in its help: ${drift.extra.join(" ")}`);
  }
  console.log(
    `${count.compared} commands compared, ${count.lacking} with options that their table lacks; ` +
      `${count.absent} are not on this machine, the help of ${count.silent} names no option`,
  );
  return mode === "check" && count.lacking > 0 ? 1 : 0;
}

const KNOWN: ReadonlySet<string> = new Set(["--check", "--completions", "--record"]);

if (import.meta.main) {
  const flags = new Set(Deno.args.filter((arg) => arg.startsWith("-")));
  const wrong = [...flags].find((flag) => !KNOWN.has(flag));
  if (wrong !== undefined) {
    console.error(
      `Unknown argument "${wrong}"; only ${[...KNOWN].join(", ")} and names of programs are known`,
    );
    Deno.exit(64);
  }
  if (flags.has("--completions")) {
    const { compareCompletions } = await import("./completions.ts");
    const open = await compareCompletions(flags.has("--record") ? "record" : "report");
    Deno.exit(open > 0 ? 1 : 0);
  }
  const names = Deno.args.filter((arg) => !arg.startsWith("-"));
  Deno.exit(await compare(names, flags.has("--check") ? "check" : "report"));
}
