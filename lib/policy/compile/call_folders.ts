import defaults from "../../../defaults/tools.json" with { type: "json" };
import type { JsonObject } from "../../model/call.ts";
import type { CallPath, GitRepository } from "../../pattern/path/call_path.ts";
import type { RequestOptions } from "./request_options.ts";
import { onDemand, remembered } from "../../model/on_demand.ts";
import { joinedName } from "../../pattern/unicode.ts";

/** A field of a command tool that names the folder of the call. */
interface FolderField {
  readonly key: string;
  /** The folder, as an absolute path; undefined if it cannot be resolved. */
  readonly folder: string | undefined;
}

/** The most such fields that are read, and the longest name of one, in UTF-16 code units. */
const MAX_FIELDS = 8;
const MAX_KEY = 64;

const keys = onDemand((): ReadonlySet<string> => new Set(defaults.keys.call_folders.map(plainKey)));

/** No folders. */
export const NO_FOLDERS: readonly FolderField[] = [];

/** The folders that an input names, without those that the call's own one is made of. */
export function furtherFolders(
  input: JsonObject,
  { cwd, isPlaced }: { readonly cwd: string; readonly isPlaced?: boolean },
): readonly FolderField[] {
  if (typeof input !== "object" || input === null) return [];
  const found = callFolders(input, cwd);
  return found.length === 0 ? found : found.filter(({ key, folder }) =>
    folder === undefined ||
    folder !== cwd && !(isPlaced === true && cwd.endsWith(`/${String(input[key])}`))
  );
}

/** The key of the first folder that cannot be resolved. */
export function unknownAmong(named: readonly FolderField[]): string | undefined {
  for (const { folder, key } of named) if (folder === undefined) return key;
  return undefined;
}

/** Options of a request with these folders among the further ones. */
export function withFolders(
  options: RequestOptions,
  named: readonly FolderField[],
): RequestOptions {
  const folders = [...options.folders ?? [], ...named.map(({ folder }) => folder ?? "")];
  return { ...options, folders };
}

/**
 * The folders that a command tool's input names for the call, seen from `cwd`. Agents know one of these fields each and ignore
 * the others, so the call may run in any of them, or in none.
 */
function callFolders(input: JsonObject, cwd: string): readonly FolderField[] {
  let found: FolderField[] | undefined;
  for (const key of Object.keys(input)) {
    const value = input[key];
    if (!isFolderKey(key) || value === null || value === "") continue;
    found ??= [];
    if (found.length === MAX_FIELDS) return [...found, { key, folder: undefined }];
    found.push({ key, folder: typeof value === "string" ? resolved(value, cwd) : undefined });
  }
  return found ?? NO_FOLDERS;
}

/** The absolute path of a folder; undefined where a program may read its text as another one: variables, `~`, URLs. */
function resolved(text: string, cwd: string): string | undefined {
  if (/[\p{Cc}$`%*?]|^~|^\s|\s$|^[a-z][a-z0-9+.-]+:/iu.test(text)) return undefined;
  return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(text) ? text : `${cwd}/${text}`;
}

const isFolderKey = remembered((key) => keys().has(plainKey(key)));

function plainKey(key: string): string {
  if (key.length > MAX_KEY) return "";
  return joinedName(key);
}

/** Without a look at the machine, the workspace and a folder of the call outside of it have a repository of their own. */
export function unseenRepository(
  folder: string,
  { forms }: CallPath & { readonly ok: true },
): GitRepository {
  const isOwn = forms.every(({ workspace }) =>
    workspace === "" || workspace === undefined && folder === ""
  );
  return isOwn ? "here" : "foreign";
}
