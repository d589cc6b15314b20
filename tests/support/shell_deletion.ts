/**
 * Deletes entries of `defaults/shell.toml` in memory, and looks for a proof that notices: a claim of tests/cases/shell/programs, a line of
 * the corpus, or a row of tests/cases/classes.
 */
import assert from "node:assert/strict";
import shell from "../../defaults/shell.json" with { type: "json" };
import { evaluate } from "../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../lib/policy/sources/policy_from_toml.ts";
import { ProgramCatalog } from "../../lib/shell/programs/program_catalog.ts";
import { allNames } from "../../lib/shell/programs/texts/program_names.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import { PROOF_TABLES } from "../cases/shell/programs.ts";
import classes_about from "../cases/classes/about.json" with { type: "json" };
import classes_build from "../cases/classes/build.json" with { type: "json" };
import classes_admin from "../cases/classes/admin.json" with { type: "json" };
import classes_clouds from "../cases/classes/clouds.json" with { type: "json" };
import classes_clouds_2 from "../cases/classes/clouds_2.json" with { type: "json" };
import classes_code from "../cases/classes/code.json" with { type: "json" };
import classes_companions from "../cases/classes/companions.json" with { type: "json" };
import classes_devtools from "../cases/classes/devtools.json" with { type: "json" };
import classes_fetch from "../cases/classes/fetch.json" with { type: "json" };
import classes_gh from "../cases/classes/gh.json" with { type: "json" };
import classes_git from "../cases/classes/git.json" with { type: "json" };
import classes_git_history from "../cases/classes/git_history.json" with { type: "json" };
import classes_git_writes from "../cases/classes/git_writes.json" with { type: "json" };
import classes_hostile from "../cases/classes/hostile.json" with { type: "json" };
import classes_inspection from "../cases/classes/inspection.json" with { type: "json" };
import classes_interpreters from "../cases/classes/interpreters.json" with { type: "json" };
import classes_lines from "../cases/classes/lines.json" with { type: "json" };
import classes_managers from "../cases/classes/managers.json" with { type: "json" };
import classes_machine from "../cases/classes/machine.json" with { type: "json" };
import classes_macos from "../cases/classes/macos.json" with { type: "json" };
import classes_programs from "../cases/classes/programs.json" with { type: "json" };
import classes_reach from "../cases/classes/reach.json" with { type: "json" };
import classes_real from "../cases/classes/real.json" with { type: "json" };
import classes_text from "../cases/classes/text.json" with { type: "json" };
import classes_services from "../cases/classes/services.json" with { type: "json" };
import classes_several from "../cases/classes/several.json" with { type: "json" };
import classes_tools from "../cases/classes/tools.json" with { type: "json" };
import classes_witness from "../cases/classes/witness.json" with { type: "json" };
import { filesOf } from "./files_of.ts";
import { ownRepository } from "./own_repository.ts";
import { AT_LEAST, corpusPolicy, EXACT } from "./shell_corpus.ts";
import { HELP_OPTIONS, NAMED_OPTIONS, UNNAMED, UNSEEN } from "./shell_options.ts";
import { deviation, idleRule, objection } from "./shell_proof_policy.ts";
import { entriesOf, type Entry, type Table } from "./table_entries.ts";

/** A line, and what a test says of it. */
interface Claim {
  readonly line: string;
  /** True if the test would pass with the tables as they are now. */
  readonly holds: () => boolean;
}

const DEFAULTS = shell as { programs: string; names: string };

/** The first name of each program, by each of its names. */
const NAMES = allNames();

/** The texts of all tables by the first name of the program. */
const TEXTS: ReadonlyMap<string, string> = new Map(
  DEFAULTS.programs.split("\n").slice(1).map((line) => {
    const at = line.indexOf(" ");
    return [line.slice(0, at), line.slice(at + 1)];
  }),
);

/** The same with the sub-commands in their place. */
const TABLES: ReadonlyMap<string, string> = new Map(
  [...TEXTS].map(([program, text]) => {
    const [own = "", ...subs] = text.split("\t");
    const named = subs.map((each) => each.replace(/^([^ ,]+)\S* /, "`$1`:"));
    return [program, own.replace("`sub`:{}", () => `\`sub\`:{${named.join(",")}}`)];
  }),
);

/** The first names of all programs. */
export const PROGRAMS: readonly string[] = [...TABLES.keys()];

function tableOf(program: string): Table {
  return JSON.parse(TABLES.get(program)!.replaceAll("`", '"')) as Table;
}

/** A number by which a changed table is told from the one that the list was made for (FNV-1a, 32 bits). */
export function tableMark(program: string): string {
  let mark = 0x811c9dc5;
  for (const char of TABLES.get(program) ?? "") {
    mark = Math.imul(mark ^ char.codePointAt(0)!, 0x01000193) >>> 0;
  }
  return mark.toString(16);
}

/** An entry, and its proof. */
export interface ProgramEntry extends Pick<Entry, "place" | "text"> {
  /** True if a test fails without it. */
  readonly isNoticed: () => boolean;
}

/** Every entry of a program, its other names first. */
export function programEntries(program: string): readonly ProgramEntry[] {
  const names = otherNames(program).map((name) => ({
    place: "|also",
    text: name,
    isNoticed: () => isNameNoticed(program, name),
  }));
  const entries = entriesOf(tableOf(program)).map((entry) => ({
    place: entry.place,
    text: entry.text,
    isNoticed: () => isNoticed(program, entry),
  }));
  return [...names, ...entries];
}

/** The other names of a program. */
function otherNames(program: string): readonly string[] {
  return [...NAMES]
    .flatMap(([name, first]) => first === program && name !== program ? [name] : []);
}

/** Lines under rules about classes; without `files` those of tests/cases/classes/code.json. */
interface ClassTable {
  readonly rules: readonly (readonly string[])[];
  readonly files?: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
  readonly packages?: readonly string[];
  readonly cases: readonly (readonly string[])[];
}

const CLASS_TABLES: readonly ClassTable[] = [
  classes_lines,
  classes_managers,
  classes_inspection,
  classes_interpreters,
  classes_companions,
  classes_devtools,
  classes_fetch,
  classes_about as ClassTable,
  classes_build as ClassTable,
  classes_admin as ClassTable,
  classes_clouds as ClassTable,
  classes_clouds_2 as ClassTable,
  classes_gh,
  classes_git,
  classes_git_history,
  classes_git_writes,
  classes_hostile,
  classes_machine,
  classes_macos,
  classes_programs,
  classes_services as ClassTable,
  classes_several as ClassTable,
  classes_reach as ClassTable,
  classes_real as ClassTable,
  classes_text,
  classes_tools as ClassTable,
  classes_witness,
  ...classes_code,
];

const CLAIMS: readonly Claim[] = [
  ...HELP_OPTIONS.filter(({ name }) => !UNSEEN.includes(name)).flatMap(({ lines, isSeen }) =>
    lines.map((line) => ({ line, holds: isSeen }))
  ),
  ...NAMED_OPTIONS.map(({ line, isNamed }) => {
    const isUnnamed = UNNAMED.includes(line);
    return { line, holds: () => isNamed() !== isUnnamed };
  }),
  ...PROOF_TABLES.flatMap(({ program, proofs, harmless }) => {
    const names = new Set([program, ...otherNames(program)]);
    return [
      ...proofs.map((proof) => ({
        line: proof.command,
        holds: () => (idleRule({ proof, names }) ?? deviation({ proof, names })) === undefined,
      })),
      ...harmless.map((line) => ({ line, holds: () => objection(line) === undefined })),
    ];
  }),
  ...[...Object.values(AT_LEAST), ...Object.values(EXACT)].flatMap((table) =>
    table.cases.map(({ command, expect, policy }) => ({
      line: command,
      holds: () => {
        const call = { tool: "Bash", input: { command }, cwd: "/work" };
        const { action } = corpusPolicy(policy ?? table.policy).evaluate(call);
        return Object.values(AT_LEAST).includes(table) ? action !== "allow" : action === expect;
      },
    }))
  ),
  ...CLASS_TABLES.flatMap((table) =>
    table.cases.map(([expected, line]) => ({
      line: line!,
      holds: () => verdictOf(table, line!) === expected,
    }))
  ),
];

/** The action of a line; for a line of code that asks, the kind of the question where only that is expected. */
function verdictOf(
  { rules, files, texts = {}, packages = [], cases }: ClassTable,
  line: string,
): string {
  const toml = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  const machine = files && {
    isSystemProgram: () => true,
    gitRepository: (folder: string) =>
      folder.startsWith("/work") ? "here" as const : "foreign" as const,
    gitState: (folder: string) => ownRepository(folder, files),
    textOf: (path: string) => texts[path.replace("/work/", "")] ?? null,
    hasPackages: (look: string, folder: string) => packages.includes(`${look} ${folder}`),
    ...filesOf(files),
  };
  const policy = policyFromToml(toml.join(""), {
    workspace: "/work",
    home: "/home/ada",
    ...machine,
  });
  const call = { tool: "Bash", input: { command: line }, cwd: "/work" };
  const { action, by, units } = evaluate(policy, call);
  const isAboutKinds = cases.some(([expected]) => /^(?:safety|ordinary|rule)$/.test(expected!));
  if (action !== "ask" || !isAboutKinds) return action;
  const hard = units.filter((unit) => unit.action === "ask" && unit.by === "safety");
  return hard.length > 0 && hard.every(({ isOrdinaryCode }) => isOrdinaryCode) ? "ordinary" : by;
}

/** The lines of claims that fail with the tables as they are: none may, lest it notices everything. */
export function failingClaims(): readonly string[] {
  return CLAIMS.filter(({ holds }) => !holds()).map(({ line }) => line);
}

/** The claims whose lines name a program, by its first name. */
const CLAIMS_OF: ReadonlyMap<string, readonly Claim[]> = claimsByProgram();

function claimsByProgram() {
  const map = new Map<string, Claim[]>();
  for (const claim of CLAIMS) {
    const words = new Set(claim.line.split(/[^\w.+[-]+/));
    const firsts = new Set([...words].flatMap((word) => firstOf(word) ?? []));
    for (const first of firsts) {
      const known = map.get(first);
      if (known) known.push(claim);
      else map.set(first, [claim]);
    }
  }
  return map;
}

function firstOf(name: string): string | undefined {
  const bare = name.replace(/-?\d+(?:\.\d+)*$/, "");
  const known = NAMES.get(name) ?? NAMES.get(bare);
  if (known !== undefined) return known;
  return name.startsWith("git-") ? "git" : undefined;
}

/** The effects of a line, with the classes of its commands, as a text. */
function effectsText(line: string, catalog: ProgramCatalog): string {
  const { effects, plainNames } = readLine(line, { catalog, wantsClasses: true });
  return JSON.stringify([
    effects.map(({ traits, ...effect }) => [effect, traits?.()]),
    plainNames,
  ]);
}

const whole = DEFAULTS.programs;
const before = new Map<string, string>();

function effectsBefore(line: string): string {
  let known = before.get(line);
  if (known === undefined) before.set(line, known = effectsText(line, new ProgramCatalog()));
  return known;
}

/** True if a test fails without an entry of a program's table. */
function isNoticed(program: string, { word, without }: Entry): boolean {
  const claims = (CLAIMS_OF.get(program) ?? []).filter(({ line }) => mayHave(line, word));
  if (claims.length === 0) return false;
  // The effects of these lines are read before the table changes.
  for (const { line } of claims) effectsBefore(line);
  const table = JSON.stringify(without()).replaceAll('"', "`");
  return withPrograms(`\n${program} ${table}${programsBut(program)}`, () => firstFailing(claims));
}

let others: { readonly program: string; readonly programs: string } | undefined;

/** The tables of all other programs. */
function programsBut(program: string): string {
  if (others?.program !== program) {
    const own = `\n${program} ${TEXTS.get(program)!}`;
    others = { program, programs: whole.replace(own, () => "") };
  }
  return others.programs;
}

/** True if a test fails where a name means no program. */
function isNameNoticed(program: string, name: string): boolean {
  const claims = (CLAIMS_OF.get(program) ?? []).filter(({ line }) => line.includes(name));
  for (const { line } of claims) effectsBefore(line);
  const { names } = DEFAULTS;
  DEFAULTS.names = names.replace(`\n${name} ${program}\n`, () => "\n");
  assert.notEqual(DEFAULTS.names, names);
  try {
    return withPrograms(`${whole}\n`, () => firstFailing(claims));
  } finally {
    DEFAULTS.names = names;
  }
}

function withPrograms<T>(programs: string, use: () => T): T {
  DEFAULTS.programs = programs;
  try {
    return use();
  } finally {
    DEFAULTS.programs = whole;
  }
}

function firstFailing(claims: readonly Claim[]): boolean {
  const catalog = new ProgramCatalog();
  const fails = ({ line, holds }: Claim) => {
    try {
      return effectsText(line, catalog) !== effectsBefore(line) && !holds();
    } catch {
      // A table that its schema would not have is noticed.
      return true;
    }
  };
  return claims.some(fails);
}

/** False for a line that surely has no word which an option, as it is written, shortened or among others, or a sub-command, is. */
function mayHave(line: string, word: string | undefined): boolean {
  if (word === undefined || word.length < 2) return true;
  if (word.startsWith("--")) return line.includes(word.slice(0, 3));
  if (!word.startsWith("-")) return line.includes(word.slice(0, 2));
  return word.length === 2
    ? new RegExp(`-[^\\s]*${word[1]!.replace(/[^\w]/g, "\\$&")}`).test(line)
    : line.includes(word.slice(0, 2));
}
