/** A text that an allow rule may fit so that it covers a unit. */
export interface AllowText {
  /** The text, with a HOLE or NAME for what the line does not fix. */
  readonly text: string;
  /** How far the rule's literal text before its first wildcard must reach, in UTF-16 code units; Infinity: all of it. */
  readonly minLiteral: number;
  /** How far it may reach: behind it a word begins whose own text holds blanks, or that is empty. */
  readonly maxLiteral: number;
  /** Set where a rule that names no more than this program covers it too, since running code is its trade. */
  readonly interpreter?: string;
  /** Set for a redirection: operator and file, which must stand in the rule's literal text. */
  readonly redirect?: string;
}

/** What a deny or ask rule is tried on. */
export interface DenyText {
  /** With what must be expanded as it is written. */
  readonly text: string;
  /** With a HOLE or NAME for it. */
  readonly template: string;
}

/** One thing that a line does, and that rules judge by itself. Plain data. */
export interface Effect {
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
  readonly isOrdinaryScript?: true;
  /** `own`: it must be allowed. `guarded`: only deny and ask rules that people wrote are asked. */
  readonly checkedAgainst: "own" | "guarded";
  /** For files: `open` when the line does not fix the path; `glob`: the text is a file name glob. */
  readonly path?: "fixed" | "open" | "glob";
  /** For a file that cannot be known: what is done to it; at least one. */
  readonly unknownFileAccess?: readonly ("read" | "write")[];
  /**
   * Whether it needs no allow rule beside a command that has one; with folders: only when all of them, one of which it goes
   * to, are inside the workspace.
   */
  readonly isHarmless: boolean | { readonly folders: readonly string[] };
  /** Texts that an allow rule may fit. */
  readonly allowTexts: readonly AllowText[];
  /** Texts that a deny or ask rule may fit; for commands and opaque units. */
  readonly denyTexts: readonly DenyText[];
}

/** A command line, taken apart. */
export interface CommandLine {
  /** The line. */
  readonly text: string;
  /** Everything that it does, at least one unit, in the order of the text. */
  readonly units: readonly Effect[];
}
