/** Commands on a pseudo-terminal, which `script` of util-linux makes. */
import { spawnSync } from "node:child_process";
import { type Ended, finish, type Place, said } from "./process.ts";

/** Why there is no pseudo-terminal here; false when there is one. */
export function withoutTerminal(): string | false {
  return said(missing());
}

function missing(): string | false {
  const { stdout, error } = spawnSync("script", ["--version"], { encoding: "utf8" });
  if (error !== undefined || !stdout.includes("util-linux")) return "needs script of util-linux";
  return spawnSync("stty", ["--version"]).error === undefined ? false : "needs stty";
}

/**
 * Runs a command (its words) on a terminal to its end, of 80 columns when none are given. What it prints, errors too, is in `stdout`, with
 * newlines as they were written.
 */
export async function finishOnTerminal(
  words: readonly string[],
  { columns = 80, ...place }: Place & { readonly columns?: number },
): Promise<Ended> {
  const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(" ");
  const script = ["script", "-qec", `stty cols ${columns} rows 24; ${line}`, "/dev/null"];
  const env = { TERM: "xterm-256color", ...place.env };
  const ended = await finish(script, { ...place, env });
  // Deno says so where another Deno holds its cache.
  const stdout = ended.stdout.replaceAll("\r\n", "\n").replace(
    /^Failed to open cache file .*\n/gm,
    "",
  );
  return { ...ended, stdout };
}
