import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { BUN_FLAGS, commandOf, finish, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const DENO = ["run", "--quiet", "--no-prompt", "--no-config", "--allow-read", "--allow-env"];
const NODE = spawnSync("node", ["--version"], { encoding: "utf8" }).stdout ?? "";
const withoutNode = Number(NODE.slice(1).split(".")[0]) >= 20 ? false : "needs Node 20 or later";

/** The parts of the program that `cli.ts` loads, in place of ours: `run` waits for what nobody settles. */
const STUBS: readonly (readonly [path: string, text: string])[] = [
  [
    "lib/io/runtime/choose_runtime.ts",
    "export const chooseRuntime = () => ({ exit: (status) => {\n" +
    '  if ("Deno" in globalThis) Deno.exitCode = status; else process.exit(status);\n} });\n',
  ],
  [
    "lib/cli/run.ts",
    "export async function run(args) {\n" +
    '  if (args.at(-1) === "answers") return 1;\n' +
    "  await new Promise((resolve) => setTimeout(resolve, 20));\n" +
    "  await new Promise(() => {});\n}\n",
  ],
  ["lib/cli/check/preload.ts", ""],
  ["lib/cli/hook/preload.ts", ""],
  ["lib/io/runtime/compile_cache.ts", "export const keepCompiledCode = () => {};\n"],
];

/** Makes the start's copy with such parts, as TypeScript, JavaScript and one program. */
function makeIn(folder: string): void {
  cpSync(join(REPO, "cli.ts"), join(folder, "cli.ts"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const [path, text] of STUBS) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function build(folder: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync(commandOf("bun"), ["build", "cli.ts", ...args], {
    cwd: folder,
    encoding: "utf8",
  });
  assert.equal(status, 0, stderr);
}

const WAYS = [
  {
    name: "Deno",
    skip: without("deno"),
    words: (folder: string) => [commandOf("deno"), ...DENO, join(folder, "cli.ts")],
  },
  {
    name: "Bun",
    skip: without("bun"),
    words: (folder: string) => [commandOf("bun"), ...BUN_FLAGS, join(folder, "cli.ts")],
  },
  {
    name: "Node",
    skip: without("bun") || withoutNode,
    words(folder: string) {
      build(folder, ["--target=node", "--outfile=cli.js"]);
      return ["node", join(folder, "cli.js")];
    },
  },
  {
    name: "the compiled program",
    skip: without("bun"),
    words(folder: string) {
      build(folder, ["--compile", "--minify", "--outfile=program"]);
      return [join(folder, "program")];
    },
  },
] as const;

for (const { name, skip, words } of WAYS) {
  test(
    `a program that ends without an answer says so under ${name}`,
    { skip },
    () =>
      withTempDir(async (folder) => {
        makeIn(folder);
        const command = words(folder);
        const run = async (args: readonly string[]) => {
          const { status, stdout, stderr } = await finish([...command, ...args], { cwd: folder });
          assert.equal(stdout, "");
          return { status, stderr };
        };
        assert.deepEqual(await run(["hook", "claude"]), {
          status: 2,
          stderr: "caliban failed, so the call is stopped: it ended without an answer. " +
            "A person can run: caliban doctor\n",
        });
        for (const args of [["check", "Bash", "ls"], ["hook", "install", "claude"], []]) {
          assert.deepEqual(await run(args), {
            status: 70,
            stderr: "error: Cannot run caliban: it ended without an answer\n" +
              "hint: Run the command again, and report the bug if it ends so again\n",
          });
        }
        assert.deepEqual(await run(["check", "answers"]), { status: 1, stderr: "" });
      }),
  );
}
