import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { Functions, Range } from "./warm_functions.ts";

/** V8's coverage profile of one module. */
interface Profile {
  readonly url: string;
  readonly functions: readonly {
    readonly ranges: readonly {
      readonly startOffset: number;
      readonly endOffset: number;
      readonly count: number;
    }[];
  }[];
}

const POLICY = `[[permissions.rules]]
pattern = "Bash:git status*"
action = "allow"

[[permissions.rules]]
pattern = "Edit(src/**)"
action = "allow"
`;

/** Typical calls of agents: the functions that these run are worth their place in the code cache. */
const TYPICAL: readonly { readonly words: readonly string[]; readonly stdin?: string }[] = [
  { words: ["check", "Bash", "git status"] },
  { words: ["check", "Bash", "cd src && npm test -- --watch=false 2>&1 | tail -n 20"] },
  { words: ["check", "Edit", "src/main.ts"] },
  {
    words: ["hook", "claude"],
    stdin: JSON.stringify({
      session_id: "0",
      hook_event_name: "PreToolUse",
      permission_mode: "default",
      tool_name: "Bash",
      tool_input: { command: "git log --oneline" },
    }),
  },
];

/**
 * Which functions of the bundle's files run in typical decisions, by file name; `folder` is empty and for its use. Needs
 * `deno`. Throws Error where one of them fails.
 */
export function functionsRun(main: string, folder: string): ReadonlyMap<string, Functions> {
  const profiles = join(folder, "profiles");
  const env = { PATH: process.env["PATH"], HOME: folder, DENO_DIR: denoDir() };
  for (const rules of ["", POLICY]) {
    const cwd = join(folder, rules === "" ? "bare" : "ruled");
    mkdirSync(join(cwd, ".git"), { recursive: true });
    mkdirSync(join(cwd, ".caliban"));
    if (rules !== "") writeFileSync(join(cwd, ".caliban/permissions.toml"), rules);
    const runIn = (flags: readonly string[], words: readonly string[], input = "") => {
      const { status, stderr, error } = spawnSync("deno", ["run", ...flags, main, ...words], {
        cwd,
        input,
        encoding: "utf8",
        env,
      });
      if (error !== undefined || stderr !== "" || status === null || status > 2) {
        throw new Error(`Cannot run "caliban ${words.join(" ")}": ${error?.message ?? stderr}`);
      }
    };
    const reading = ["--no-prompt", "--allow-read", "--allow-env"];
    // A person trusts the workspace, so that the typical decisions read the record.
    if (rules !== "") runIn([...reading, "--allow-write"], ["trust", "--yes"]);
    for (const { words, stdin } of TYPICAL) {
      runIn([...reading, `--coverage=${profiles}`], words, stdin);
    }
  }
  return functionsIn(profiles);
}

/** The folder of Deno's caches; another home would begin with empty ones. */
function denoDir(): string {
  return JSON.parse(execFileSync("deno", ["info", "--json"], { encoding: "utf8" })).denoDir;
}

function functionsIn(profiles: string): ReadonlyMap<string, Functions> {
  const files = new Map<string, { all: Map<string, Range>; ran: Map<string, Range> }>();
  for (const name of readdirSync(profiles)) {
    const profile: Profile = JSON.parse(readFileSync(join(profiles, name), "utf8"));
    const file = basename(profile.url);
    const { all, ran } = files.get(file) ?? { all: new Map(), ran: new Map() };
    files.set(file, { all, ran });
    // The first is the module itself.
    for (const { ranges: [range] } of profile.functions.slice(1)) {
      const { startOffset: start, endOffset: end, count } = range!;
      all.set(`${start}-${end}`, { start, end });
      if (count > 0) ran.set(`${start}-${end}`, { start, end });
    }
  }
  return new Map([...files].map(([file, { all, ran }]) => {
    return [file, { all: [...all.values()], ran: [...ran.values()] }];
  }));
}
