/**
 * Specs: one scenario per file, input sections and what came of them, in the order in which they happen.
 *
 * ```text
 * # Comments stand at the head.
 * # untrusted                            nobody has trusted the policy files that sections write; else they are, before each run
 * --- file: .caliban/permissions.toml    a file before the run; ~/x is in the home directory
 * --- link: PATH                         a symbolic link to its body
 * --- folder: PATH                       an empty folder
 * --- env                                NAME=value lines, for the runs that follow
 * --- cwd: PATH                          where the runs that follow start
 * --- stdin                              for the next run
 * --- process                            the runs that follow are real processes with the verb's permissions only
 * --- run                                one command line as a shell reads it; `then` is another name for it
 * --- status, --- stdout, --- stderr     expected of the run above; an empty one is left out
 * --- after: PATH                        the file's text by then, or (absent)
 * ```
 *
 * `$DIR` (the scenario's folder), `$HOME`, `$TOP` (what holds both) and `$REPO` stand for paths, `$NAME` for the last part
 * of `$TOP`. A text that does not end in a newline ends in a line `\ no newline`; a line that begins with `--- ` or `\` is
 * written with a `\` before it.
 */

/** The names of sections. */
export type SectionName =
  | "file"
  | "link"
  | "folder"
  | "env"
  | "cwd"
  | "stdin"
  | "process"
  | "run"
  | "then"
  | "status"
  | "stdout"
  | "stderr"
  | "after";

/** One section of a spec. */
export interface Section {
  /** The section's name, which stands before the colon. */
  readonly name: SectionName;
  /** The text behind the colon; empty if there is none. */
  readonly argument: string;
  /** Its text. */
  readonly body: string;
}

/** A spec file, taken apart. */
export interface Spec {
  /** The lines before the first section. */
  readonly head: string;
  /** `none` with a line `# untrusted` in the head: then no run trusts what `file` and `link` sections wrote. */
  readonly trust: "given" | "none";
  /** The sections, in order. */
  readonly sections: readonly Section[];
}

const WITH_ARGUMENT: readonly string[] = ["file", "link", "folder", "cwd", "after"];
const WITHOUT_ARGUMENT: readonly string[] = [
  "env",
  "stdin",
  "process",
  "run",
  "then",
  "status",
  "stdout",
  "stderr",
];
const CUT = "\\ no newline";

/** Takes a spec apart. Throws Error for anything that is not in the format. */
export function parseSpec(text: string): Spec {
  const lines = text.split("\n");
  if (lines.pop() !== "") throw new Error("A spec ends in a newline");
  const starts = lines.flatMap((line, index) => line.startsWith("--- ") ? [index] : []);
  const head = lines.slice(0, starts[0] ?? lines.length);
  const odd = head.find((line) => line !== "" && !line.startsWith("#"));
  if (odd !== undefined) throw new Error(`Unexpected line "${odd}" before the first section`);
  const sections = starts.map((start, index) => {
    const body = lines.slice(start + 1, starts[index + 1] ?? lines.length);
    return { ...heading(lines[start] ?? ""), body: unescaped(body) };
  });
  return {
    head: head.map((line) => `${line}\n`).join(""),
    trust: head.includes("# untrusted") ? "none" : "given",
    sections,
  };
}

/** The text of a spec; the opposite of `parseSpec`. */
export function renderSpec(spec: Spec): string {
  const sections = spec.sections.map(({ name, argument, body }) =>
    `--- ${name}${argument === "" ? "" : `: ${argument}`}\n${escaped(body)}`
  );
  return spec.head + sections.join("");
}

function heading(line: string): Pick<Section, "name" | "argument"> {
  const [, name = "", argument = ""] = /^--- ([a-z]+)(?:: (.+))?$/.exec(line) ?? [];
  const names = argument === "" ? WITHOUT_ARGUMENT : WITH_ARGUMENT;
  if (!names.includes(name)) throw new Error(`Unknown section "${line}"`);
  return { name: name as SectionName, argument };
}

function unescaped(lines: readonly string[]): string {
  const cut = lines.at(-1) === CUT;
  const plain = (cut ? lines.slice(0, -1) : lines)
    .map((line) => line.startsWith("\\") ? line.slice(1) : line);
  return cut ? plain.join("\n") : plain.map((line) => `${line}\n`).join("");
}

function escaped(text: string): string {
  if (text === "") return "";
  const lines = text.split("\n").map((line) => /^(?:--- |\\)/.test(line) ? `\\${line}` : line);
  if (lines.at(-1) === "") return lines.join("\n");
  return `${lines.join("\n")}\n${CUT}\n`;
}
