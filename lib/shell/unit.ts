/** A text that an allow rule may fit so that it covers a unit. */
export interface Cover {
  /** The text, with a HOLE or NAME for what the line does not fix. */
  readonly text: string;
  /** How far the rule's literal text before its first wildcard must reach, in UTF-16 code units; Infinity: all of it. */
  readonly need: number;
  /** How far it may reach: behind it a word begins whose own text holds blanks, or that is empty. */
  readonly limit: number;
  /** Set where a rule that names no more than this program covers it too, since running code is its trade. */
  readonly trade?: string;
  /** Set for a redirection: operator and file, which must stand in the rule's literal text. */
  readonly holds?: string;
}

/** What a deny or ask rule is tried on. */
export interface WideText {
  /** With what must be expanded as it is written. */
  readonly text: string;
  /** With a HOLE or NAME for it. */
  readonly shape: string;
}

/** One thing that a line does, and that rules judge by itself. Plain data. */
export interface Unit {
  /**
   * `command`: a simple command. `opaque`: something that cannot be known. `write`, `read`, `url`: a file that is
   * written or read, a URL that is fetched.
   */
  readonly kind: "command" | "opaque" | "write" | "read" | "url";
  /** As it is written; for a file its path, from the folder of the call; for a URL the URL. */
  readonly text: string;
  /** What it was reached through, for people; null for what stands in the line itself. */
  readonly via: string | null;
  /** How deep it was reached: 0 for what stands in the line itself. */
  readonly depth: number;
  /** The program's name where the line fixes it; for commands. */
  readonly name?: string;
  /** Why it cannot be known; for opaque units, and for commands whose name is not fixed. */
  readonly why?: string;
  /** Set where a deny or ask rule does not speak of it: a script or alias that a program runs, as any program could. */
  readonly quiet?: true;
  /** `own`: it must be allowed. `guarded`: only deny and ask rules that people wrote are asked. */
  readonly judged: "own" | "guarded";
  /** For files: `open` when the line does not fix the path; `glob`: the text is a file name glob. */
  readonly path?: "fixed" | "open" | "glob";
  /** For a file that cannot be known: what is done to it; at least one. */
  readonly opens?: readonly ("read" | "write")[];
  /**
   * Whether it needs no allow rule beside a command that has one; with folders: only when all of them, one of which it goes
   * to, are inside the workspace.
   */
  readonly companion: boolean | { readonly folders: readonly string[] };
  /** Texts that an allow rule may fit. */
  readonly covers: readonly Cover[];
  /** Texts that a deny or ask rule may fit; for commands and opaque units. */
  readonly wide: readonly WideText[];
}

/** A command line, taken apart. */
export interface CommandLine {
  /** The line. */
  readonly text: string;
  /** Everything that it does, at least one unit, in the order of the text. */
  readonly units: readonly Unit[];
}
