import fc from "../../../support/seeded.ts";
import type { Action, SourceKind, ToolOverride } from "../../../../lib/model/call.ts";
import type { Located, Span } from "../../../../lib/model/problem.ts";
import type { FileSettings, PolicyFile, SourceEntry } from "../../../../lib/model/rule.ts";

/** The content of a made-up policy file. */
export interface FileWords {
  /** Its rules: pattern and action. */
  readonly rules?: readonly (readonly [string, Action])[];
  /** Its settings. */
  readonly settings?: { readonly [Key in keyof FileSettings]: ValueOf<FileSettings[Key]> };
  /** Its `[tools.NAME]` tables. */
  readonly tools?: Readonly<Record<string, ToolOverride>>;
  /** True if the workspace is trusted; only of use for its files. */
  readonly trusted?: boolean;
}

type ValueOf<T> = T extends Located<infer V> | undefined ? V : never;

/** A span in a made-up file. */
export function spanAt(line: number): Span {
  return { start: 0, end: 1, line, column: 1 };
}

/** Wrappers in a made-up file. */
export function wrappersOf(...wrappers: readonly string[]): readonly Located<string>[] {
  return wrappers.map((value) => ({ value, span: spanAt(1) }));
}

/** An entry of a file that was read and says this. */
export function entryOf(kind: SourceKind, words: FileWords = {}): SourceEntry {
  const { rules = [], settings = {}, tools = {}, trusted = true } = words;
  const located = <T>(value: T, line: number): Located<T> => ({ value, span: spanAt(line) });
  const file: PolicyFile = {
    shape: "canonical",
    rules: rules.map(([pattern, action], index) => {
      return { pattern: located(pattern, index + 1), action, span: spanAt(index + 1) };
    }),
    settings: Object.fromEntries(
      Object.entries(settings).map(([key, value]) => [key, located(value, 1)]),
    ),
    tools: new Map(Object.entries(tools).map(([name, table]) => [name, located(table, 1)])),
    problems: [],
  };
  const workspace = kind === "project" || kind === "local";
  return {
    kind,
    path: `/${kind}`,
    state: "read",
    text: kind,
    file,
    trusted: !workspace || trusted,
  };
}

const action = fc.constantFrom<Action>("allow", "deny", "ask");
const tool = fc.constantFrom("Bash", "Own", "mcp__x");
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Any words of a file, trusted or not. */
export const fileWords: fc.Arbitrary<FileWords> = fc.record({
  rules: fc.array(fc.tuple(fc.constantFrom("Bash:x *", "Own:y", "Read", "*"), action), {
    maxLength: 4,
  }),
  settings: fc.record({
    defaultMode: fc.constantFrom("default", "plan", "bypassPermissions"),
    enforce: fc.boolean(),
    shell: fc.constantFrom("parsed", "literal"),
    enforceExpiry: fc.boolean(),
    auditLog: fc.boolean(),
    requireTrust: fc.boolean(),
    managedOnly: fc.boolean(),
    unmatched: fc.constantFrom("ask", "agent"),
    wrappers: fc.subarray(["rtk", "devbox run", "mise exec"]).map((it) => wrappersOf(...it)),
  }, { requiredKeys: [] }),
  tools: fc.dictionary(
    tool,
    fc.record({
      firstArg: optional(fc.constantFrom("a", "b")),
      kind: optional(fc.constantFrom("command", "text")),
      shell: optional(fc.constantFrom("posix", "other")),
    }).map(({ firstArg, kind, shell }) => ({
      ...(firstArg && { firstArg }),
      ...(kind && { kind }),
      ...(shell && { shell }),
    })),
    { maxKeys: 3 },
  ),
  trusted: fc.boolean(),
}) as fc.Arbitrary<FileWords>;

/** The kinds of source that are files, highest first. */
export const FILE_KINDS: readonly SourceKind[] = ["managed", "flag", "local", "project", "user"];

/** Entries of any of the file kinds, highest first. */
export const fileEntries: fc.Arbitrary<readonly SourceEntry[]> = fc
  .tuple(...FILE_KINDS.map((kind) => optional(fileWords.map((words) => entryOf(kind, words)))))
  .map((entries) => entries.filter((entry) => entry !== undefined));
