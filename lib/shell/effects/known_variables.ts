import { isFixed, type Word } from "../parse/tree.ts";
import { variablesIn } from "../parse/variables_in.ts";

/** Variables of every environment that hold no secret; digits and signs are parameters of the line. */
const ORDINARY: ReadonlySet<string> = new Set([
  ...["HOME", "PWD", "OLDPWD", "USER", "LOGNAME", "HOSTNAME", "SHELL", "TERM", "TMPDIR", "PATH"],
  ...["UID", "EUID", "PPID", "BASHPID", "RANDOM", "SRANDOM", "SECONDS", "LINENO", "IFS", "COLUMNS"],
  ...["LINES", "HOSTTYPE", "MACHTYPE", "OSTYPE", "BASH", "BASH_VERSION", "ZSH_VERSION", "SHLVL"],
  ...["EPOCHSECONDS", "EPOCHREALTIME", "PIPESTATUS", "pipestatus", "OPTIND", "XDG_CONFIG_HOME"],
  ...["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "LANG", "LC_ALL"],
]);

/** The variables of a line whose values come from the line itself, so that printing one shows no secret of the environment. */
export class KnownVariables {
  readonly #own = new Set<string>();

  /** Records that a variable is set to words of the line; to what a command reads or prints without words. */
  set(name: string, words: readonly Word[]): void {
    if (words.every((word) => this.areKnown(word))) this.#own.add(name);
    else this.#own.delete(name);
  }

  /** True if a word expands only such variables, and ordinary ones. */
  areKnown({ raw, shape }: Word): boolean {
    if (isFixed(shape)) return true;
    return variablesIn(raw).every((name) =>
      !/^[A-Za-z_]/.test(name) || ORDINARY.has(name) || this.#own.has(name)
    );
  }
}
