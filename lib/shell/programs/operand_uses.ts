import { isFixed, type Word } from "../parse/tree.ts";
import { gitFiles } from "./file_patterns.ts";
import { RUNS_OR_CHANGES } from "./option_uses.ts";
import type { OperandKind, ProgramTable } from "./program.ts";
import { type ProgramUse, unknownUse, withPrefixedFiles } from "./program_use.ts";
import { scriptUses } from "./script_uses.ts";

/** One operand of a command. */
export interface Operand {
  /** The index of its word. */
  readonly at: number;
  readonly kind: OperandKind;
  readonly table: ProgramTable;
  /** The folders that options name for operands. */
  readonly into: readonly Word[];
}

/** The uses of an operand. */
export function operandUses(
  words: readonly Word[],
  { at, kind, table, into }: Operand,
): readonly ProgramUse[] {
  const value = words[at]!;
  const about = { text: value.raw, value, lastWord: at };
  const file = (access: "read" | "write" | "output") =>
    value.shape === "-" ? [] : filesOf({ kind: access, ...about }, { table, into });
  switch (kind) {
    case "any":
      return [];
    case "code":
      return [unknownUse(words, { last: at, why: RUNS_OR_CHANGES })];
    case "script": {
      const isLast = at === words.length - 1;
      return scriptUses(value, { language: table.language, text: value.raw, last: at, isLast });
    }
    case "read":
    case "write":
    case "output":
      return file(kind);
    case "move":
      return [...file("read"), ...file("write")];
    case "restored": {
      // A word that the line does not fix is a branch, but for one behind `--`.
      const isPath = words.slice(0, at).some(({ shape }) => shape === "--");
      return isPath || isFixed(value.shape) ? file("write") : [];
    }
    case "run": {
      const text = table.assigns ? value.shape.slice(value.shape.indexOf("=") + 1) : value.shape;
      return [{ kind, ...about, value: { ...value, text, shape: text } }];
    }
    case "folder":
      return [{ kind: "read", isListed: true, ...about }];
    case "remote":
      return remoteUses(words, at);
    case "url":
    case "name":
      return [{ kind, ...about }];
  }
}

/** A remote of git: the hooks of a repository in a folder run there. */
function remoteUses(words: readonly Word[], at: number): readonly ProgramUse[] {
  const value = words[at]!;
  const { shape } = value;
  const isUrl = /^file:/i.test(shape);
  // A colon before the first slash is a host: `host:path`, `user@host:path`.
  if (!isUrl && !/^(?!\.\/?$)[^:]*\//.test(shape)) return [];
  const why = "it runs what the repository in that folder names";
  const unknown = unknownUse(words, { last: at, why });
  return isUrl ? [{ kind: "url", text: value.raw, value, lastWord: at }, unknown] : [unknown];
}

function filesOf(
  use: ProgramUse,
  { table: { tails, pathspecs }, into }: Pick<Operand, "table" | "into">,
): readonly ProgramUse[] {
  const file = into.length > 0 ? { ...use, from: into } : use;
  if (pathspecs) return gitFiles(use.value).map((named) => ({ ...file, ...named }));
  return tails ? withPrefixedFiles(file, RUNS_OR_CHANGES) : [file];
}
