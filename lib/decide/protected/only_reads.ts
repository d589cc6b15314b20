import defaults from "../../../defaults/tools.json" with { type: "json" };
import type { ToolProfile } from "../../model/call.ts";
import { keyWords } from "../named_keys.ts";

const { reads, writes, subjects } = defaults.names;

const READS: ReadonlySet<string> = new Set(reads);
const WRITES: ReadonlySet<string> = new Set(writes);
const SUBJECTS: ReadonlySet<string> = new Set(subjects);

/** Words that say a change even as a part of another one: `readwrite`. */
const CHANGES = /write|edit|delete|remove|create|update|replace|rename|save|move/;

/** True if a tool changes no file: by its class or, for a tool without one, by the words of its name. */
export function onlyReads({ name, class: toolClass, isUntrusted }: ToolProfile): boolean {
  if (toolClass !== undefined && !isUntrusted) return toolClass === "read";
  const own = name.replace(/^mcp__.+?__/s, "");
  const joined = own.toLowerCase();
  const words = keyWords(own);
  if (words.some((word) => WRITES.has(word) || CHANGES.test(word))) return false;
  if (READS.has(words[0] ?? "")) return true;
  const parts = words.filter((word) => words.length === 1 || word !== joined);
  return parts.some((word) => READS.has(word)) &&
    parts.every((word) => READS.has(word) || SUBJECTS.has(word));
}
