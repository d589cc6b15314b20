// Needs --allow-read, --allow-write, --allow-env.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();

type Stream = "stdin" | "stdout";

/** Two tools that wait, of which one is too long to be shown; the status and the names that still wait after `mcp trust`. */
async function trusted(
  argv: readonly string[],
  { terminals, answer }: { readonly terminals: readonly Stream[]; readonly answer: string },
): Promise<readonly [status: number, waiting: readonly string[]]> {
  let result: readonly [number, readonly string[]] | undefined;
  await withTempDir(async (folder) => {
    const workspace = real.realPath(folder)!;
    const at = "2026-01-01T00:00:00Z";
    const tools = [
      { name: "short", waiting: { hash: "1".repeat(64), at, text: '{"name":"short"}' } },
      { name: "long", waiting: { hash: "2".repeat(64), at } },
    ];
    const server = { key: "0".repeat(64), server: "fs", program: "x", workspace, tools };
    const path = join(folder, "state/caliban/mcp.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify({ version: 1, servers: [server] }));
    const home = join(folder, "home");
    const variables = new Map([["HOME", home], ["XDG_STATE_HOME", join(folder, "state")]]);
    const runtime: Runtime = {
      ...real,
      env: (name) => variables.get(name),
      cwd: () => join(folder, "ws"),
      isTerminal: (stream) => terminals.some((each) => each === stream),
      async *stdin() {
        yield await Promise.resolve(new TextEncoder().encode(answer));
      },
      write: () => Promise.resolve(true),
    };
    mkdirSync(join(folder, "ws"));
    const status = await run(["mcp", "trust", "--workspace", folder, ...argv], runtime);
    const [{ tools: after }] = JSON.parse(readFileSync(path, "utf8")).servers;
    const waiting = after.flatMap((tool: { name: string; waiting?: object }) =>
      tool.waiting === undefined ? [] : [tool.name]
    );
    result = [status, waiting];
  });
  return result!;
}

const BOTH: readonly Stream[] = ["stdin", "stdout"];
const CASES: readonly (readonly [
  argv: readonly string[],
  terminals: readonly Stream[],
  answer: string,
  status: number,
  waiting: readonly string[],
])[] = [
  [[], [], "y\n", 1, ["short", "long"]],
  [[], ["stdin"], "y\n", 1, ["short", "long"]],
  [[], ["stdout"], "y\n", 1, ["short", "long"]],
  [["--json"], BOTH, "y\n", 1, ["short", "long"]],
  [[], BOTH, "n\n", 1, ["short", "long"]],
  [[], BOTH, "y\n", 1, ["long"]],
  [["--yes"], [], "", 0, []],
  [["--yes", "--json"], BOTH, "", 0, []],
];

for (const [argv, terminals, answer, status, waiting] of CASES) {
  const name = [...argv, "on", ...terminals, JSON.stringify(answer)].join(" ");
  test(`mcp trust accepts what a person has seen, or --yes: ${name}`, async () => {
    assert.deepEqual(await trusted(argv, { terminals, answer }), [status, waiting]);
  });
}
