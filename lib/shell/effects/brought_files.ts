import type { CommandClass } from "../../model/call.ts";
import type { CommandTraits } from "../effect.ts";
import { isFixed, type Word } from "../parse/tree.ts";
import type { ProgramUse } from "../programs/program_use.ts";
import type { LineState } from "./line_state.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** The files that the commands of a line may have made by some time. */
export interface Brought {
  /** True if they may have made files of any name. */
  readonly isAny: boolean;
  /** The number of names that are known by then. */
  readonly count: number;
  /** True if they may have changed the index or the stash of a repository. */
  readonly inIndex: boolean;
}

/** The names of the files that the commands of a line may make, which may configure a later one. */
export class BroughtFiles {
  readonly #names: string[] = [];
  #isAny = false;
  #inIndex = false;

  /** Those of the commands so far. */
  get now(): Brought {
    return { isAny: this.#isAny, count: this.#names.length, inIndex: this.#inIndex };
  }

  /** True if one of these files, each a path from some folder, may have been made by a time. */
  mayHave(paths: readonly string[], { isAny, count }: Brought): boolean {
    if (paths.length === 0 || isAny || count === 0) return paths.length > 0 && isAny;
    const names = new Set(paths.map(lastName));
    return this.#names.slice(0, count).some((name) => names.has(name));
  }

  /** Records that files of any name may have been made. */
  expectAny(): void {
    this.#isAny = true;
    this.#inIndex = true;
  }

  /** Records that a command ends that makes no files. */
  afterReading(reading: SimpleCommand["reading"]): void {
    if (changesIndex(reading)) this.#inIndex = true;
  }

  /** Records that a command ends; `isUnknown`: it may have made any file. */
  after(
    { node, reading }: Pick<SimpleCommand, "node" | "reading">,
    { isUnknown }: { readonly isUnknown: boolean },
  ): void {
    const { uses } = reading;
    if (isUnknown || changesIndex(reading)) this.#inIndex = true;
    if (isUnknown || reading.relinks !== undefined || uses.some(mayBringAny)) this.#isAny = true;
    for (const { operator, target } of node.redirects) {
      if (operator !== "<" && !operator.startsWith("<<") && target) this.#add(target);
    }
    if (!uses.some(isWrite)) return;
    // A file that is copied into a folder keeps its name; a build writes none of those that it reads.
    const copies = !runsProject(reading);
    for (const { kind, value } of uses) {
      if (kind === "write" || kind === "output" || kind === "read" && copies) this.#add(value);
    }
  }

  #add({ shape }: Word): void {
    const name = lastName(shape);
    if (isFixed(shape) && !/^\.{0,2}$/.test(name)) this.#names.push(name);
    else this.#isAny = true;
  }
}

/** True for a command that makes no files and no links. */
export function onlyReads({ uses, relinks }: SimpleCommand["reading"]): boolean {
  if (relinks !== undefined) return false;
  for (const { kind } of uses) if (kind !== "read" && kind !== "name") return false;
  return true;
}

function isWrite({ kind }: ProgramUse): boolean {
  return kind === "write" || kind === "output";
}

/** True for a use that may make files whose names the line does not hold. */
function mayBringAny({ kind, isOrdinaryScript }: ProgramUse): boolean {
  return kind === "fill" || kind === "unknown" && !isOrdinaryScript;
}

/** True for a command of git, or of a client of it, that does more than read. */
function changesIndex({ levels }: SimpleCommand["reading"]): boolean {
  return levels[0]?.program.table.repository === true &&
    levels[levels.length - 1]!.program.table.class !== "read";
}

/** True for a command whose table says that it runs code of the workspace. */
function runsProject({ levels }: SimpleCommand["reading"]): boolean {
  const base = levels.at(-1)?.program.table.class ?? [];
  return (typeof base === "string" ? [base] : base).includes("project");
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).toLowerCase();
}

/** The last names of files and folders that say what a program needs, or hold it. */
const PACKAGE_FILES: readonly string[] = [
  ...[
    "go.mod",
    "go.sum",
    "go.work",
    "vendor",
    "modules.txt",
    "go",
    "env",
    "pkg",
    "mod",
    "node_modules",
    "cache",
    "download",
  ],
  ...[".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"],
];

/** Classes of commands that remove and fetch no files but those that they name. */
const KEEPS_FILES: ReadonlySet<CommandClass> = new Set([
  "read",
  "edit",
  "repository",
  "project",
  "fetch",
  "service-read",
  "service",
  "secret",
]);

/** The most earlier commands that are looked at. */
const MAX_EARLIER = 200;

/** True if an earlier command of the line may have changed or removed what a program needs. */
export function mayLack({ state, brought, earlier }: {
  readonly state: LineState;
  /** The files that earlier commands may have made. */
  readonly brought: Brought;
  /** The number of the commands before it. */
  readonly earlier: number;
}): boolean {
  return state.makesLinks || earlier > MAX_EARLIER ||
    state.brought.mayHave(PACKAGE_FILES, brought) ||
    state.earlier.slice(0, earlier).some((keeps) => !keeps());
}

/** True if a command removes and fetches no files but those that it names, by its classes or what a look then shows. */
export function keepsFiles({ classes, packages }: CommandTraits): boolean {
  return classes.every((each) =>
    KEEPS_FILES.has(each) || each === "install" && packages !== undefined
  );
}
