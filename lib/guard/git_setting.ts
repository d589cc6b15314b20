import type { Unit } from "../shell/unit.ts";

/** Settings that name people and choose how git behaves, and that run nothing; in lower case. */
const HARMLESS = new RegExp(
  "^(?:user\\.(?:name|email)|init\\.defaultbranch|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote)|" +
    "core\\.(?:autocrlf|eol|filemode|ignorecase|longpaths|quotepath|safecrlf)|branch\\..*\\.(?:remote|merge|rebase)|" +
    "(?:advice|color|column|log|rerere)\\..*|merge\\.conflictstyle|diff\\.algorithm|fetch\\.prune)$",
);

/** Options of `git config` whose value is the next word. */
const VALUED = /^(?:-f|--file|--blob|--type|--default|--value|--comment)$/;
const READS = /^(?:--get.*|-l|--list)$/;
const WRITES = /^(?:-e|--(?:a(?:d|$)|rep|un|ren|rem|e).*)$/;
const ACTIONS = /^(?:set|unset|edit|rename-section|remove-section)$/;

/**
 * The setting that a command writes with `git config`, where it may be one that runs programs (`core.pager`, `alias.x`):
 * with it the file that is protected is written without being named. Undefined for any other command.
 */
export function gitSetting({ covers, wide }: Unit): string | undefined {
  for (const text of [...covers.map(({ text }) => text), ...wide.map(({ shape }) => shape)]) {
    const words = /^(?:\S*\/)?git\s+config\s+(.+)$/s.exec(text.trim())?.[1]?.split(/\s+/);
    const key = words && keyWritten(words);
    if (key !== undefined && !HARMLESS.test(key.toLowerCase())) return key;
  }
  return undefined;
}

/** The key that `git config` writes with these words; empty where it is any. */
function keyWritten(words: readonly string[]): string | undefined {
  if (words.some((word) => READS.test(word))) return undefined;
  const operands = words.filter((word, index) =>
    !word.startsWith("-") && !VALUED.test(words[index - 1] ?? "")
  );
  const [first = "", second = ""] = operands;
  if (first === "get" || first === "list") return undefined;
  if (ACTIONS.test(first)) return second;
  const writes = operands.length > 1 || words.some((word) => WRITES.test(word));
  return writes ? first : undefined;
}
