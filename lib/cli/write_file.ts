import type { EditOptions } from "../io/write/edit_file.ts";
import { FileError } from "../io/runtime/runtime.ts";
import { WriteError } from "./errors.ts";

/**
 * Edits a file under its lock. Throws WriteError when it cannot be written; what `edit` throws goes on and leaves the
 * file as it was.
 */
export async function writeFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
  options: EditOptions,
): Promise<"written" | "unchanged"> {
  const { editFile } = await import("../io/write/edit_file.ts");
  try {
    return await editFile(path, edit, options);
  } catch (error) {
    throw asWriteError(error);
  }
}

/** Makes WriteError of a FileError: what cannot be written is no failure to read. */
export function writing(write: () => void): void {
  try {
    write();
  } catch (error) {
    throw asWriteError(error);
  }
}

function asWriteError(error: unknown): unknown {
  return error instanceof FileError ? new WriteError(error.message, { cause: error }) : error;
}

/** A policy file that is edited. */
export interface WrittenPolicy extends Required<Pick<EditOptions, "newFolders" | "within">> {
  /** Its absolute path. */
  readonly path: string;
}

/** Edits a policy file; a byte order mark stays where it is, and `edit` does not see it. */
export function writePolicyFile(
  { path, newFolders, within }: WrittenPolicy,
  edit: (text: string | undefined) => string | undefined,
): Promise<"written" | "unchanged"> {
  return writeFile(path, (whole) => {
    const mark = whole?.startsWith("\ufeff") ? "\ufeff" : "";
    const text = edit(whole?.slice(mark.length));
    return text === undefined ? undefined : mark + text;
  }, { newFolders, within });
}
