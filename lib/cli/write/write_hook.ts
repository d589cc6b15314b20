import type { AgentName } from "../../agents/registry.ts";
import type { TextEdits } from "../../agents/settings/agent_settings.ts";
import type { AgentProgram } from "../../io/process/agent_program.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
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
 * the file. Throws WriteError and InputError.
 */
export async function writeHook(hook: HookWriting): Promise<void> {
  const { agent, place, edits, program, below, command } = hook;
  const { edit = (text) => installedText(text, { edits, command, path: place.path }) } = hook;
  const { missingFolders, recordInstall, recordPath } = await import(
    "../../io/write/install_record.ts"
  );
  const { openToAll, writeBackup } = await import("../../io/write/own_files.ts");
  const record = recordPath(below);
  const folders = writing(
    () => [...missingFolders(`${below}/hooks/copy`), ...missingFolders(place.path)],
  );
  const earlier = place.within === null ? "replace" : "refuse";
  let isKept = false;
  let isNew = false;
  writing(() => program.write());
  await writeFile(place.path, (text) => {
    isNew = text === undefined;
    // Under the lock: what another one installed meanwhile is not what was there before.
    if (text !== undefined && commandsOf(text, hook).length === 0) {
      writing(() => writeBackup(place.path, { to: place.backup, earlier }));
      isKept = true;
    }
    return edit(text);
  }, { within: place.within, newFolders: 4 });
  const file = { agent, path: place.path, backup: isKept };
  await recording(() => recordInstall(record, { file, folders }));
  if (place.scope !== "managed") return;
  writing(() => openToAll([...folders, ...(isNew ? [place.path] : [])]));
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

/** The text of a file; undefined where there is none. Throws FileError. */
export function textAt(runtime: Runtime, path: string): string | undefined {
  return runtime.stat(path) === undefined ? undefined : runtime.readText(path);
}
