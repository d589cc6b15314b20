import { shellQuoted } from "../../text/quote.ts";
import { visible } from "../../text/visible.ts";

/**
 * The status of a watched program that has answered, in place of 0: a file that was emptied or replaced ends with 0 too, and an
 * agent would take its silence for an answer.
 */
export const ANSWERED = 42;

/**
 * The script around a hook's program, for any POSIX shell; `SCRIPT NAME SECONDS FILE MESSAGE PROGRAM WORD…`. It hands the
 * program's answer on where that ends with `ANSWERED` or 2. Else it prints the message as an error and ends with 2: the file is
 * gone, the program does not start, is stopped, hangs or ends in another way, or the agent ends the script.
 * INVARIANT: no loop, no file of its own and no program but `sleep`, so that nothing that hangs holds it up; a program that not
 * even SIGKILL ends is not waited for.
 */
const SCRIPT = [
  "trap : HUP INT TERM; t=$1 f=$2 m=$3; shift 3; exec 3<&0;",
  '{ export NO_COLOR=1; [ -r "$f" ] && exec "$@" <&3 3<&-; exit 1; } & c=$!;',
  // It is ended by a signal that this script does not trap, which ends it also between its fork and its own trap.
  "{ trap 'kill -9 $!; exit' USR1; sleep \"$t\" & wait $!; kill -9 $c; kill $$; } >/dev/null 2>&1 3<&- & w=$!;",
  `{ wait $c; r=$?; kill -USR1 $w; case $r in ${ANSWERED}) exit 0;; 2) exit 2; esac; kill -9 $c; } 2>/dev/null;`,
  '[ -z "$m" ] || echo "$m" >&2; exit 2',
].join(" ");

/**
 * The script for an agent that goes by what is printed alone; `ANSWERING NAME DENIAL SCRIPT NAME SECONDS …`. It prints the
 * program's answer once that has ended well, and else the denial, never a part of both.
 */
const ANSWERING = 'd=$1; shift; o=$(/bin/sh -c "$@") || o=$d; [ -z "$o" ] || printf "%s\\n" "$o"';

/** The end of the script in an earlier version. */
const EARLIER = SCRIPT.replace(`${ANSWERED}) exit 0;; 2) exit 2; esac`, "0|2) exit $r; esac");

/** True for a script of a watchdog that some version of caliban wrote, as the shell reads it. */
export function isWatchdog(script: string, by: "status" | "answer"): boolean {
  const known = by === "status" ? [SCRIPT, EARLIER] : [ANSWERING];
  return known.some((each) => script === each || `'${script}'` === evaluated(each));
}

/** The share of an agent's time after which the watchdog stops the call; caliban itself gives up after half of it. */
const WATCHED = 5 / 6;

/** A program to watch. */
export interface Watched {
  /** The words of its command line. */
  readonly words: readonly string[];
  /** A file without which it cannot start. */
  readonly file: string;
  /** The time that the agent waits, in ms. */
  readonly waitMs: number;
}

/** A command line with the watchdog for an agent that goes by status 2; it prints the message where there is no answer. */
export function watchedByStatus(program: Watched, message: string): string {
  return `/bin/sh -c ${evaluated(SCRIPT)} ${line(guard(program, message))} || exit 2`;
}

/** A command line with the watchdog for an agent that goes by what is printed; it prints the denial where there is no answer. */
export function watchedByAnswer(program: Watched, denial: string): string {
  const inner = `${evaluated(SCRIPT)} ${line(guard(program, ""))}`;
  return `/bin/sh -c ${evaluated(ANSWERING)} caliban ${word(denial)} ${inner} || echo ${
    word(denial)
  }`;
}

/** The seconds after which the watchdog of an agent that waits so many ms stops the call. */
function watchedSeconds(waitMs: number): number {
  return Math.max(1, Math.floor(waitMs * WATCHED / 1000));
}

function guard({ words, file, waitMs }: Watched, message: string): readonly string[] {
  return ["caliban", String(watchedSeconds(waitMs)), file, message, ...words];
}

/**
 * A script as one word for `sh -c`. INVARIANT: it has no dollar sign, for Grok Build and others replace `$NAME` in a command
 * before a shell reads it, and go on with the call where there is no such variable.
 */
function evaluated(script: string): string {
  return `'set -f; eval \`printf "${octal(script, /[$"'`\\%]/g)}"\`'`;
}

function line(words: readonly string[]): string {
  return words.map(word).join(" ");
}

/** A word without a dollar sign that an agent would replace. */
function word(text: string): string {
  if (!text.includes("$") && visible(text) === text) return shellQuoted(text);
  return `"\`printf '${octal(text, /[^\w@+=:,./ -]/g)}'\`"`;
}

/** A text as the format of `printf`, with the bytes of some characters as octal numbers. */
function octal(text: string, characters: RegExp): string {
  const bytes = (found: string) =>
    [...new TextEncoder().encode(found)]
      .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
  const escaped = text.replaceAll(new RegExp(characters.source, "gu"), bytes);
  return escaped.startsWith("-") ? `\\055${escaped.slice(1)}` : escaped;
}
