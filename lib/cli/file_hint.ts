import type { FileError } from "../io/runtime.ts";

/** What a file was wanted for, and by whom. */
export interface FileWant {
  /** What could not be done. */
  readonly verb: "read" | "write";
  /** The command line. */
  readonly argv: readonly string[];
}

/** What to do about a file that could not be read or written; undefined where the message says it. */
export function fileHint(error: FileError, { verb, argv }: FileWant): string | undefined {
  // A stream or a variable is nothing that could be moved away.
  if (!/[\\/]/.test(error.path)) return undefined;
  switch (error.fault) {
    case "not-found":
      if (verb === "write") return "A folder above it is missing: make it first";
      return isOnLine(error.path, argv)
        ? "Correct the path; a relative one starts in the current folder"
        : "It is named in CALIBAN_RULES or CALIBAN_MANAGED_FILE: correct it there";
    case "permission":
      return `"ls -l" shows who may ${verb} it; its folder counts too`;
    case "not-a-file":
      return "Name a file, or move away what stands there";
    case "not-utf8":
      return "Save it as UTF-8";
    case "loop":
      return '"ls -l" shows where its links lead; correct one of them';
    case "too-large":
      return "No policy is that large: look whether it is the right file";
    case "other":
      return verb === "read"
        ? "Mend it or move it away; nothing is decided before"
        : "Nothing was written; try again when that is mended";
    case "missing-flag":
      return undefined;
  }
}

/** Whether a path is one of the command line, by its last name. */
function isOnLine(path: string, argv: readonly string[]): boolean {
  const name = lastName(path);
  return argv.some((arg) =>
    lastName(arg) === name || lastName(arg.replace(/^--[^=]*=/, "")) === name
  );
}

function lastName(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((name) => name !== "" && name !== ".");
}
