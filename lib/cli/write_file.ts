import type { EditOptions } from "../io/edit_file.ts";
import { FileError } from "../io/runtime.ts";
import { WriteError } from "./errors.ts";

/**
 * Edits a file under its lock. Throws WriteError when it cannot be written; what `edit` throws goes on and leaves the
 * file as it was.
 */
export async function writeFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
  options: EditOptions = {},
): Promise<"written" | "unchanged"> {
  const { editFile } = await import("../io/edit_file.ts");
  try {
    return await editFile(path, edit, options);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new WriteError(error.message, { cause: error });
  }
}

/** Edits a policy file; a byte order mark stays where it is, and `edit` does not see it. */
export function writePolicyFile(
  { path, newFolders }: { readonly path: string; readonly newFolders: number },
  edit: (text: string | undefined) => string | undefined,
): Promise<"written" | "unchanged"> {
  return writeFile(path, (whole) => {
    const mark = whole?.startsWith("\ufeff") ? "\ufeff" : "";
    const text = edit(whole?.slice(mark.length));
    return text === undefined ? undefined : mark + text;
  }, { newFolders });
}
