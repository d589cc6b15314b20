/** The proof tables of the programs in `defaults/shell.toml`: what each table claims, and a command that proves it. */

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
  /** What it shows. */
  readonly proves: string;
  /** What it leaves there, by path; `PROOF` when the payload ran. */
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
  /** `root`: only root can run it. */
  readonly user?: string | undefined;
}

/** What is claimed of one program. */
export interface ProofTable {
  /** Its name, which is that of its table. */
  readonly program: string;
  /** The Debian package that it comes with (`bash` for builtins, `npm:NAME`); null where it cannot be had. */
  readonly package: string | null;
  /** The claims. */
  readonly proofs: readonly Proof[];
  /** Ordinary uses, which a rule for the program alone allows. */
  readonly harmless: readonly string[];
}

/** Whether a proof can be run, as opposed to looked up. */
export function isRunnable({ leaves, prints }: Proof): boolean {
  return leaves !== undefined || prints !== undefined;
}

/** The proofs to be run of some: `count` of them, of as many kinds as there are. */
export function chosenProofs(proofs: readonly Proof[], count: number): readonly Proof[] {
  const firsts = proofs.filter((proof, index) =>
    proofs.findIndex(({ proves }) => proves === proof.proves) === index
  );
  return [...new Set([...firsts, ...proofs])].slice(0, count);
}
