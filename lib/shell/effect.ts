import type { CommandClass, SourceKind } from "../model/call.ts";
import type { GitTraits } from "./programs/class_conditions.ts";

/** A text by which an allow rule may allow an effect. */
export interface AllowText {
  /** The text, with a HOLE or NAME for each piece that the line does not fix. */
  readonly text: string;
  /** The minimum length of the rule's text before its first wildcard, in UTF-16 code units; Infinity: no wildcards. */
  readonly minLiteral: number;
  /** The maximum of that length: behind it begins a word that is empty or contains blanks. */
  readonly maxLiteral: number;
  /** Set if the rule may name nothing behind its literal text but a final wildcard. */
  readonly namesNoMore?: true;
  /** Set if it is valid only with these folders, seen from that of the call, in the workspace. */
  readonly folders?: readonly string[];
  /** Set if a rule that names just this program is enough, since the program is an interpreter. */
  readonly interpreter?: string;
  /** Set for a redirection: the operator and file that the rule's literal text must contain. */
  readonly redirect?: string;
}

/** A text that deny and ask rules match. */
export interface DenyText {
  /** The text with expansions as written. */
  readonly text: string;
  /** The text with a HOLE or NAME for each expansion. */
  readonly template: string;
}

/** A word behind the name of a program. */
export interface Operand {
  /** Quoting undone; "…" stands for what the line does not fix. */
  readonly text: string;
  /** The offset of its end in the first of the effect's allow texts. */
  readonly end: number;
}

/** The folders in which a program looks for a repository, whose configuration may name programs that it runs. */
export interface RepositoryUse {
  /** Paths from the folder of the call, which is ""; at least one. */
  readonly folders: readonly string[];
  /** True if it may be any other folder too. */
  readonly open: boolean;
  /** True if an earlier command of the line may have made a repository. */
  readonly mayBeMade: boolean;
  /** The remotes that may be folders with a repository. */
  readonly remotes: readonly string[];
  /** Texts by which an allow rule that names the folder may allow it. */
  readonly allowTexts: readonly AllowText[];
}

/** A folder that a command searches with everything below it. */
export interface SearchedFolder {
  /** A path from the folder of the call, or a glob. */
  readonly path: string;
  /** Set if it is a glob, which names what is searched. */
  readonly isGlob?: true;
  /** True if names that begin with a dot are passed over. */
  readonly skipsHidden: boolean;
  /** True if the links below it are followed. */
  readonly followsLinks?: boolean;
  /** Set if only files are read whose names end so; hidden ones too. */
  readonly endings?: readonly string[];
  /** Set if an earlier command of the line may bring files of any name into it. */
  readonly mayBeFilled?: true;
  /** Set if only files of the repository are looked at: those below the path, or `all` of the repository that holds it. */
  readonly inRepository?: "all" | "below";
}

/** The traits about a command by which its classes are decided. Each member is always there, so that all are of one kind to an engine. */
export interface CommandTraits {
  /** At least one. */
  readonly classes: readonly CommandClass[];
  /** Set if a variable among its words adds one: the classes without that. */
  readonly byTable: readonly CommandClass[] | undefined;
  /** Set if they are unknown: why. */
  readonly whyUnknown: string | undefined;
  /** True if its words show no variable that the line does not set. */
  readonly isTold: boolean;
  /** True if a table describes the program, or a list has this command of it. */
  readonly isDescribed: boolean;
  /** Set if its classes are those of the program itself, and not of a manager of versions in its place. */
  readonly isDirect: true | undefined;
  /** True if the name is one of the shell's own commands, so that no file of that name runs. */
  readonly isBuiltin: boolean;
  /** The folders that it may run in, from that of the call. */
  readonly folders: readonly string[];
  /** True if it may run in any other folder too. */
  readonly open: boolean;
  /** For a program that runs code of the workspace: its operands as paths, since some may name a file; absent if one is not fixed. */
  readonly operands: readonly string[] | undefined;
  /** Configuration files, in its folder or one above, that may name a program, a host, a proxy or a credential. */
  readonly config: readonly string[];
  /** True if an earlier command of the line may have made such a file. */
  readonly mayBeConfigured: boolean;
  /** Set if an earlier command of the line may have made a file that chooses the version of a program. */
  readonly mayBeVersioned: true | undefined;
  /** The program that it runs, and a folder, in its own or one above, where it looks for that first. */
  readonly binary: { readonly name: string; readonly folder: string } | undefined;
  /** Set if a look at the machine may show that it downloads nothing: its name. */
  readonly packages: string | undefined;
  /** True if the command around it looks for its program in the workspace first. */
  readonly isOwnBinary: boolean;
  /** Set for a command of git: what its repository decides. */
  readonly git: GitTraits | undefined;
  /** The classes that `[shell.classes]` gives a command of a program without a table, for each program that its name may lead to. */
  readonly own: readonly OwnTraits[] | undefined;
  /** Set for an interpreter or a shell that runs code. */
  readonly isInterpreter: true | undefined;
  /** Set for a program that is named by a path: what that may be, and its classes if all of them are files of the workspace. */
  readonly ownFile: {
    readonly paths: readonly string[];
    readonly classes: readonly CommandClass[];
  } | undefined;
  /** Globs with which its classes are known only where each names one file at most; absent if they cannot be looked up. */
  readonly singles: readonly string[] | undefined;
  /** The files that its words and redirections name to be read; a glob as it is written. */
  readonly reads: readonly { readonly text: string; readonly isGlob: boolean }[];
  /** The folders that it searches whole; absent if one of them is not fixed. */
  readonly searches: readonly SearchedFolder[] | undefined;
  /** Set if it follows redirects of the URLs that it fetches. */
  readonly redirects: true | undefined;
  /** Set if configuration of the home folder steers it: the files there that hold credentials. */
  readonly home: readonly string[] | undefined;
  /** Set if names of its files come from something that the line does not hold: why no rule about a class covers it. */
  readonly whyUnheld: string | undefined;
  /** Programs of the search path that it starts by itself; absent if none. */
  readonly starts: readonly string[] | undefined;
}

/** The classes of a command by `[shell.classes]`. */
export interface OwnTraits {
  readonly classes: readonly CommandClass[];
  /** The path of its program from the workspace, which its name must lead to; absent for a bare name. */
  readonly path?: string;
  /** The lowest of the sources that give them. */
  readonly givenBy: SourceKind;
}

/** A path from the folder of the call that may be a link, with everything below it. */
export interface ChangedPath {
  readonly path: string;
  /** True if all files of the workspace, or of the repository that the path is in, may be links. */
  readonly isTree: boolean;
}

/** Code in a command line. */
export interface InlineCode {
  /** Its folders, its words from the code on, quoting undone, and the here-document; absent if the line does not fix them. */
  readonly text?: string;
}

/** One effect of a line, which rules decide separately. Plain data. */
export interface Effect {
  /** `command`: runs a simple command. `opaque`: unknown. `write`, `read`: accesses a file. `url`: fetches a URL. */
  readonly kind: "command" | "opaque" | "write" | "read" | "url";
  /** The command as written; the URL; the path of a file, from the folder of the call. */
  readonly text: string;
  /** For people: the construct or program that it is reached through; null in the line itself. */
  readonly via: string | null;
  /** The number of such constructs and programs. */
  readonly depth: number;
  /** The program's name, for a command whose name the line fixes. */
  readonly name?: string | undefined;
  /** The words behind the name of a program without a table, which may run them. */
  readonly operands?: readonly Operand[] | undefined;
  /** The traits about a command, made when they are first asked for; absent for a line that is read without them. */
  readonly traits?: (() => CommandTraits) | undefined;
  /** For a file or URL that a command names, or an unknown part of it: the index of the command among the effects of the line. */
  readonly of?: number | undefined;
  /** The values of variables before the command that are not harmless, which it may run. */
  readonly values?: readonly Operand[] | undefined;
  /** The reason why it is unknown, as the end of “cannot be analysed: …”. */
  readonly why?: string | undefined;
  /** Set for a script or alias, which runs code as any program does, so that deny and ask rules do not concern it. */
  readonly isOrdinaryScript?: true | undefined;
  /** Set for a file that a shell of its own runs. */
  readonly isScript?: true | undefined;
  /** Set for code of an interpreter that stands in the command itself, or in a here-document. */
  readonly code?: InlineCode | undefined;
  /** `allRules`: a rule must allow it. `userDenies`: only the deny and ask rules of people count. */
  readonly checkedAgainst: "allRules" | "userDenies";
  /**
   * For files and URLs: `open` if the line does not fix the text; `glob` if the text is a file name glob; `below` for any file
   * below the folder.
   */
  readonly path?: "fixed" | "open" | "glob" | "below" | undefined;
  /** Set for a glob if nothing before it in the line may change what it names, so that its files are those that are there. */
  readonly mayLookUp?: true | undefined;
  /** For a file behind a command that may have put links there: the names that may lead elsewhere. */
  readonly behind?: readonly ChangedPath[] | undefined;
  /** For an unknown file: the access to it; at least one. */
  readonly unknownFileAccess?: readonly ("read" | "write")[] | undefined;
  /** True if it needs no allow rule next to an allowed command; with folders: only if all of them are in the workspace. */
  readonly isHarmless: boolean | { readonly folders: readonly string[] };
  /** True for a folder whose names are listed, and handed to what the line runs on them. */
  readonly isListed?: true | undefined;
  /** Set for the names that a search is bound to, in folders of its own. */
  readonly isBound?: true | undefined;
  /** True if nothing runs: assignments, a test. Such commands need no allow rule, not even alone. */
  readonly runsNothing?: true | undefined;
  /** True for a builtin that only prints words of the line, or ends it: beside one that runs nothing, it needs no rule either. */
  readonly printsWords?: true | undefined;
  /** True if the folder of the call decides what it does, so that even a rule that is the whole line does not name it. */
  readonly dependsOnFolder?: true | undefined;
  /** Set for a command that takes its configuration from a repository. */
  readonly repository?: RepositoryUse | undefined;
  /** Texts by which an allow rule may allow it. */
  readonly allowTexts: readonly AllowText[];
  /** Texts that deny and ask rules match; only of commands and unknown effects. */
  readonly denyTexts: readonly DenyText[];
}

/** An effect that is being put together. */
export type OpenEffect = { -readonly [Key in keyof Effect]: Effect[Key] };

/** A command line and its effects. Plain data. */
export interface CommandLine {
  /** As written. */
  readonly text: string;
  /** The text with quoting undone and single spaces around operators; absent if that changes nothing. */
  readonly spacedText?: string;
  /** The texts without its last redirections, and without any; deny and ask rules are tried on them, allow rules never. */
  readonly bareTexts?: readonly string[];
  /** Its effects in the order of the text; at least one. */
  readonly effects: readonly Effect[];
  /** Globs; if no file that they name has a blank, a quote or a wildcard in its name, the line can be read more exactly. */
  readonly plainNames?: readonly string[];
  /** Set for a reading that a policy keeps, since the line came before. */
  readonly isKept?: true | undefined;
}
