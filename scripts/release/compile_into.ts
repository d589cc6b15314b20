import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { commitFlags } from "../commit_flags.ts";
import { stageProgram } from "./stage_program.ts";

const REPO = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The factor by which functions must run more often than usual before they are compiled to machine code: the process of a decision
 * ends before that pays. Longer runs go back to the usual (`lib/io/runtime/choose_runtime.ts`).
 */
const LATER = 10;

/**
 * The flags of the program: compiled ahead, in pieces of which a decision reads one (`stage_program.ts`), and configured by no file of
 * the folder that it runs in.
 */
const FLAGS = [
  "--compile",
  "--minify",
  "--bytecode",
  "--format=esm",
  "--splitting",
  `--compile-jit-policy=${LATER}`,
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
];

/** Another platform than this one. */
export interface Foreign {
  /** Bun's name of it: `bun-linux-arm64`. */
  readonly target: string;
  /** The path of Bun for that platform, which becomes the program. */
  readonly runtime: string;
}

/** Compiles the command line into one program. Needs `bun` and its `bun install`. Throws Error when it fails. */
export function compileInto(file: string, foreign?: Foreign): void {
  const place = foreign === undefined
    ? []
    : [`--target=${foreign.target}`, `--compile-executable-path=${foreign.runtime}`];
  const work = mkdtempSync(join(tmpdir(), "caliban-program-"));
  try {
    const stage = join(work, "stage");
    mkdirSync(stage);
    stageProgram(REPO, stage);
    const orders = ordersOf(stage, work).map((order) => `--bytecode-order=${order}`);
    build(stage, [`--outfile=${resolve(file)}`, ...orders, ...place]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function build(stage: string, flags: readonly string[]): void {
  execFileSync("bun", ["build", ...FLAGS, ...commitFlags(REPO), "cli.ts", ...flags], {
    cwd: stage,
    stdio: ["ignore", "ignore", "inherit"],
  });
}

/** The event of a hook that is run for the order of the code. */
const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "git status" },
});

/** Lines by which the order of the compiled code is chosen, the most common first. */
const LINES: readonly (readonly string[])[] = [
  ["hook", "claude"],
  ["check", "Bash", "git status"],
];

/** Files that tell the order in which decisions use functions, for the code of those to stand together: fewer pages are read then. */
function ordersOf(stage: string, work: string): readonly string[] {
  const program = join(work, "program.exe");
  build(stage, [`--outfile=${program}`]);
  return LINES.map((line, index) => {
    const order = join(work, `order${index}`);
    const { error } = spawnSync(program, line, {
      cwd: stage,
      env: { HOME: work, USERPROFILE: work, BUN_BYTECODE_ORDER_OUT: order },
      input: EVENT,
      stdio: ["pipe", "ignore", "ignore"],
    });
    if (error !== undefined) throw new Error(`Cannot run the program: ${error.message}`);
    if (!existsSync(order)) throw new Error(`Cannot compile: "${line.join(" ")}" tells no order`);
    return order;
  });
}
