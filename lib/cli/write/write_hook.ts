import type { AgentName } from "../../agents/registry.ts";
import type { TextEdits } from "../../agents/settings/agent_settings.ts";
import { WORKSPACE_BOUND } from "../../io/load/read_places.ts";
import type { AgentProgram } from "../../io/process/agent_program.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { InstalledFile } from "../../io/write/install_record.ts";
import { type AgentPlace, inSettings, unmarked } from "./agent_settings.ts";
import { recording, writeFile, writing } from "./write_file.ts";

/** A hook, and the settings file that gets it. */
export interface HookWriting {
  readonly agent: AgentName;
  readonly place: AgentPlace;
  readonly edits: TextEdits;
  readonly program: AgentProgram;
  /** The folder of the copies. */
  readonly below: string;
  readonly command: string;
  /** Returns the new text of the settings; that of `installedText` by default. */
  readonly edit?: (text: string | undefined) => string;
}

/**
 * Writes the copy of caliban, the hook, and the record by which `uninstall` leaves nothing. The previous text is kept beside
 * the file, and that of a plugin of ours that somebody edited; its path is the result. Throws WriteError and InputError.
 */
export async function writeHook(
  runtime: Pick<Runtime, "stat" | "readText">,
  hook: HookWriting,
): Promise<readonly string[]> {
  const { agent, place, edits, program, below, command } = hook;
  const { edit = (text) => installedText(text, { edits, command, path: place.path }) } = hook;
  const { missingFolders, recordInstall, recordPath, textDigest } = await import(
    "../../io/write/install_record.ts"
  );
  const { openToAll, writeBackup } = await import("../../io/write/own_files.ts");
  const record = recordPath(below);
  const folders = writing(
    () => [...missingFolders(`${below}/hooks/copy`), ...missingFolders(place.path)],
  );
  const earlier = place.within === null ? "number" : "refuse";
  let kept: string | undefined;
  let digest: string | undefined;
  let edited: readonly string[] = [];
  const recorded = await installedAt(runtime, { below, path: place.path });
  let isNew = false;
  writing(() => program.write());
  const keepEdited = await editedKeeper(place.path, { edits, recorded });
  await writeFile(place.path, (text) => {
    isNew = text === undefined;
    // Under the lock: what another one installed meanwhile is not what was there before.
    if (text !== undefined && commandsOf(text, hook).length === 0) {
      kept ??= writing(() => writeBackup(place.path, { to: place.backup, earlier }));
    }
    const after = edit(text);
    if (text !== undefined && after !== text) edited = writing(() => keepEdited(text));
    if (edits.empty === null) digest = textDigest(after);
    return after;
  }, { within: place.within, newFolders: 4 });
  const file = {
    agent,
    path: place.path,
    backup: kept !== undefined,
    ...(kept !== undefined && { kept }),
    ...(digest !== undefined && { digest }),
  };
  await recording(() => recordInstall(record, { file, folders }));
  if (place.scope === "managed") {
    writing(() => openToAll([...folders, ...(isNew ? [place.path] : [])]));
  }
  return edited;
}

/** The text of settings with the hook in it. */
export function installedText(
  whole: string | undefined,
  { edits, command, path }: Pick<HookWriting, "edits" | "command"> & { readonly path: string },
): string {
  const { mark, text } = unmarked(whole ?? "");
  const given = whole === undefined ? undefined : text;
  return mark + inSettings(path, () => edits.install(given, { command }));
}

/** Our command lines in the text of settings. */
export function commandsOf(
  whole: string,
  { edits, place }: Pick<HookWriting, "edits" | "place">,
): readonly string[] {
  return inSettings(place.path, () => edits.commands(unmarked(whole).text));
}

/** Keeps the text of a file that is ours as a whole beside it where somebody changed it; the result are the paths. */
export async function editedKeeper(
  path: string,
  { edits, recorded }: {
    readonly edits: TextEdits;
    readonly recorded: InstalledFile | undefined;
  },
): Promise<(text: string) => readonly string[]> {
  const { writeBeside } = await import("../../io/write/own_files.ts");
  const { textDigest } = await import("../../io/write/install_record.ts");
  return (text) => {
    const commands = edits.empty === null ? edits.commands(unmarked(text).text) : [];
    const known = [
      recorded?.digest,
      ...commands.map((command) => textDigest(edits.install(undefined, { command }))),
    ];
    if (commands.length === 0 || known.includes(textDigest(text))) return [];
    return [writeBeside(path, { to: `${path}.edited`, text })];
  };
}

/** The record of an installed hook in the folder of the copies; undefined where there is none. Throws FileError. */
export async function installedAt(
  runtime: Pick<Runtime, "stat" | "readText">,
  { below, path }: { readonly below: string; readonly path: string },
): Promise<InstalledFile | undefined> {
  const { readRecord, recordPath } = await import("../../io/write/install_record.ts");
  return readRecord(runtime, recordPath(below)).files.find((each) => each.path === path);
}

/** The path of the text that was there before; undefined where there was none. Without a record it can be the usual one. */
export function backupPath(
  { backup }: Pick<AgentPlace, "backup">,
  recorded: InstalledFile | undefined,
): string | undefined {
  if (recorded === undefined) return backup;
  if (!recorded.backup) return undefined;
  const { kept = backup } = recorded;
  const isBeside = kept === backup ||
    kept.startsWith(`${backup}-`) && /^\d{1,4}$/.test(kept.slice(backup.length + 1));
  return isBeside ? kept : undefined;
}

/** The text of settings; undefined where there is none. A project's are bounded. Throws FileError. */
export function textAt(
  runtime: Pick<Runtime, "stat" | "readText">,
  { path, within }: Pick<AgentPlace, "path" | "within">,
): string | undefined {
  if (runtime.stat(path) === undefined) return undefined;
  return runtime.readText(path, within === null ? undefined : WORKSPACE_BOUND.bytes);
}
