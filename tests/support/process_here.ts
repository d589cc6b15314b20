/** The command line run in this process, many times a second, with nothing but a workspace and an empty home. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "./temp_dir.ts";

const real = await chooseRuntime();
const ERRORS = [64, 65, 66, 73];

/** The outcome of a run. */
export interface Answer {
  /** The exit status. */
  readonly status: number;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
}

/** The place that a command line runs in. */
export interface Scene {
  /** The workspace; its home is beside it. */
  readonly folder: string;
  /** Standard input. */
  readonly input?: Uint8Array;
  /** The columns of a terminal that stdout is; none when left out. */
  readonly columns?: number;
}

/** Runs a command line in this process; nothing but the workspace and an empty home is there. */
export async function answer(
  argv: readonly string[],
  { folder, input, columns }: Scene,
): Promise<Answer> {
  const printed = { stdout: "", stderr: "" };
  const runtime: Runtime = {
    ...real,
    env: (name) => name === "HOME" ? join(folder, "../home") : undefined,
    cwd: () => folder,
    async *stdin() {
      yield await Promise.resolve(input ?? new Uint8Array());
    },
    isTerminal: (stream) => stream === "stdout" && columns !== undefined,
    columns: () => columns ?? 80,
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(argv, runtime);
  return { status, ...printed };
}

/** Runs `use` with a new workspace, its home beside it. */
export async function inWorkspace(use: (folder: string) => Promise<void>): Promise<void> {
  await withTempDir(async (top) => {
    const folder = join(top, "work");
    mkdirSync(join(folder, ".caliban"), { recursive: true });
    mkdirSync(join(top, "home"));
    await use(folder);
  });
}

/** The policy file of a workspace. */
export function policyAt(folder: string): string {
  return join(folder, ".caliban/permissions.toml");
}

/** Asserts the laws of every answer: no bug, an error says so, nothing of the text can steer a terminal. */
export function assertSane(argv: readonly string[], answered: Answer): void {
  const { status, stdout, stderr } = answered;
  const about = `${JSON.stringify(argv)} → ${status}\n${stdout}\n${stderr}`;
  const verdicts = argv[0] === "check" ? [0, 1, 2] : [0];
  assert.ok([...verdicts, ...ERRORS].includes(status), about);
  if (status >= 64) assert.notEqual(stderr + stdout, "", about);
  // deno-lint-ignore no-control-regex
  const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  const coloured = argv.some((word) => word.startsWith("--color"));
  if (!coloured) assert.doesNotMatch(stderr, steering, about);
  if (!coloured && !printsData(argv)) assert.doesNotMatch(stdout, steering, about);
}

/** JSON and TOML hold the user's text as it is. */
function printsData(argv: readonly string[]): boolean {
  return argv[0] === "export" || argv.some((word) => /^--(json|format|stdin)/.test(word));
}
