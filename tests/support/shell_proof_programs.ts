/** The programs that a proof starts. */
import { ProgramCatalog } from "../../lib/shell/programs/program_catalog.ts";
import { readLine } from "../../lib/shell/read_line.ts";
import { PROOF_TABLES } from "../cases/shell/programs.ts";
import type { Identity } from "./shell_proof.ts";

/** The question to each program, by its name. */
export const IDENTITIES: ReadonlyMap<string, Identity> = new Map(
  PROOF_TABLES.flatMap(({ identity }) =>
    Object.entries(identity ?? {}).flatMap(([name, each]) => each ? [[name, each] as const] : [])
  ),
);

const catalog = new ProgramCatalog();

/**
 * The programs of a line that have a table or are named by their path, and those that they run by themselves; `inner` ones may
 * be commands of another program.
 */
export function programsOf(
  command: string,
): { readonly first: readonly string[]; readonly inner: readonly string[] } {
  const started = readLine(command).effects.flatMap(({ kind, depth, name }) =>
    kind === "command" && name !== undefined ? [{ name, isFirst: depth === 0 }] : []
  );
  const known = started.filter(({ name, isFirst }) =>
    catalog.program(name) || isFirst && name.startsWith("/")
  );
  const first = known.filter(({ isFirst }) => isFirst).map(({ name }) => name);
  return {
    first: [...first, ...first.flatMap((name) => IDENTITIES.get(name)?.runs ?? [])],
    inner: known.filter(({ isFirst }) => !isFirst).map(({ name }) => name),
  };
}

/** The names of bash's own commands: it says who it is for all of them. */
export const BUILTINS: ReadonlySet<string> = new Set(
  (". : [ alias bg bind break builtin caller cd command compgen complete compopt continue declare dirs disown echo enable " +
    "eval exec exit export false fc fg getopts hash help history jobs kill let local logout mapfile popd printf pushd pwd " +
    "read readarray readonly return set shift shopt source suspend test time times trap true type typeset ulimit umask " +
    "unalias unset wait").split(" "),
);
