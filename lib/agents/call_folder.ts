import type { JsonObject } from "../model/call.ts";
import { EventFault } from "./event_fault.ts";

/** What has fields, and runs in a folder. */
interface Placed {
  readonly input: JsonObject;
  readonly cwd?: string | undefined;
}

/** Fields that hold the folder of a command with one agent or another. */
const NAMES: readonly string[] = [
  "cwd",
  "Cwd",
  "workdir",
  "working_directory",
  "workingDirectory",
  "working_dir",
  "directory",
  "dir_path",
];

/** The folder that a call names in one of the fields, in the folder that the event names. Throws EventFault. */
export function folderOf(call: Placed, fields: readonly string[]): string | undefined {
  const named = fields.map((field) => call.input[field])
    .filter((value) => value !== undefined && value !== null && value !== "");
  if (named.length === 0) return call.cwd;
  const [folder] = named;
  if (typeof folder !== "string" || new Set(named).size > 1) {
    throw new EventFault("the folder that the call runs in is not clear");
  }
  const isAbsolute = /^(?:[/\\]|[A-Za-z]:[/\\])/.test(folder);
  if (isAbsolute) return folder;
  if (call.cwd === undefined) throw new EventFault(`the folder "${folder}" is relative to none`);
  return `${call.cwd}/${folder}`;
}

/**
 * Folders that a command names in fields of which nobody knows whether its agent heeds them, but for that of the event:
 * what may run there has to be fine in either. Throws EventFault.
 */
export function strayFolders(call: Placed, known: readonly string[]): readonly string[] {
  const stray = NAMES.filter((name) => !known.includes(name) && Object.hasOwn(call.input, name))
    .map((name) => folderOf(call, [name]))
    .filter((folder) => folder !== undefined && folder !== call.cwd);
  return [...new Set(stray)].flatMap((folder) => folder === undefined ? [] : [folder]);
}
