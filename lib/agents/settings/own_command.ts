import type { AgentName } from "../registry.ts";
import { wordsOf } from "./command_words.ts";
import { isWatchdog } from "./watchdog.ts";

/** True if `hook install` writes this command line for this agent, or an earlier version wrote it. Total. */
export function isOwnCommand(command: string, agent: AgentName): boolean {
  return agentOfOwn(command) === agent;
}

/** The word for the agent in a command line that `hook install` writes; undefined in any other. Total. */
export function agentOfOwn(command: string): string | undefined {
  const { words, rest } = wordsOf(command);
  const isMarked = rest === "|| exit 2 # caliban";
  if (!isMarked && !isEnd(rest)) return undefined;
  const program = isMarked ? words : programIn(words);
  if (program === undefined) return undefined;
  const at = program.indexOf("hook");
  const start = program.slice(0, Math.max(at, 0));
  const isOwn = isStart(start) && (isMarked || program !== words || isNamed(start));
  return at >= 0 && isOwn ? program[at + 1] : undefined;
}

/** True for the end of a line: what happens where the program fails. */
function isEnd(rest: string): boolean {
  if (rest === "|| exit 2") return true;
  if (!rest.startsWith("|| echo ")) return false;
  const { words, rest: more } = wordsOf(rest.slice("|| ".length));
  return words.length === 2 && more === "";
}

/** The words of the program that a watchdog starts; all words where none does, and undefined where it is not ours. */
function programIn(words: readonly string[]): readonly string[] | undefined {
  const [shell, option, script = "", name, denial, inner = "", innerName] = words;
  if (shell !== "/bin/sh") return words;
  if (option !== "-c" || name !== "caliban") return undefined;
  if (isWatchdog(script, "status")) return words.slice(SCRIPT_END);
  const isAnswer = isWatchdog(script, "answer") && isWatchdog(inner, "status") &&
    innerName === "caliban" && denial !== undefined;
  return isAnswer ? words.slice(ANSWER_END) : undefined;
}

/** The words of a watched line before the program: shell, option, script, name, seconds, file and message. */
const SCRIPT_END = 7;

/** Those where the agent goes by what is printed: four, the denial, and from the inner script on. */
const ANSWER_END = 10;

/** True for the words that start caliban: a path, flags of a runtime, and the path of what it runs. */
function isStart([program = "", ...more]: readonly string[]): boolean {
  const last = more.at(-1);
  const flags = last?.startsWith("/") ? more.slice(0, -1) : more;
  return program.startsWith("/") && flags.every((word) => word === "run" || word.startsWith("-"));
}

/** True if the program or what a runtime runs is named after caliban. */
function isNamed(start: readonly string[]): boolean {
  const [program = ""] = start;
  const entry = start.at(-1) ?? "";
  if (start.length === 1) return /(?:^|\/)caliban[^/]*$/.test(program);
  return /\/(?:deno|bun|node)[^/]*$/.test(program) && entry.startsWith("/") &&
    entry.includes("caliban");
}
