/** Asks programs who they are, before a proof runs them. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Identity } from "./shell_proof.ts";
import { IDENTITIES } from "./shell_proof_programs.ts";
import { withTempDir } from "./temp_dir.ts";

/** The time that a program may take to say who it is, in seconds. */
const LIMIT = 10;
/** The part of an answer that is told, in characters. */
const TOLD = 60;

/** A program, and what asks it. */
interface Question {
  readonly name: string;
  readonly identity: Identity;
}

/** Words of a stand-in that names the program and its version, and is neither. */
const ABSENT = /not installed|not found|no such file/i;

/** Programs that run the proofs themselves. */
export const OWN: readonly string[] = ["bash", "setsid", "timeout", "find"];

/** Asks at most four at a time: no input, an end in time, no large file. Each has its output and status in a file. */
const SCRIPT = `
limit=$1 at=0
shift
while (($#)); do
  words=("\${@:2:$1}")
  shift $(($1 + 1))
  (
    ulimit -f 4096
    timeout -k 1 "$limit" "\${words[@]}" </dev/null >"../$at.output" 2>&1
    echo $? >"../$at.status"
  ) 2>/dev/null &
  ((++at % 4)) || wait
done
wait
`;

/** The reason why no program can be asked here; false when they can. Nothing that bash says is believed before it said who it is. */
export function withoutAsking(): string | false {
  const strange = OWN.flatMap((name) => {
    const identity = IDENTITIES.get(name)!;
    const { error, status, stdout = "", stderr = "" } = spawnSync(name, identity.arguments, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      timeout: LIMIT * 1000,
      killSignal: "SIGKILL",
    });
    if (error) return [name];
    return objection({ name, identity }, { status: status ?? -1, said: stdout + stderr }) ?? [];
  });
  return strange.length > 0 && `needs bash, setsid, timeout and find: not ${strange.join("; ")}`;
}

/** The ways of asking programs. */
export interface Asking {
  /** The variables, by the folder that has their home. */
  readonly environment: (top: string) => Readonly<Record<string, string>>;
  /** The time that each may take, in seconds. */
  readonly limit?: number;
}

interface AskingIn {
  readonly top: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limit: number;
}

/** Programs, by name or path, that are not what their tables name, and what they say instead. */
export async function strangers(
  names: readonly string[],
  { environment, limit = LIMIT }: Asking,
): Promise<ReadonlyMap<string, string>> {
  const questions = names.flatMap((name) => {
    const identity = IDENTITIES.get(basename(name));
    return identity ? [{ name, identity }] : [];
  });
  return new Map(
    await withTempDir((top) => asked(questions, { top, env: environment(top), limit })),
  );
}

function asked(
  questions: readonly Question[],
  { top, env, limit }: AskingIn,
): readonly (readonly [string, string])[] {
  const work = join(top, "work");
  for (const name of ["work", "home", "tmp"]) mkdirSync(join(top, name));
  mkdirSync(join(top, "screen"), { mode: 0o700 });
  const words = questions.flatMap(({ name, identity }) => [
    `${identity.arguments.length + 1}`,
    name,
    ...identity.arguments,
  ]);
  spawnSync("bash", ["--noprofile", "--norc", "-c", SCRIPT, "bash", `${limit}`, ...words], {
    cwd: work,
    env,
    stdio: "ignore",
  });
  return questions.flatMap((question, index) => {
    const status = Number(readFileSync(join(top, `${index}.status`), "utf8"));
    const said = readFileSync(join(top, `${index}.output`), "latin1");
    const found = objection(question, { status, said });
    return found === undefined ? [] : [[question.name, found] as const];
  });
}

function objection(
  { name, identity }: Question,
  { status, said }: { readonly status: number; readonly said: string },
): string | undefined {
  const expected = identity.status ?? 0;
  const isSo = new RegExp(identity.matches, "m").test(said) && !ABSENT.test(said);
  if (status === expected && isSo) return undefined;
  const line = [name, ...identity.arguments].join(" ");
  const told = said.trim().split("\n")[0]!.replaceAll(/[^ -~]/g, "?").slice(0, TOLD);
  return `${name}: "${line}" ends with ${status} and says "${told}"`;
}
