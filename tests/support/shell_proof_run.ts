/** Runs proofs with real bash, each in a folder of its own. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { said } from "./process.ts";
import { strangers, withoutAsking } from "./shell_identity.ts";
import type { Proof } from "./shell_proof.ts";
import { programsOf } from "./shell_proof_programs.ts";
import { withTempDir } from "./temp_dir.ts";

/** The part of a proof that its run did not show. */
export interface Refuted {
  /** Its line. */
  readonly command: string;
  /** Files that it did not leave, and the text that it did not print. */
  readonly missing: readonly string[];
  /** The last that it printed. */
  readonly printed: string;
}

/** The time limit of a proof, in seconds. */
const LIMIT = 20;
/** The time in which a program that goes on by itself may leave its files, in ms. */
const PATIENCE = 2000;

/** Why no proof can be run here; false when they can. */
export function withoutProofs(): string | false {
  if (process.platform !== "linux") return said("the proofs are of programs as Linux has them");
  return said(withoutAsking());
}

/**
 * The needs of proofs that are not met: programs that they start and that are not there, or do not say that they are what
 * their tables name; by the proof. The programs are looked for in `path`.
 */
export async function unmetNeeds(
  proofs: readonly Proof[],
  path: string = process.env["PATH"] ?? "",
): Promise<ReadonlyMap<Proof, readonly string[]>> {
  const wanted = new Map(proofs.map((proof) => [proof, programsOf(proof.command)]));
  const names = [
    ...new Set([...wanted.values()].flatMap(({ first, inner }) => [...first, ...inner])),
  ];
  const kinds = kindsOf(names, path);
  const files = names.filter((name) => kinds.get(name) === "file");
  const strange = await strangers(files, {
    environment: (top) => ({ ...environmentIn(top), PATH: path }),
  });
  const lines = new Set(
    [...new Set(proofs.flatMap(({ needs = [] }) => needs))].filter((line) => succeeds(line, path)),
  );
  return new Map([...wanted].map(([proof, { first, inner }]) => {
    const absent = first.filter((name) => kinds.get(name) === "").map((name) =>
      `${name} on the PATH`
    );
    const others = [...new Set([...first, ...inner])].flatMap((name) => strange.get(name) ?? []);
    const isReady = proof.needs === undefined || lines.has(proof.needs);
    return [proof, [...absent, ...others, ...(isReady ? [] : [`\`${proof.needs}\` to succeed`])]];
  }));
}

function succeeds(line: string, path: string): boolean {
  const args = ["--noprofile", "--norc", "-c", line];
  const { status } = spawnSync("bash", args, {
    cwd: tmpdir(),
    env: { PATH: path },
    stdio: "ignore",
    timeout: LIMIT * 1000,
    killSignal: "SIGKILL",
  });
  return status === 0;
}

/** The kind of each name, as bash sees it: `file`, `builtin`, `keyword`, or nothing. */
function kindsOf(names: readonly string[], path: string): ReadonlyMap<string, string> {
  const script = 'for name; do echo "$(type -t -- "$name")"; done';
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", script, "bash", ...names], {
    encoding: "utf8",
    env: { PATH: path },
  });
  const kinds = stdout.split("\n");
  return new Map(names.map((name, index) => [name, kinds[index] ?? ""]));
}

/** Runs the proofs at the same time, and says which of them did not hold. Nothing is left of what they start. */
export function refuted(proofs: readonly Proof[]): Promise<readonly Refuted[]> {
  return withTempDir(async (top) => {
    try {
      const all = await Promise.all(
        proofs.map((proof, index) => refutedIn(join(top, `${index}`), proof)),
      );
      return all.filter((each) => each !== undefined);
    } finally {
      endAllIn(top);
    }
  });
}

async function refutedIn(top: string, proof: Proof): Promise<Refuted | undefined> {
  const { command, leaves = [], prints } = proof;
  const work = join(top, "work");
  writeFolder(top, proof);
  await ended(top, proof);
  await until(() => leaves.every((path) => isThere(join(work, path))));
  const printed = readFileSync(join(top, "output"), "latin1");
  const missing = leaves.filter((path) => !isThere(join(work, path)));
  if (prints !== undefined && !printed.includes(prints)) missing.push(`the text "${prints}"`);
  return missing.length === 0 ? undefined : { command, missing, printed: printed.slice(-400) };
}

/** The folder `work` that the proof runs in, its home, and its input. */
function writeFolder(top: string, { files = {}, stdin = "" }: Proof): void {
  const work = join(top, "work");
  for (const name of ["work", "home", "tmp"]) mkdirSync(join(top, name), { recursive: true });
  mkdirSync(join(top, "screen"), { mode: 0o700 });
  const payload = join(work, "payload");
  writeFileSync(payload, '#!/bin/sh\n: > "$PROOF"\n');
  chmodSync(payload, 0o755);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text ?? "");
  }
  writeFileSync(join(top, "input"), stdin);
}

/** A file takes its output, for what goes on in the background would hold a pipe open. */
function ended(top: string, { command, env }: Proof): Promise<void> {
  const script = 'exec setsid -w timeout -k 1 "$1" bash --noprofile --norc -c "$2"' +
    " <../input >../output 2>&1";
  const child = spawn("bash", ["-c", script, "bash", `${LIMIT}`, command], {
    cwd: join(top, "work"),
    env: { ...environmentIn(top), ...env },
    stdio: "ignore",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", () => resolve());
  });
}

/** Nothing is written outside the folder. */
function environmentIn(top: string): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", RUSTUP_HOME = join(HOME, ".rustup") } = process.env;
  const work = join(top, "work");
  const home = join(top, "home");
  return {
    PATH: `${work}:${PATH}`,
    PROOF: join(work, "PROOF"),
    HOME: home,
    TMPDIR: join(top, "tmp"),
    SCREENDIR: join(top, "screen"),
    // That of the user's entry may let nobody in.
    SHELL: "/bin/bash",
    LANG: "C.UTF-8",
    COLUMNS: "200",
    // Java takes the home folder from the user's entry, not from HOME.
    JAVA_TOOL_OPTIONS: `-Duser.home=${home} -XX:-UsePerfData`,
    PYTHONDONTWRITEBYTECODE: "1",
    ...(existsSync(RUSTUP_HOME) ? { RUSTUP_HOME } : {}),
  };
}

async function until(holds: () => boolean): Promise<void> {
  const step = 50;
  for (let waited = 0; waited < PATIENCE && !holds(); waited += step) {
    await new Promise((resolve) => setTimeout(resolve, step));
  }
}

function isThere(path: string): boolean {
  return existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** Ends every program that still runs in a folder: servers that have left their process group. */
function endAllIn(top: string): void {
  const script = 'find /proc/[0-9]*/cwd -maxdepth 0 -lname "$1/*" -printf "%h\\n" |' +
    ' while read -r each; do kill -9 "${each#/proc/}"; done';
  spawnSync("bash", ["-c", script, "bash", top], { stdio: "ignore" });
}
