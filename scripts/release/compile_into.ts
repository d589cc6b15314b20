import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { commitFlags } from "../commit_flags.ts";
import { stageProgram } from "./stage_program.ts";

const REPO = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The factor by which functions must run more often than usual before they are compiled to machine code: the process of a decision
 * ends before that pays. Longer runs go back to the usual (`lib/io/runtime/compile_early.ts`).
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
  const flags = [...FLAGS, ...commitFlags(REPO), ...place];
  const stage = mkdtempSync(join(tmpdir(), "caliban-program-"));
  try {
    stageProgram(REPO, stage);
    execFileSync("bun", ["build", ...flags, "cli.ts", `--outfile=${resolve(file)}`], {
      cwd: stage,
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}
