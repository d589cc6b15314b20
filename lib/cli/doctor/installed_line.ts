import type { HookProtocol } from "../../agents/hook/hook_protocol.ts";
import type { AgentName } from "../../agents/registry.ts";
import { firstWord, wordsOf } from "../../agents/settings/command_words.ts";
import { agentCommand } from "../write/agent_settings.ts";

/** A command line in settings, as far as it is one that `hook install` writes or wrote. */
export interface InstalledLine {
  /** True if it has today's watchdog around it. */
  readonly isWatched: boolean;
  /** The program that it starts, an absolute path; absent where it cannot be told. */
  readonly program?: string;
  /** The file without which caliban cannot start; absent where it cannot be told. */
  readonly file?: string;
  /** The words behind the agent's name: flags of a person, and our own. */
  readonly flags: readonly string[];
}

const FILE = "/caliban-file";
const PROGRAM = "/caliban-program";

/** Takes a command line apart. Total. */
export function readLine(
  command: string,
  { agent, hook }: { readonly agent: AgentName; readonly hook: HookProtocol },
): InstalledLine {
  const today = agentCommand(agent, { words: [PROGRAM], file: FILE, hook });
  const [start = "", rest = ""] = today.split(FILE);
  const [between = "", end = ""] = rest.split(PROGRAM);
  const tail = end.slice(end.lastIndexOf(" || "));
  const isWatched = command.startsWith(start) && command.endsWith(tail);
  if (!isWatched) return { isWatched, ...olderLine(command, agent) };
  const file = firstWord(command.slice(start.length));
  if (file === undefined || !file.rest.startsWith(between)) return { isWatched: false, flags: [] };
  const inner = file.rest.slice(between.length, -tail.length);
  const program = firstWord(inner)?.word;
  return {
    isWatched,
    file: file.word,
    ...(program !== undefined && { program }),
    flags: flagsIn(inner, agent),
  };
}

/** A line of a caliban without a watchdog: the program, its words and `|| exit 2`, or `|| echo` with a denial. */
function olderLine(command: string, agent: AgentName): Omit<InstalledLine, "isWatched"> {
  const [inner = ""] = command.split(/ \|\| (?:exit 2|echo )/);
  const words = wordsOf(inner).words;
  const [program] = words;
  const file = words[words.indexOf("hook") - 1];
  const isPath = (word: string | undefined) => word?.startsWith("/") === true;
  return {
    ...(program !== undefined && isPath(program) && program !== "/bin/sh" && { program }),
    ...(file !== undefined && isPath(file) && { file }),
    flags: flagsIn(inner, agent),
  };
}

function flagsIn(inner: string, agent: AgentName): readonly string[] {
  const words = wordsOf(inner).words;
  const at = words.findIndex((word, index) => word === "hook" && words[index + 1] === agent);
  return at === -1 ? [] : words.slice(at + 2);
}
