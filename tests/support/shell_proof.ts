/** The proof tables of the programs in `defaults/shell.toml`: what each table claims, and a command that proves it. */

import { CASES } from "./cases.ts";

/** A kind of `defaults/shell.toml` that a command shows. */
export type ProofKind =
  | "read"
  | "write"
  | "output"
  | "url"
  | "run"
  | "code"
  | "acts"
  | "commands"
  | "script"
  | "inner";

/** A command that shows what a table claims. It has `leaves` or `prints` when it can be run, and else `manual`. */
export interface Proof {
  /** The line, run in an empty folder. */
  readonly command: string;
  /** Files of that folder, by path: their text. */
  readonly files?: Readonly<Record<string, string | undefined>> | undefined;
  /** The kind of `defaults/shell.toml` that it shows. */
  readonly proves: string;
  /** The paths of the files that it leaves there; `PROOF` when the payload ran. */
  readonly leaves?: readonly string[] | undefined;
  /** A text that it prints. */
  readonly prints?: string | undefined;
  /** Its standard input; empty when left out. */
  readonly stdin?: string | undefined;
  /** Variables that are set for it, and that its line does not set. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The widest rule that must not allow it unasked; any rule that names the program when left out. */
  readonly allow?: string | undefined;
  /** The line of the manual, where it cannot be run. */
  readonly manual?: string | undefined;
  /** A line that succeeds where what it takes besides its programs is there; harmless. */
  readonly needs?: string | undefined;
  /** `root`: only root can run it. */
  readonly user?: string | undefined;
}

/** A harmless question to a program, and what only that program answers when it works. */
export interface Identity {
  /** Its arguments; its input is empty. */
  readonly arguments: readonly string[];
  /** A regular expression that what it prints holds; `^` and `$` are the ends of any line. */
  readonly matches: string;
  /** The status that it ends with; 0 when left out. */
  readonly status?: number | undefined;
  /** Programs that it runs by itself, by their names: it is not what it says where one of them is not. */
  readonly runs?: readonly string[] | undefined;
}

/** The claims about one program. */
export interface ProofTable {
  /** Its name, which is that of its table. */
  readonly program: string;
  /** The Debian package that it comes with (`bash` for builtins, `npm:NAME`); null where it cannot be had. */
  readonly package: string | null;
  /** The question to each of its names that a proof runs, by that name; bash answers for its own commands. */
  readonly identity?: Readonly<Record<string, Identity | undefined>> | undefined;
  /** The claims. */
  readonly proofs: readonly Proof[];
  /** Ordinary uses, which a rule for the program alone allows. */
  readonly harmless: readonly string[];
}

/** True if a proof can be run; any other is looked up in the manual. */
export function isRunnable({ leaves, prints }: Proof): boolean {
  return leaves !== undefined || prints !== undefined;
}

/** The proofs to be run of some: as many as the run wants, of as many kinds as there are, others for each seed. */
export function chosenProofs(
  proofs: readonly Proof[],
  counts: Readonly<Record<"few" | "some", number>>,
): readonly Proof[] {
  const { amount, seed } = CASES;
  if (amount === "all") return proofs;
  const start = seed * counts[amount] % (proofs.length || 1);
  const turned = [...proofs.slice(start), ...proofs.slice(0, start)];
  const firsts = turned.filter((proof, index) =>
    turned.findIndex(({ proves }) => proves === proof.proves) === index
  );
  return [...new Set([...firsts, ...turned])].slice(0, counts[amount]);
}
