/** The harmless programs that random command lines find: they write down their name, and wrappers go on to what they wrap. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAMS } from "./shell_words.ts";

/** Real programs that some of the recorders go on to. */
export interface RealPrograms {
  /** Bash. */
  readonly bash: string;
  /** The system's shell. */
  readonly sh: string;
  /** xargs. */
  readonly xargs: string;
  /** find. */
  readonly find: string;
}

/** Ways into the log of a worker: for programs on the PATH, and for names that bash does not find. */
export function notFound(log: string): string {
  return `() { local IFS=' '; builtin printf 'n%s\\037%s\\0' "$1" "$*" >>'${log}'; return 127; }`;
}

/** The start-up file of zsh: names that it does not find, and no program of its own behind a lone redirection. */
export function zshStart(log: string): string {
  return `command_not_found_handler${notFound(log)}
NULLCMD=: READNULLCMD=: FUNCNEST=6
`;
}

/** Writes the programs into a folder; each adds `n`, its name and a NUL to the log. */
export function writePrograms(folder: string, log: string, real: RealPrograms): void {
  mkdirSync(folder);
  const programs: Record<string, string> = { ...wrappers(real) };
  for (const name of PROGRAMS) programs[name] = `echo a b; exit ${/^p1[5-9]$/.test(name) ? 1 : 0}`;
  for (const [name, text] of Object.entries(programs)) {
    const path = join(folder, name);
    writeFileSync(path, `#!${real.sh}\n${record(log)}\n${text}\n`);
    chmodSync(path, 0o555);
  }
}

/** `bash p1` makes a program a script, which is not how a command starts one: its name has no folder then. */
function record(log: string): string {
  return `case $0 in */*) ( set -- "\${0##*/}" "$@"; printf 'n%s\\037%s\\0' "$1" "$*" >>'${log}' );; esac`;
}

/** The wrappers, which run a command. They drop options that would reach beyond the folder. */
function wrappers({ bash, sh, xargs, find }: RealPrograms): Readonly<Record<string, string>> {
  const env = `set -f; while :; do case $1 in
    -u | -C | -g) shift 2 || exit ;;
    -S | --split-string) text=$2; shift 2; set -- $text "$@" ;;
    -S*) text=\${1#-S}; shift; set -- $text "$@" ;;
    --split-string=*) text=\${1#*=}; shift; set -- $text "$@" ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac; done
  while :; do case $1 in
    PATH=* | HOME=*) shift ;;
    [!a-zA-Z_]*=*) break ;;
    *=*) export "$1" || exit; shift ;;
    *) break ;;
  esac; done; [ $# -gt 0 ] && exec "$@"`;
  const skip = (valued: string, rest = "") =>
    `while :; do case $1 in
    ${valued}) shift 2 || exit ;;
    --) shift; break ;;
    -*) shift ;;
    *) break ;;
  esac; done; ${rest}[ $# -gt 0 ] && exec "$@"`;
  return {
    bash: `exec ${bash} "$@"`,
    sh: `exec ${sh} "$@"`,
    xargs: `exec ${xargs} "$@"`,
    find: `exec ${find} "$@"`,
    env,
    sudo: env,
    timeout: skip("-k | -s", "shift; "),
    // `nice -5n` is an error.
    nice: skip("-[0-9]*[!0-9]*) exit ;;\n    -n"),
    nohup: skip("-x"),
    time: skip("-f | -o"),
    stdbuf: skip("-i | -o | -e"),
  };
}

/** Makes the folder anew in which lines run: some programs, and files that hold a script. */
export function writeScratch(folder: string, programs: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  chmodSync(folder, 0o777);
  symlinkSync(programs, join(folder, "d"));
  for (const name of PROGRAMS.slice(0, 6)) symlinkSync(join(programs, name), join(folder, name));
  for (const name of ["f0", "f1", "f2", "f3", "f4"]) {
    writeFileSync(join(folder, name), "p3\n");
    chmodSync(join(folder, name), 0o666);
  }
}
