import { HOLE, isFixed, type Word } from "../parse/tree.ts";
import { gitFiles, sentFiles } from "./file_patterns.ts";
import { RUNS_OR_CHANGES } from "./option_uses.ts";
import type { OperandKind, ProgramTable } from "./program_table.ts";
import { type ProgramUse, unknownUse, withPrefixedFiles } from "./program_use.ts";
import { scriptUses } from "../scripts/script_uses.ts";

/** One operand of a command. */
export interface Operand {
  /** The index of its word. */
  readonly at: number;
  readonly kind: OperandKind;
  readonly table: ProgramTable;
  /** The folders that options name for operands. */
  readonly into: readonly Word[];
}

/** Characters of scripts of several commands, which names of files do not have. */
const SEVERAL = /[;{}\\\n]/;

/**
 * The uses of a file of `sed -i SCRIPT FILE` as a script, which it is on macOS: there SCRIPT is the end of a name. A name of a file
 * that is no script does nothing.
 */
function scriptOfMacos(
  words: readonly Word[],
  { at, table: { language } }: Pick<Operand, "at" | "table">,
): readonly ProgramUse[] {
  if (!/^-[A-Za-z]*i$/.test(words[at - 2]?.shape ?? "")) return [];
  const value = words[at]!;
  if (!isFixed(value.shape)) return [];
  const uses = scriptUses(value, { language, text: value.raw, last: at, isLast: false });
  const isName = !SEVERAL.test(value.shape);
  return uses.filter(({ kind }) => kind !== "unknown" || !isName);
}

const NONE: readonly ProgramUse[] = [];

/** The uses of an operand. */
export function operandUses(words: readonly Word[], operand: Operand): readonly ProgramUse[] {
  const { at, kind, table } = operand;
  const value = words[at]!;
  switch (kind) {
    case "any":
      return NONE;
    case "read":
    case "output":
      return fileUses(kind, { value, operand });
    case "write": {
      const files = fileUses(kind, { value, operand });
      return table.language === "sed" ? [...files, ...scriptOfMacos(words, { at, table })] : files;
    }
    case "move":
      return [...fileUses("read", { value, operand }), ...fileUses("write", { value, operand })];
    case "restored": {
      // A word that the line does not fix is a branch, but for one behind `--`.
      const isPath = words.slice(0, at).some(({ shape }) => shape === "--");
      return isPath || isFixed(value.shape) ? fileUses("write", { value, operand }) : NONE;
    }
    case "code":
      return [unknownUse(words, { last: at, why: RUNS_OR_CHANGES })];
    case "script": {
      const isLast = at === words.length - 1;
      return scriptUses(value, { language: table.language, text: value.raw, last: at, isLast });
    }
    case "remote":
      return remoteUses(words, at);
    case "folder":
      return [{ kind: "read", isListed: true, text: value.raw, value, lastWord: at }];
    case "url":
    case "name":
      return [{ kind, text: value.raw, value, lastWord: at }];
    case "run":
    case "list":
    case "field":
      return rareUses(value, { ...operand, kind });
  }
}

/** The uses of an operand that few programs have. */
function rareUses(
  value: Word,
  { at, kind, table }: Operand & { readonly kind: "run" | "list" | "field" },
): readonly ProgramUse[] {
  const about = { text: value.raw, value, lastWord: at };
  switch (kind) {
    case "run": {
      const text = table.assigns ? value.shape.slice(value.shape.indexOf("=") + 1) : value.shape;
      return [{ kind, ...about, value: { ...value, text, shape: text } }];
    }
    case "list": {
      const name = value.shape.replace(/^@/, "");
      return [name, HOLE].map((shape) => ({
        kind: "read",
        ...about,
        value: { ...value, text: shape, shape },
      }));
    }
    case "field": {
      const files = sentFiles(value);
      if (files.length > 0) return files.map((each) => ({ ...about, kind: "read", value: each }));
      return isField(value.shape) ? NONE : [{ kind: "url", ...about }];
    }
  }
}

/** The uses of a word that names a file; "-" is a stream. */
function fileUses(
  kind: "read" | "write" | "output",
  { value, operand: { at, table, into } }: { readonly value: Word; readonly operand: Operand },
): readonly ProgramUse[] {
  if (value.shape === "-") return NONE;
  const use: ProgramUse = { kind, text: value.raw, value, lastWord: at };
  return !table.tails && !table.pathspecs && !table.sweeps && into.length === 0
    ? [use]
    : filesOf(use, { table, into });
}

/** True for a field, a header or a parameter of a request, as opposed to its URL. */
function isField(shape: string): boolean {
  return !SCHEME.test(shape) && /=|^[\w-]+:(?![\d/])/.test(shape);
}

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;

/** A remote of git: the hooks of a repository in a folder run there. */
function remoteUses(words: readonly Word[], at: number): readonly ProgramUse[] {
  const value = words[at]!;
  const { shape } = value;
  const isUrl = /^file:/i.test(shape);
  // A colon before the first slash is a host: `host:path`, `user@host:path`.
  if (!isUrl && !/^(?!\.\/?$)[^:]*\//.test(shape)) return [];
  const why = "it runs programs that the repository in that folder names";
  const unknown = unknownUse(words, { last: at, why });
  return isUrl ? [{ kind: "url", text: value.raw, value, lastWord: at }, unknown] : [unknown];
}

/** A name that only a folder has. */
const FOLDER = /^$|(?:^|\/)\.{0,2}$/;

function filesOf(
  use: ProgramUse,
  { table: { tails, pathspecs, sweeps }, into }: Pick<Operand, "table" | "into">,
): readonly ProgramUse[] {
  const file = into.length > 0 ? { ...use, from: into } : use;
  const named: readonly ProgramUse[] = pathspecs
    ? gitFiles(use.value).map((each) => ({ ...file, ...each }))
    : tails
    ? withPrefixedFiles(file, RUNS_OR_CHANGES)
    : [file];
  if (!pathspecs && !sweeps || use.kind !== "write") return named;
  // A folder of a work tree that is written stands for the files below it.
  const below = named.filter(({ kind, value: { shape } }) =>
    kind === "write" && FOLDER.test(shape)
  );
  return [...named, ...below.map((each) => ({ ...each, kind: "fill" as const }))];
}

/** The kinds of operands whose uses are files. */
export const NAMES_FILES: ReadonlySet<OperandKind> = new Set(["read", "write", "move", "restored"]);
