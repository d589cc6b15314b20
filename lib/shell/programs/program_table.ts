import type { CommandClass } from "../../model/call.ts";
import type { ClassIf } from "./class_conditions.ts";
import type { WordShape } from "./classes/word_shapes.ts";

/** The role of an operand or of an option's value. */
export type OperandKind =
  | "any"
  | "read"
  | "folder"
  | "write"
  | "output"
  | "url"
  | "run"
  | "code"
  | "script"
  | "name"
  | "remote"
  | "move"
  | "restored"
  | "field"
  | "list";

/** The language of a script; a filter of jq, a format of printf and a patch of Codex are scripts too. */
export type Language = "sed" | "awk" | "jq" | "yq" | "printf" | "patch";

/** The option lists of a table, by the role of their values; `acts`, `in_place`, `nothing` and those behind `folder` hold flags. */
export const OPTION_LISTS = [
  "value",
  "flags",
  "read",
  "write",
  "archive",
  "output",
  "url",
  "sends",
  "fields",
  "anywhere",
  "run",
  "code",
  "acts",
  "commands",
  "marks",
  "in_place",
  "nothing",
  "prompts",
  "reads",
  "script_options",
  "hosts",
  "globs",
  "into",
  "hidden",
  "listed",
  "relinks",
  "copies",
  "unpacks",
  "fills",
  "saves",
  "sweeps",
  "skips",
  "stays",
  "renames",
  "descends",
] as const;

/** The name of one such list. */
export type OptionList = typeof OPTION_LISTS[number];

/** The lists of options that change files which no word names, or links; and of those that name files beside those of the words. */
export const CHANGES: readonly OptionList[] = [
  "unpacks",
  "sweeps",
  "fills",
  "relinks",
  "saves",
  "copies",
  "hidden",
  "renames",
  "descends",
];

/**
 * The place that names of files come from: the file that is the option's value, the archive, the operand that is read or else
 * standard input, or standard input.
 */
export type NameSource = "value" | "archive" | "operand" | "input";

/** One table of `defaults/shell.toml`, which describes every key: the facts about one program. */
export interface ProgramTable extends Readonly<Partial<Record<OptionList, readonly string[]>>> {
  /** Other names of the same program. */
  readonly also?: readonly string[];
  /** The syntax of options; of `letters`, none is long, and a second dash is a letter too. */
  readonly style?: "getopt" | "words" | "letters";
  /** True if the first operand is a bundle of options without a dash, whose values follow in order (`tar cf x.tar`); `dashed`: with one too. */
  readonly bundle?: true | "dashed";
  /** True if options may follow operands. */
  readonly permute?: boolean;
  /** True if long options may be abbreviated. */
  readonly abbreviate?: boolean;
  /** Values with which an option does nothing, as globs. */
  readonly harmless?: Readonly<Record<string, readonly string[]>>;
  /** Flags that read a file of a fixed name. */
  readonly fixed_files?: Readonly<Record<string, string>>;
  /** True if it sends its standard input, where the line gives it one. */
  readonly sends_input?: boolean;
  /** The roles of the operands, in order; `kind*` repeats. */
  readonly operands?: readonly string[];
  /** Other operands if one of these options is present. */
  readonly operands_with?: readonly OperandsWith[];
  /** The roles of operands by their shape, a glob over the whole word. */
  readonly shapes?: Readonly<Record<string, string>>;
  /** True if files may stand behind a prefix or in a list: `file:x`, `name=x`, `name=@x`, `a,b`. */
  readonly tails?: boolean;
  /** For a file that it writes, by the end of its name: the ends of the others beside it; "" is the end of every name. */
  readonly endings?: Readonly<Record<string, readonly string[]>>;
  /** Other words of the same command, by its first operand; "*": any. */
  readonly means?: Readonly<Record<string, string>>;
  /** The language of `script` operands. */
  readonly language?: Language;
  /** Options before a sub-command, as globs over the option, or option and value: the defaults say what they do. */
  readonly drops?: readonly string[];
  readonly moves?: readonly string[];
  readonly enters?: readonly string[];
  /** The form in which operands are a command. */
  readonly inner?: "argv" | "string" | "shell";
  /** With fewer operands than this, and no option that names its code, it runs its standard input. */
  readonly stdin?: number;
  /** True if it takes commands from its standard input; `files`: where operands name its files. `prompts`: options with which it does. */
  readonly prompt?: boolean | "files";
  /** Binary operators: the word before one is no option (`[ "$x" = y ]`). */
  readonly binary?: readonly string[];
  /** True if a command of one word is a line for a shell. */
  readonly lines?: boolean;
  /** True if subcommands can be abbreviated. */
  readonly prefixes?: boolean;
  /** The end of a word behind which another of its commands stands (`tmux ls \\; run x`). */
  readonly separator?: string;
  /** The number of operands before the command. */
  readonly skip?: number;
  /** True if `NAME=value` before the command sets a variable. */
  readonly assigns?: boolean;
  /** True if it adds arguments of its own to the command: behind `commands` where no placeholder stands, else always. */
  readonly adds?: boolean;
  /** Texts in the command in whose place it writes arguments of its own; `{}` behind `commands` when left out. */
  readonly placeholders?: readonly string[];
  /** Options after which it adds arguments although one of `marks` is there. */
  readonly adds_with?: readonly string[];
  readonly bare?: boolean;
  readonly transparent?: boolean;
  /** True if its command runs on another machine. */
  readonly remote?: boolean;
  /** True if its effect is always unknown: its arguments run later, or in the shell itself. */
  readonly opaque?: boolean;
  readonly trade?: boolean;
  /** Set for an interpreter or a shell: without a class of its own, a command that runs code is of the class `code`, and of these. */
  readonly interpreter?: boolean | readonly CommandClass[];
  /** Options whose value is code of the program's own language; `*`: its first operand is. */
  readonly trade_options?: readonly string[];
  /** True if it needs no allow rule next to an allowed command. */
  readonly companion?: boolean;
  /** True if it changes no names and links in the folders, as all that only read. */
  readonly keeps?: boolean;
  /**
   * True if it runs, prints and changes nothing, so that a line of nothing else needs no rule; `fixed`: where the line fixes its
   * words. `words`: it prints those, or ends the line, and needs no rule beside one that runs nothing.
   */
  readonly idle?: true | "fixed" | "words";
  /** True if its output never begins with "-"; a list: only if it has no options but these. */
  readonly prints_name?: boolean | readonly string[];
  /** True if its output is an integer. */
  readonly prints_integer?: boolean;
  /** True if its files are named as git names them: `HEAD:x`, `:(top)x`, a quoted glob. */
  readonly pathspecs?: boolean;
  /** True if it takes its configuration from the repository of its folder; false for a subcommand that does not. */
  readonly repository?: boolean;
  /** The classes of the command; the lists of a table that has one are complete. */
  readonly class?: CommandClass | readonly CommandClass[];
  /** Classes by the arguments; the first that matches counts instead of `class`. */
  readonly class_if?: readonly ClassIf[];
  /** Its class holds only with one of these options. */
  readonly needs?: readonly string[];
  /** Options with which it runs its command in folders that the line does not name; `*`: always. */
  readonly elsewhere?: readonly string[];
  /** True if an operand may be a file of the repository, which it prints even with an option of `names_only`. */
  readonly blobs?: boolean;
  /** Of a program that prints contents always: options with which it prints names and numbers only. */
  readonly names_only?: readonly string[];
  /** The hooks of git that it may run; `*`: any. */
  readonly hooks?: readonly string[];
  /** The class that is added where an operand is no branch or tag of the repository. */
  readonly revisions?: CommandClass;
  /** True if without an operand it takes the upstream branch. */
  readonly upstream?: boolean;
  /** True if it prints URLs of remotes. */
  readonly shows_remotes?: boolean;
  /** True if it writes the refs that the settings of a remote name. */
  readonly fetches?: boolean;
  /** Options whose values are filters of jq. */
  readonly filters?: readonly string[];
  /** A request of an API: its class is by its method. */
  readonly request?: boolean;
  /** Values of options, and operands (`*`), as globs, with which its classes are unknown; `!glob`: but not with those. */
  readonly doubtful_values?: Readonly<Record<string, readonly string[]>>;
  /** The shape that the value of an option, or each operand (`*`), has: with any other its classes are unknown. */
  readonly shaped?: Readonly<Record<string, WordShape>>;
  /** Options with which its classes are unknown. */
  readonly doubtful?: readonly string[];
  /** Programs that it may start by the search path, which its classes know of. */
  readonly starts?: readonly string[];
  /** The options with which its classes hold, where they do not hold with every one of its lists; `**`: any, also unnamed ones. */
  readonly known?: readonly string[];
  /** Values, as globs, with which an option counts for no class. */
  readonly safe?: Readonly<Record<string, readonly string[]>>;
  /** Globs over words that may name files or hosts in a way of the program, with which its classes are unknown. */
  readonly doubtful_words?: readonly string[];
  /** The class by the first operands; at the end of them `*` stands for any without a slash, `**` for any. */
  readonly verbs?: Readonly<Partial<Record<CommandClass, readonly string[]>>>;
  /** Options with which it follows redirects of what it fetches; `**`: always. */
  readonly redirects?: readonly string[];
  /**
   * Options with which names of files come from something that the line does not hold, by what that is; `*`: with an operand,
   * `**`: always. None of `skips` stands beside them, but for `value`.
   */
  readonly from?: Readonly<Partial<Record<NameSource, readonly string[]>>>;
  /** Set if it shows pages, which only a person can end; a list: but not with one of these options, `-o=v` with that value. */
  readonly interactive?: true | readonly string[];
  /** Set if it reads configuration of the home folder that can name hosts or programs: the files there that hold credentials. */
  readonly home?: true | readonly string[];
  /** Names among `also` to which the classes do not apply. */
  readonly unclassed?: readonly string[];
  /** Flags with which the folders among its operands, or its own folder, are read whole; `*`: always. */
  readonly recursive?: readonly string[];
  /** Options with which what is searched is not bounded by the paths behind `--`. */
  readonly unbounded?: readonly string[];
  /** True if such a search passes over hidden names, but for the flags of `hidden`. */
  readonly skips_hidden?: boolean;
  /** Further options with which it may look at hidden names. */
  readonly unhides?: readonly string[];
  /** True if such a search follows the links below its folders. */
  readonly follows_links?: boolean;
  /** True if it is a command of the shell itself. */
  readonly builtin?: boolean;
  /** Further classes, with the options that add each; `*`: any operand does. */
  readonly classes?: Readonly<Partial<Record<CommandClass, readonly string[]>>>;
  /** Classes that it does not have with one of these options; `-o=v`: with that value. */
  readonly without?: Readonly<Partial<Record<CommandClass, readonly string[]>>>;
  /** The operands that name scripts of the workspace; `none`: all are arguments of one. */
  readonly scripts?: "none" | "first" | "all";
  /** Names of configuration files, from its folder or one above, that may name a program, a host, a proxy or a credential. */
  readonly config?: readonly string[];
  /** True if its classes hold with any words, named in its lists or not. */
  readonly any_words?: boolean;
  /** The words behind `--` that may begin with a dash; with any other its classes are unknown. */
  readonly arguments?: readonly string[];
  /** Another sub-command, whose options and other keys it has too; its own keys come before those. */
  readonly like?: string;
  /** A folder, from its own or one above, in which the program that it runs is looked for first. */
  readonly binaries?: string;
  /** A look that may show that it has all that it needs, and downloads nothing. */
  readonly packages?: "bun" | "go" | "go-toolchain" | "golangci";
  /** Options with which it may download something after any result of the look. */
  readonly online?: readonly string[];
  readonly sub?: Readonly<Record<string, ProgramTable>>;
  /** True if its options hold in its subcommands too. */
  readonly inherits?: boolean;
}

/** The operands of a command that has one of some options. */
export interface OperandsWith {
  readonly options: readonly string[];
  readonly operands: readonly string[];
}
