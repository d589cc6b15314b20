import { SettingsFault } from "../agents/event_fault.ts";
import { InputError } from "./errors.ts";

/** What `read` gives; a SettingsFault becomes an InputError with the file's path and place. */
export function inSettings<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof SettingsFault)) throw cause;
    const { line, column, message } = cause;
    throw new InputError(`${path}:${line}:${column}: Cannot read the settings: ${message}`, {
      hint: "Correct the file; it is left as it is",
      cause,
    });
  }
}

/** A byte order mark, and the text behind it. */
export function unmarked(text: string): { readonly mark: string; readonly text: string } {
  return text.startsWith("\ufeff") ? { mark: "\ufeff", text: text.slice(1) } : { mark: "", text };
}
