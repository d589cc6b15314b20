import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { withTempDir } from "../support/temp_dir.ts";
import { copyWithPlaces, OFF } from "../support/unknown_places.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CORPUS = join(ROOT, "tests/cases/shell/corpus");
const CLASS_CASES = join(ROOT, "tests/cases/classes");
const SHELLS = [undefined, "bash", "zsh", "sh"] as const;

/**
 * Places of which no line needs just this one: another reason is always beside it, or comes first. They are there for another
 * version of the parser.
 */
const SECOND_NETS: Readonly<Record<string, string>> = {
  "its file is missing": "a syntax error",
  "its effect is unknown": "every use that is unknown has a reason",
  "its content cannot be parsed": "a syntax error",
  "its words are separated by more than blanks": "a syntax error, or text of no command",
  'a "(" stands behind a word': "a syntax error",
  "its text may contain an expansion": "the parser finds each of them",
  "it has an unknown construct: ": "the parser has no other",
  "it cannot be parsed": "the parser throws a TypeError on no known line",
  "it has text that is not part of any command: ": "a syntax error",
  "it is not valid shell syntax: ${late": "the parser has told of the error before",
  "its parts are not contiguous": "they are",
  "part of it cannot be parsed": "all of it is",
  "its braces may be a list": "the parser knows every list",
  "the program that it runs is not fixed": "the command that is read from the value is not fixed",
  "text adjoins a list of values": "an expansion that the parser has not found",
  "zsh sets the variable": "zsh reads ${x::=a} differently from bash",
  "the text that it replaces is not fixed": "it may be several words",
  "it is not fixed, and another command may begin after it": "it may be an option",
  "a file of its patch": "no reason, but the way to a file",
  "a carriage return": "no reason, but the name of a character",
  "a control character": "no reason, but the name of a character",
  "The parser of command lines is not loaded": "no reason, but an error that ends the program",
};
/** As `SECOND_NETS`, by file and reason, with their number. */
const BESIDE: Readonly<Record<string, number>> = {
  // Both say so of the same lines.
  "lib/shell/parse/parse_compound.ts TWO_WAYS": 1,
  "lib/shell/parse/parse_with_parser.ts TWO_WAYS": 1,
  // The parser and our reading end at a depth of their own.
  'lib/shell/parse/parse_with_parser.ts "it is nested too deeply"': 1,
  // Names of commands, of which no reason is made.
  'lib/shell/parse/plain_line.ts "if then else elif fi do done for while until in case esac function select coproc time"':
    1,
  'lib/shell/parse/plain_line.ts "local alias export declare typeset readonly eval let"': 1,
  // `${é}`, which bash does not know either.
  "lib/shell/parse/word_differences.ts BY_ZSH": 1,
  // A name in the reason of another place.
  "lib/shell/programs/classes/names_from.ts INPUT": 1,
  // `python -mpytest`, code of an interpreter.
  "lib/shell/programs/option_uses.ts RUNS_OR_CHANGES": 1,
};

/** The policy of the lines whose folder is not fixed. */
const FOLDERS = [
  { pattern: "Read:/etc/**", action: "deny" },
  { pattern: "Bash", action: "allow" },
] as const;

/** Lines that are too long for a file, and one that only `sh` reads differently. */
const MORE = [
  "echo $[1]",
  "a".repeat(2 ** 20 + 1),
  "a;".repeat(60_000),
  "a ".repeat(60_000),
  `${"echo $(".repeat(80)}ls${")".repeat(80)}`,
  `${"sudo ".repeat(100)}ls`,
  `${"{ ".repeat(80)}ls;${" }".repeat(80)}`,
];

interface Line {
  readonly command: string;
  readonly policy?: string;
}

/** The lines of every corpus file. */
function corpusLines(): readonly Line[] {
  return readdirSync(CORPUS).filter((name) => name.endsWith(".json")).flatMap((name) => {
    const { cases = [] } = JSON.parse(readFileSync(join(CORPUS, name), "utf8")) as {
      cases?: Line[];
    };
    return cases.filter(({ command }) => typeof command === "string");
  });
}

/** The library as a copy has it. */
async function modulesOf(folder: string) {
  mkdirSync(join(folder, "tests/support"), { recursive: true });
  copyFileSync(join(ROOT, "tests/support/policy.ts"), join(folder, "tests/support/policy.ts"));
  const load = (path: string) => import(pathToFileURL(join(folder, path)).href);
  const { readLine } = await load(
    "lib/shell/read_line.ts",
  ) as typeof import("../../lib/shell/read_line.ts");
  const { evaluate } = await load(
    "lib/decide/evaluate.ts",
  ) as typeof import("../../lib/decide/evaluate.ts");
  const { policyOf } = await load(
    "tests/support/policy.ts",
  ) as typeof import("../support/policy.ts");
  return { readLine, evaluate, policyOf };
}

type Modules = Awaited<ReturnType<typeof modulesOf>>;

/** The only place because of which a line asks, where all its programs, files and URLs are allowed; undefined without one. */
function soleReason(
  { readLine, evaluate, policyOf }: Modules,
  { command, shell }: { command: string; shell: typeof SHELLS[number] },
): number | undefined {
  const { effects } = readLine(command, shell === undefined ? {} : { shell });
  const places = new Set(
    effects.flatMap(({ why }) => [...(why ?? "").matchAll(/ #(\d+)/g)].map(([, it]) => Number(it))),
  );
  const [place, ...more] = places;
  if (place === undefined || more.length > 0) return undefined;
  const names = [
    ...new Set(
      effects.flatMap(({ name }) =>
        name !== undefined && /^[!-~]+$/.test(name) && !/[\\()*?:]/.test(name) ? name : []
      ),
    ),
  ];
  const policy = policyOf(
    [...names.map((name) => `Bash(${name}:*)`), "Read", "Write", "WebFetch"]
      .map((pattern) => ({ pattern, action: "allow" })),
    shell === undefined ? {} : { tools: { Bash: { shell } } },
  );
  const { units } = evaluate(policy, { tool: "Bash", input: { command } });
  const asked = units.filter(({ action }) => action !== "allow");
  const isOf = ({ reason }: { reason: string }) => reason.endsWith(`#${place}`);
  const isPlain = ({ reason }: { reason: string }) => reason === "no rule matches";
  return asked.some(isOf) && asked.every((unit) => isOf(unit) || isPlain(unit)) ? place : undefined;
}

/** The lines that a rule about a class does not allow. */
function classLines(): readonly string[] {
  return readdirSync(CLASS_CASES).flatMap((name) => {
    const { cases = [] } = JSON.parse(readFileSync(join(CLASS_CASES, name), "utf8")) as {
      cases?: readonly (readonly [string, string])[];
    };
    return cases.flatMap(([expected, line]) => expected === "allow" ? [] : line);
  });
}

/** The places because of which commands of a line have no class. */
function classlessPlaces({ readLine }: Modules, line: string): readonly number[] {
  return readLine(line, { wantsClasses: true }).effects.flatMap(({ traits }) =>
    [...(traits?.().whyUnknown ?? "").matchAll(/ #(\d+)/g)].map(([, it]) => Number(it))
  );
}

test(
  "each place that makes a part of a line unknown has a line of the corpus whose verdict needs it",
  { timeout: 300_000 },
  () =>
    withTempDir(async (folder) => {
      const places = copyWithPlaces(ROOT, folder);
      const modules = await modulesOf(folder);
      const needed = new Set<number>();
      const lines = corpusLines();
      const commands = new Set([...lines.map(({ command }) => command), ...MORE]);
      for (const command of commands) {
        for (const shell of SHELLS) {
          const place = soleReason(modules, { command, shell });
          if (place !== undefined) needed.add(place);
        }
      }
      for (const line of classLines()) {
        for (const place of classlessPlaces(modules, line)) needed.add(place);
      }
      const off = new Set<number>();
      Object.assign(globalThis, { [OFF]: off });
      for (const { command, policy } of lines) {
        if (policy === undefined || !policy.includes("Read:/etc/**")) continue;
        const decide = () => {
          const folders = modules.policyOf(FOLDERS);
          // The line that was read last is not read again.
          modules.evaluate(folders, { tool: "Bash", input: { command: "ls" } });
          return modules.evaluate(folders, { tool: "Bash", input: { command } }).action;
        };
        const on = decide();
        for (const [number, { text }] of places.entries()) {
          if (text !== "open: true") continue;
          off.add(number);
          if (on !== "allow" && decide() === "allow") needed.add(number);
          off.clear();
        }
      }
      const counts: Record<string, number> = {};
      for (const [number, { at, text }] of places.entries()) {
        if (needed.has(number)) continue;
        if (Object.keys(SECOND_NETS).some((each) => text.slice(1).startsWith(each))) continue;
        const key = `${at.replace(/:\d+$/, "")} ${text}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }
      assert.deepEqual(counts, BESIDE);
      assert.ok(places.length > 140, `${places.length} places`);
    }),
);
