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

/** A call, as the command line gets it. */
export interface Run {
  readonly words: readonly string[];
  readonly stdin?: string;
}

/** Typical calls of agents: the functions that these run are worth their place in the code cache. */
export const TYPICAL: readonly Run[] = [
  { words: ["check", "Bash", "git status"] },
  { words: ["check", "Bash", "cd src && npm test -- --watch=false 2>&1 | tail -n 20"] },
  { words: ["check", "Edit", "src/main.ts"] },
  hookOf("Bash", { command: "git log --oneline" }),
];

/** More calls that are common: the functions that these run, too, are worth their place at each start. */
export const COMMON: readonly Run[] = [
  ...TYPICAL,
  ...[
    `grep -rn 'word' src | head -20`,
    "ls -la lib > list.txt 2>&1",
    "sed -i 's/one/two/' src/main.ts",
    'NODE_ENV=test make -j4 && echo "done"; cat notes.md',
    "find . -name '*.ts' | xargs wc -l",
    "timeout 30 python3 -m pytest -x tests/",
    "rm -rf build && mkdir -p build/out",
    "curl -s https://example.com/a.json | jq .name",
  ].map((line) => ({ words: ["check", "Bash", line] })),
  { words: ["check", "Read", "../notes.md"] },
  { words: ["check", "WebFetch", "https://example.com/a"] },
  { words: ["check", "mcp__github__search"] },
  hookOf("Write", { file_path: "src/main.ts", content: "one\n" }),
  hookOf("mcp__github__search", { query: "one" }),
];

/** An event of Claude Code. */
function hookOf(tool: string, input: object): Run {
  const event = {
    session_id: "0",
    hook_event_name: "PreToolUse",
    permission_mode: "default",
    tool_name: tool,
    tool_input: input,
  };
  return { words: ["hook", "claude"], stdin: JSON.stringify(event) };
}

/**
 * Which functions of the bundle's files run in some calls, by file name; `folder` is empty and for its use. Needs
 * `deno`. Throws Error where one of them fails.
 */
export function functionsRun(
  main: string,
  { folder, calls }: { readonly folder: string; readonly calls: readonly Run[] },
): ReadonlyMap<string, Functions> {
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
    for (const { words, stdin } of calls) {
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
