import type { AllowText } from "../../effect.ts";
import type { Assignment, Simple, Word } from "../../parse/tree.ts";
import type { GlobalOptions } from "../../programs/global_options.ts";
import type { ProgramCatalog } from "../../programs/program_catalog.ts";
import type { CommandReading } from "../../programs/program_use.ts";
import { hasBlank } from "../../scan_command.ts";
import { assignmentKind, headOf } from "./assignment_kind.ts";
import { type Folders, joinPath } from "../folders.ts";

/** The texts of a command that rules match. */
export interface CommandTexts {
  /** As written, followed by the texts of its here-documents. */
  readonly written: string;
  /** Quoting undone, one space between words, without redirections and harmless assignments. */
  readonly resolved: string;
  /** The offset of each word's end in the resolved text. */
  readonly ends: readonly number[];
  /** The texts by which an allow rule for the command allows it. */
  readonly own: readonly AllowText[];
  /** The `maxLiteral` of the resolved text. */
  readonly maxLiteral: number;
  /** Set if they are valid only with these folders in the workspace. */
  readonly folders?: readonly string[];
  /** The texts without the options that an allow rule may overlook. */
  readonly reordered?: Omit<CommandTexts, "reordered">;
}

/** Adds the texts with some options left out and others at the end; one that enters a folder is only known there. */
export function withReordered(
  texts: CommandTexts,
  { words, overlooked, reading }: { words: readonly Word[]; reading: CommandReading } & {
    overlooked: GlobalOptions;
  },
): CommandTexts {
  const { dropped, moved, folder, covered } = overlooked;
  const { ends, own, maxLiteral } = texts;
  const prefix = texts.resolved.slice(0, ends[0]! - words[0]!.shape.length);
  const isMoved = (at: number) => dropped.includes(at) || moved.includes(at);
  const order = [...words.keys()].filter((at) => !isMoved(at)).concat(moved);
  const reordered = joinedWords(prefix, words, order);
  const named = covered === undefined ? 0 : ends[covered]!;
  const strict = own.map((each) => ({
    ...each,
    minLiteral: covered === undefined || each.text === texts.resolved
      ? Math.max(each.minLiteral, named)
      : Infinity,
  }));
  if (covered !== undefined && reading.isInterpreter) {
    strict.push({
      text: texts.resolved,
      minLiteral: Infinity,
      maxLiteral,
      interpreter: texts.resolved.slice(0, ends[0]),
    } as AllowText);
  }
  const inFolder = folder === undefined ? {} : { folders: [folder.shape] };
  const { resolved, maxLiteral: max } = reordered;
  return {
    ...texts,
    own: [...strict, { text: resolved, minLiteral: prefix.length, maxLiteral: max, ...inFolder }],
    reordered: { ...reordered, written: resolved, own: [], ...inFolder },
  };
}

/** The texts of a command that enters a folder, seen from the folder of the call. */
export function textsIn(texts: CommandTexts, { paths, open }: Folders): CommandTexts {
  if (texts.reordered?.folders === undefined) return texts;
  const { own, reordered, ...rest } = texts;
  if (open) return { ...rest, own: own.filter(({ folders }) => folders === undefined) };
  const folders = paths.map((path) => joinPath(path, reordered!.folders![0]!));
  return {
    ...rest,
    own: own.map((each) => each.folders ? { ...each, folders } : each),
    reordered: { ...reordered!, folders },
  };
}

/** Words behind a prefix, all of them or some in an order; a word that is left out has no end. */
function joinedWords(
  prefix: string,
  words: readonly Word[],
  order?: readonly number[],
): Pick<CommandTexts, "resolved" | "ends" | "maxLiteral"> {
  let resolved = prefix;
  let maxLiteral = Infinity;
  const ends: number[] = [];
  const count = order?.length ?? words.length;
  for (let index = 0; index < count; index++) {
    const at = order === undefined ? index : order[index]!;
    const { shape } = words[at]!;
    if (index > 0) resolved += " ";
    if (maxLiteral === Infinity && (shape === "" || hasBlank(shape))) maxLiteral = resolved.length;
    resolved += shape;
    ends[at] = resolved.length;
  }
  return { resolved, ends, maxLiteral };
}

/** The texts of a command that is its words with blanks between them. */
function textsAsWritten({ text, words }: Simple): CommandTexts {
  let end = -1;
  const ends = words.map(({ raw }) => end += raw.length + 1);
  const own = [{ text, minLiteral: 0, maxLiteral: Infinity }];
  return { written: text, resolved: text, ends, own, maxLiteral: Infinity };
}

/** The texts of a command. */
export function commandTexts(node: Simple, catalog: ProgramCatalog): CommandTexts {
  if (node.isAsWritten) return textsAsWritten(node);
  const { words } = node;
  const written = writtenText(node);
  if (node.assignments.length === 0) {
    const { resolved, ends, maxLiteral } = joinedWords("", words);
    const own: AllowText[] = [{ text: resolved, minLiteral: 0, maxLiteral }];
    if (written !== resolved) own.push({ text: written, minLiteral: 0, maxLiteral: Infinity });
    return { written, resolved, ends, own, maxLiteral };
  }
  return assignedTexts(node, { written, catalog });
}

/** The texts of a command with assignments before it. */
function assignedTexts(
  node: Simple,
  { written, catalog }: { readonly written: string; readonly catalog: ProgramCatalog },
): CommandTexts {
  const { words } = node;
  const kinds = node.assignments.map((each) => assignmentKind(each, catalog));
  const kept = node.assignments.filter((_, at) =>
    kinds[at] !== "harmless" && kinds[at] !== "switch"
  );
  const prefix = prefixOf(kept);
  const { resolved, ends, maxLiteral } = joinedWords(prefix, words);
  const own: AllowText[] = [{ text: resolved, minLiteral: prefix.length, maxLiteral }];
  if (kinds.includes("switch")) {
    const all = node.assignments.filter((_, at) => kinds[at] !== "harmless");
    const named = joinedWords(prefixOf(all), words);
    own.push({
      text: named.resolved,
      minLiteral: prefixOf(all).length,
      maxLiteral: named.maxLiteral,
    });
  }
  if (written !== resolved) {
    const minLiteral = endOfAssignments(written, kept);
    own.push({ text: written, minLiteral, maxLiteral: Infinity });
  }
  return { written, resolved, ends, own, maxLiteral };
}

function prefixOf(assignments: readonly Assignment[]): string {
  return assignments.map((each) => `${headOf(each)}${each.value.shape} `).join("");
}

function writtenText({ text, redirects }: Simple): string {
  let written = text;
  for (const { operator, target } of redirects) {
    if (operator === "<<") written += `\n${target?.raw ?? ""}`;
  }
  return written;
}

/** The offset behind the last of some assignments in the written text; Infinity if one is not in it. */
function endOfAssignments(written: string, assignments: readonly Assignment[]): number {
  let end = 0;
  for (const { raw } of assignments) {
    const at = written.indexOf(raw, end);
    if (at < 0) return Infinity;
    end = at + raw.length;
  }
  return end;
}
