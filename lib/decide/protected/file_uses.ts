import { isFixed } from "../../shell/parse/tree.ts";
import { baseName } from "../../shell/programs/program_catalog.ts";
import type { CommandLine, DenyText, Effect } from "../../shell/effect.ts";
import { mayChangeRules } from "./rule_changes.ts";

/** One file or folder that a command line writes, moves, removes or links to. */
export interface FileUse {
  /** The effect that it was derived from. */
  readonly unit: Effect;
  /** Its path or glob, from the folder of the call; what the line does not fix is as written. */
  readonly text: string;
  /** `open` if the line does not fix the path, `glob` for a file name glob. */
  readonly path: "fixed" | "glob" | "open";
  /** The effect, for people. */
  readonly does: "writes" | "may write" | "removes" | "moves" | "changes" | "links to";
  /** For what may come to stand in a folder: the folder. */
  readonly within?: string;
}

const REMOVES = /^(?:g?rm|rmdir|unlink|shred|srm|trash)$/;
/** Programs that change who may use files. */
const CHANGES = /^g?(?:chmod|chown|chgrp)$/;
const RECURSIVE = / (?:-[A-Za-z]*R[A-Za-z]*|--recursive)(?: |$)/;
const MOVES = /^g?mv$/;
/** Programs that put their other operands into the last one, where that is a folder. */
const FILLS = /^(?:g?mv|g?cp|g?install|g?ln|link|rsync|scp)$/;
const LINKS = /^(?:g?ln|link)$/;

/** Everything that the units of a line do to files besides reading them, in their order. */
export function fileUses(effects: readonly Effect[]): readonly FileUse[] {
  const uses: FileUse[] = [];
  /** The command that stands last at each depth: what it does stands one deeper, behind it. */
  const commands: Effect[] = [];
  let operands: Map<Effect, Effect[]> | undefined;
  /** Commands with an unknown part, as `zip -m` and `awk -i inplace`: they may write what they read. */
  let withUnknown: Set<Effect> | undefined;
  const reads: { readonly unit: Effect; readonly owner: Effect }[] = [];
  for (const effect of effects) {
    const { kind, depth } = effect;
    if (kind === "command") commands[depth] = effect;
    const owner = commands[kind === "opaque" ? depth : depth - 1];
    const isOperand = effect.checkedAgainst === "userDenies" && owner !== undefined;
    if (isOperand && FILLS.test(programOf(owner))) {
      const known = operands?.get(owner);
      if (known) known.push(effect);
      else (operands ??= new Map()).set(owner, [effect]);
    } else if (kind !== "read" && kind !== "url") {
      const found = usesOf(effect, owner);
      if (found.length > 0) uses.push(...found);
    }
    if (isOperand && kind === "read") reads.push({ unit: effect, owner });
    if (kind === "opaque" && !effect.isOrdinaryScript && !effect.unknownFileAccess && owner) {
      (withUnknown ??= new Set()).add(owner);
    }
  }
  for (const { unit, owner } of reads) {
    if (withUnknown?.has(owner) || unpacks(owner)) uses.push(useOf(unit, "may write"));
  }
  if (operands === undefined) return uses;
  for (const [owner, files] of operands) uses.push(...fillingUses(owner, files));
  return uses;
}

const TAR: ReadonlySet<string> = new Set(["tar", "gtar", "bsdtar"]);

/** True if tar extracts, and so writes its operands. */
function unpacks(owner: Effect): boolean {
  if (!TAR.has(programOf(owner))) return false;
  return owner.text.split(/\s+/).some((word, at) =>
    /^-[A-Za-z]*x|^--(?:extract|get)$/.test(word) || at === 1 && /^[A-Za-z]*x/.test(word)
  );
}

/** The words of `git checkout -- f` and `git clean f` that may be paths, but for folders that hold the repository. */
function restoredUses(effect: Effect): readonly FileUse[] {
  const text = effect.denyTexts.find(isRestoring)?.text;
  if (text === undefined) return NO_USES;
  return text.split(" ").slice(2)
    .filter((word) => isFixed(word) && !/^(?:-.*|[./]*|HEAD)$/.test(word))
    .map((word) => ({ unit: effect, text: word, path: "fixed", does: "may write" }));
}

function isRestoring({ text }: DenyText): boolean {
  return text.startsWith("git checkout ") || text.startsWith("git clean ");
}

const NO_USES: readonly FileUse[] = [];

function programOf({ name }: Effect): string {
  return baseName(name ?? "");
}

function usesOf(effect: Effect, owner: Effect | undefined): readonly FileUse[] {
  switch (effect.kind) {
    case "write": {
      if (effect.checkedAgainst !== "userDenies" || !owner) return [useOf(effect, "writes")];
      const program = programOf(owner);
      const isWide = CHANGES.test(program) && RECURSIVE.test(owner.text);
      return [useOf(effect, REMOVES.test(program) ? "removes" : isWide ? "changes" : "writes")];
    }
    case "opaque":
      if (effect.unknownFileAccess?.includes("write")) return [useOf(effect, "writes")];
      return owner ? unknownUses(effect, owner) : NO_USES;
    case "command":
      return restoredUses(effect);
    case "read":
    case "url":
      return NO_USES;
  }
}

function useOf(effect: Effect, does: FileUse["does"]): FileUse {
  const { path = "open" } = effect;
  if (path === "below") {
    const text = effect.text === "."
      ? SOME_NAME
      : `${effect.text.replace(/\/+$/, "")}/${SOME_NAME}`;
    return { unit: effect, text, path: "fixed", does: "may write" };
  }
  if (path !== "open") return { unit: effect, text: effect.text, path, does };
  const text = effect.text.replace(/^(?:\d+|\{\w+\})?[<>&|]+\s*/, "");
  const known = homePath(text) ?? herePath(text);
  if (known !== undefined) return { unit: effect, text: known, path: "fixed", does };
  // Bash looks for the one file that a redirection's wildcards name.
  return { unit: effect, text, path: GLOB.test(text) ? "glob" : "open", does };
}

/** A name that no protected file has, for one that the line does not hold. */
const SOME_NAME = "…";

const GLOB = /^~?[\w./@%+:,-]*(?:[*?[]|[@+!]\()[\w./@%+:,*?[\]!^()|-]*$/;

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
function unknownUses(effect: Effect, owner: Effect): readonly FileUse[] {
  const program = programOf(owner);
  const output = program === "dd" ? / of=(.*)$/s.exec(effect.text)?.[1] : undefined;
  if (output !== undefined) {
    const plain = /^[\w./~@%+:,-]+$/.test(output);
    return [{ unit: effect, text: output, path: plain ? "fixed" : "open", does: "writes" }];
  }
  if (!/^g?find$/.test(program) || !/ -delete$/.test(effect.text)) return [];
  const words = owner.allowTexts[0]?.text.split(" ") ?? [];
  const written = owner.text.split(/\s+/);
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  // Without a test, all that it finds goes.
  const does = words.slice(end).every((word) => NO_TEST.test(word)) ? "removes" : "writes";
  const roots = words.slice(1, end < 0 ? words.length : end).map((word, at): FileUse => {
    const home = written.length === words.length ? homePath(written[at + 1]!) : undefined;
    const path = isFixed(word) || home !== undefined ? "fixed" : "open";
    return { unit: effect, text: home ?? word, path, does };
  });
  const folders = roots.length === 0 ? ["."] : roots.map(({ text }) => text.replace(/\/+$/, ""));
  const found = foundFiles(words.slice(end), folders);
  return [...roots, ...found.map((each): FileUse => ({ ...each, unit: effect, does: "removes" }))];
}

/** The files that tests of names choose below some folders. */
function foundFiles(
  words: readonly string[],
  folders: readonly string[],
): readonly Pick<FileUse, "text" | "path">[] {
  return words.flatMap((word, at): readonly Pick<FileUse, "text" | "path">[] => {
    const [, ignoreCase, about] = FILE_TEST.exec(word) ?? [];
    const value = words[at + 1];
    if (about === undefined || value === undefined) return [];
    if (/^(?:!|-not)$/.test(words[at - 1] ?? "")) return [];
    if (!isFixed(value)) return [{ text: SOME_NAME, path: "open" }];
    const glob = ignoreCase === "i" ? value.toLowerCase() : value;
    if (about !== "name") return [{ text: glob, path: "glob" }];
    return folders.flatMap((folder) =>
      ["", "**/"].map((between) =>
        ({ text: `${escaped(folder)}/${between}${glob}`, path: "glob" }) as const
      )
    );
  });
}

/** Tests of `find` whose value names files. */
const FILE_TEST = /^-(i?)(name|path|wholename|samefile)$/;

/** Words of `find` that leave nothing out of what it finds. */
const NO_TEST = /^-(?:delete|depth|d|xdev|mount|print0?)$/;

/** The uses of `mv`, `cp`, `install` and `ln`: the last operand, or that of `-t`, is the target of the others. */
function fillingUses(owner: Effect, files: readonly Effect[]): readonly FileUse[] {
  const program = programOf(owner);
  const named = files.filter(({ via }) => / (?:-t|--target-directory) /.test(via ?? ""));
  const last = files.at(-1)!;
  const targets = named.length > 0 ? named : files.filter(({ via }) => via === last.via);
  const others = files.filter((file) =>
    !targets.includes(file) && !(file.kind === "read" && MOVES.test(program))
  );
  return [
    ...others.flatMap((file) => {
      if (MOVES.test(program)) return [useOf(file, "moves")];
      if (makesLinks(owner)) return linkUses(file, { owner, targets });
      return file.kind === "write" ? [useOf(file, "writes")] : [];
    }),
    ...targets.flatMap((target) => [
      useOf(target, "writes"),
      ...others.flatMap((other) => filledUse(target, other) ?? []),
    ]),
  ];
}

/** True for `ln`, `link`, `cp -l` and `cp -s`. */
function makesLinks(owner: Effect): boolean {
  const program = programOf(owner);
  return LINKS.test(program) || /^g?cp$/.test(program) && LINK_OPTION.test(owner.text);
}

const LINK_OPTION = /\s["']?(?:-[A-Za-z]*[sl]|--(?:l|sy))/;

/** The file that a link leads to: a symbolic one from the folder where it stands, which its name or its folder says. */
function linkUses(
  file: Effect,
  { owner, targets }: { readonly owner: Effect; readonly targets: readonly Effect[] },
): readonly FileUse[] {
  const own = useOf(file, "links to");
  if (own.path === "open" || /^[/~]/.test(own.text)) return [own];
  const folders = targets.map((target) => useOf(target, "writes")).flatMap(({ path, text }) =>
    path === "fixed" ? [text, text.replace(/\/+$/, "").replace(/[^/]+$/, "")] : [""]
  );
  // Behind `cd`, the text is not as written, and with -r it is from the folder of the line.
  const isFromLink = owner.text.split(/\s+/).includes(file.text) && !RELATIVE.test(owner.text);
  const starts = new Set(isFromLink ? folders : ["", ...folders]);
  return [...starts].map((folder) => {
    const start = folder === "" ? "" : folder.replace(/\/*$/, "/");
    return { ...own, text: `${own.path === "glob" ? escaped(start) : start}${own.text}` };
  });
}

const RELATIVE = /\s["']?(?:-[A-Za-z]*r|--r)|^\S*cp\s/;

/** The file that an operand becomes where the target is a folder. */
function filledUse(target: Effect, other: Effect): FileUse | undefined {
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

/** All that the checks of a line need of it alone. */
export interface LineUses {
  /** The effects whose text names caliban. */
  readonly namingCaliban: readonly Effect[];
  /** The effects that may be checked otherwise than for the files that they use. */
  readonly mayConcern: readonly Effect[];
  readonly uses: readonly FileUse[];
}

/** Those of the readings that a policy keeps. */
const knownUses = new WeakMap<CommandLine, LineUses>();

/** The uses of a line; those of a reading that is kept are kept too. */
export function lineUses(line: CommandLine): LineUses {
  let found = line.isKept === undefined ? undefined : knownUses.get(line);
  if (found !== undefined) return found;
  const { text, effects } = line;
  const namesIt = CALIBAN.test(text);
  const namingCaliban = namesIt ? effects.filter((each) => CALIBAN.test(each.text)) : NO_EFFECTS;
  let mayConcern: Effect[] | undefined;
  for (const effect of effects) {
    const isOne = effect.kind === "opaque" ||
      effect.kind === "command" && (namingCaliban.length > 0 || mayChangeRules(effect));
    if (isOne) (mayConcern ??= []).push(effect);
  }
  found = { namingCaliban, mayConcern: mayConcern ?? NO_EFFECTS, uses: fileUses(effects) };
  if (line.isKept !== undefined) knownUses.set(line, found);
  return found;
}

const NO_EFFECTS: readonly Effect[] = [];
const CALIBAN = /caliban/i;
