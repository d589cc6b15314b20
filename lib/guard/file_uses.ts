import { isFixed } from "../shell/parse_word.ts";
import { baseName } from "../shell/programs.ts";
import type { Unit } from "../shell/unit.ts";
import { fetchedName } from "./fetched_name.ts";

/** One file or folder that a command line writes, moves, removes or links to. */
export interface FileUse {
  /** What of the line says so. */
  readonly unit: Unit;
  /** Its path or glob, from the folder of the call; what the line does not fix is as written. */
  readonly text: string;
  /** What kind of text that is. */
  readonly path: "fixed" | "glob" | "open";
  /** What happens to it, for people. */
  readonly does: "writes" | "may write" | "removes" | "moves" | "links to";
  /** For what may come to stand in a folder: the folder. */
  readonly within?: string;
}

const REMOVES = /^(?:g?rm|rmdir|unlink|shred|srm|trash)$/;
const MOVES = /^g?mv$/;
/** Programs that put their other operands into the last one, where that is a folder. */
const FILLS = /^(?:g?mv|g?cp|g?install|g?ln|link|rsync|scp)$/;
const LINKS = /^(?:g?ln|link)$/;

/** Everything that the units of a line do to files besides reading them, in their order. */
export function fileUses(units: readonly Unit[]): readonly FileUse[] {
  const uses: FileUse[] = [];
  /** The command that stands last at each depth: what it does stands one deeper, behind it. */
  const commands: Unit[] = [];
  const operands = new Map<Unit, Unit[]>();
  /** Commands of which something cannot be known, as `zip -m` and `awk -i inplace`: they may write what they read. */
  const odd = new Set<Unit>();
  const reads: { readonly unit: Unit; readonly owner: Unit }[] = [];
  for (const unit of units) {
    if (unit.kind === "command") commands[unit.depth] = unit;
    const owner = commands[unit.kind === "opaque" ? unit.depth : unit.depth - 1];
    const isOperand = unit.judged === "guarded" && owner !== undefined;
    if (isOperand && FILLS.test(programOf(owner))) {
      const known = operands.get(owner);
      if (known) known.push(unit);
      else operands.set(owner, [unit]);
    } else uses.push(...usesOf(unit, owner));
    if (isOperand && unit.kind === "read") reads.push({ unit, owner });
    if (unit.kind === "opaque" && !unit.quiet && !unit.opens && owner) odd.add(owner);
  }
  for (const { unit, owner } of reads) {
    if (odd.has(owner) || unpacks(owner)) uses.push(useOf(unit, "may write"));
  }
  for (const [owner, files] of operands) uses.push(...fillingUses(owner, files));
  return uses;
}

/** Whether the operands of tar are files that it takes out of an archive, and so writes. */
function unpacks(owner: Unit): boolean {
  if (!/^(?:g|bsd)?tar$/.test(programOf(owner))) return false;
  return owner.text.split(/\s+/).some((word, at) =>
    /^-[A-Za-z]*x|^--(?:extract|get)$/.test(word) || at === 1 && /^[A-Za-z]*x/.test(word)
  );
}

/** The words of `git checkout -- f` and `git clean f` that may be paths, but for folders that hold the repository. */
function restoredUses(unit: Unit): readonly FileUse[] {
  const text = unit.wide.find((each) => /^git (?:checkout|clean) /.test(each.text))?.text ?? "";
  return text.split(" ").slice(2)
    .filter((word) => isFixed(word) && !/^(?:-.*|[./]*)$/.test(word))
    .map((word) => ({ unit, text: word, path: "fixed", does: "may write" }));
}

function programOf({ name }: Unit): string {
  return baseName(name ?? "");
}

function usesOf(unit: Unit, owner: Unit | undefined): readonly FileUse[] {
  switch (unit.kind) {
    case "write": {
      const removes = unit.judged === "guarded" && owner && REMOVES.test(programOf(owner));
      return [useOf(unit, removes ? "removes" : "writes")];
    }
    case "opaque":
      if (unit.opens?.includes("write")) return [useOf(unit, "writes")];
      return owner ? opaqueUses(unit, owner) : [];
    case "url": {
      const name = owner && fetchedName(unit, owner);
      return name === undefined ? [] : [{ unit, text: name, path: "fixed", does: "may write" }];
    }
    case "command":
      return restoredUses(unit);
    case "read":
      return [];
  }
}

function useOf(unit: Unit, does: FileUse["does"]): FileUse {
  const { path = "open" } = unit;
  if (path !== "open") return { unit, text: unit.text, path, does };
  const text = unit.text.replace(/^(?:\d+|\{\w+\})?[<>&|]+\s*/, "");
  const known = homePath(text) ?? herePath(text);
  if (known !== undefined) return { unit, text: known, path: "fixed", does };
  // Bash looks for the one file that a redirection's wildcards name.
  return { unit, text, path: GLOB.test(text) ? "glob" : "open", does };
}

const GLOB = /^[\w./@%+:,-]*[*?[][\w./@%+:,*?[\]!^-]*$/;

/**
 * The path of a text that begins with the home folder's variable, which is known all the same, or with that of a user, who
 * may be this one; undefined for any other.
 */
function homePath(text: string): string | undefined {
  const bare = text.replace(/["']/g, "");
  const [start, rest] = /^(?:\$HOME|\$\{HOME\}|~[\w.-]+)((?:\/[\w./@%+:,-]*)?)$/.exec(bare) ?? [];
  return start === undefined ? undefined : `~${rest}`;
}

/** The path of a text that begins with the folder that the line runs in; a `cd` before it is left out of account. */
function herePath(text: string): string | undefined {
  const bare = text.replace(/["']/g, "");
  const here = /^(?:\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`|~\+)((?:\/[\w./@%+:,-]*)?)$/;
  const rest = here.exec(bare)?.[1];
  return rest === undefined ? undefined : `.${rest}`;
}

/** `dd of=f` and `find f -delete`, whose use of files only their words say. */
function opaqueUses(unit: Unit, owner: Unit): readonly FileUse[] {
  const program = programOf(owner);
  const output = program === "dd" ? / of=(.*)$/s.exec(unit.text)?.[1] : undefined;
  if (output !== undefined) {
    const plain = /^[\w./~@%+:,-]+$/.test(output);
    return [{ unit, text: output, path: plain ? "fixed" : "open", does: "writes" }];
  }
  if (!/^g?find$/.test(program) || !/ -delete$/.test(unit.text)) return [];
  const words = owner.covers[0]?.text.split(" ") ?? [];
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  return words.slice(1, end < 0 ? words.length : end).map((text) => ({
    unit,
    text,
    path: isFixed(text) ? "fixed" : "open",
    does: "writes",
  }));
}

/** What `mv`, `cp`, `install` and `ln` do: the last operand, or that of `-t`, is where the others go. */
function fillingUses(owner: Unit, files: readonly Unit[]): readonly FileUse[] {
  const program = programOf(owner);
  const named = files.filter(({ via }) => / (?:-t|--target-directory) /.test(via ?? ""));
  const last = files.at(-1)!;
  const targets = named.length > 0 ? named : files.filter(({ via }) => via === last.via);
  const others = files.filter((file) => !targets.includes(file));
  const does = MOVES.test(program)
    ? "moves"
    : LINKS.test(program) && !/ (?:-[A-Za-z]*s|--sym)/.test(owner.text)
    ? "links to"
    : undefined;
  return [
    ...others.flatMap((file) =>
      does ? [useOf(file, does)] : file.kind === "write" ? [useOf(file, "writes")] : []
    ),
    ...targets.flatMap((target) => [
      useOf(target, "writes"),
      ...others.flatMap((other) => filledUse(target, other) ?? []),
    ]),
  ];
}

/** The file that an operand becomes where the target is a folder. */
function filledUse(target: Unit, other: Unit): FileUse | undefined {
  const name = other.path === "open" ? undefined : /[^/]+(?=\/*$)/.exec(other.text)?.[0];
  if (name === undefined || target.path !== "fixed" || /^\.{1,2}$/.test(name)) return undefined;
  const folder = target.text.replace(/\/+$/, "");
  const about = { unit: target, does: "may write", within: target.text } as const;
  if (other.path === "glob") {
    return { ...about, text: `${escaped(folder)}/${name}`, path: "glob" };
  }
  return { ...about, text: `${folder}/${name}`, path: "fixed" };
}

function escaped(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}
