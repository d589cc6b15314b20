import type { AgentName } from "../../agents/registry.ts";
import type { TextEdits } from "../../agents/settings/agent_settings.ts";
import type { InstalledFile } from "../../io/write/install_record.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import {
  type AgentPlace,
  agentTarget,
  checkInside,
  inSettings,
  unmarked,
} from "../write/agent_settings.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { copiesFolder } from "../write/hook_program.ts";
import { backupPath, commandsOf, editedKeeper, installedAt, textAt } from "../write/write_hook.ts";
import { recording, writeFile, writing } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";
import { removeCopies } from "./copies.ts";

type Done = "removed" | "absent" | "would-remove";

/** The outcome, with the files beside the settings that stay. */
interface Outcome {
  readonly done: Done;
  readonly kept: readonly string[];
}

/** Takes the hook out of an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { name, place, edits, location } = await agentTarget(invocation, runtime);
  const { done, kept } = await remove({ invocation, runtime, name, edits, place, location });
  const { scope, path } = place;
  if (hasFlag(invocation, "json")) {
    const more = kept.length === 0 ? {} : { kept };
    await writeJson(runtime, { done, agent: name, scope, path, ...more });
  } else {
    const lines = [sentence(done, { name, path }), ...kept.map((each) => `Kept ${visible(each)}`)];
    await runtime.write("stdout", lines.join("\n") + "\n");
  }
  return EXIT.ok;
}

interface Removing {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly name: AgentName;
  readonly edits: TextEdits;
  readonly place: AgentPlace;
  readonly location: PolicyLocation;
}

async function remove(removing: Removing): Promise<Outcome> {
  const { invocation, runtime, edits, place } = removing;
  const text = textAt(runtime, place);
  const commands = text === undefined ? [] : commandsOf(text, { edits, place });
  const [command] = commands;
  const isDry = hasFlag(invocation, "dry-run");
  const below = folderOf(removing);
  const recorded = below === undefined
    ? undefined
    : await installedAt(runtime, { below, path: place.path });
  if (command === undefined && (recorded === undefined || isDry)) {
    return { done: "absent", kept: [] };
  }
  if (isDry) return { done: "would-remove", kept: [] };
  // A person may have taken the hook out; its copy and its record are still there.
  const kept = command === undefined
    ? keptBy(runtime, { place, recorded })
    : await removeHook(removing, { command, recorded });
  if (below === undefined) return { done: "removed", kept };
  await removeCopies(runtime, { ...removing, below, ...(command !== undefined && { commands }) });
  const { forgetInstall, recordPath } = await import("../../io/write/install_record.ts");
  await recording(() => forgetInstall(recordPath(below), place.path));
  return { done: "removed", kept };
}

/** The backup of a hook that is in no settings any more. */
function keptBy(
  runtime: Runtime,
  { place, recorded }: { readonly place: AgentPlace; readonly recorded: InstalledFile | undefined },
): readonly string[] {
  const backup = recorded && backupPath(place, recorded);
  return backup !== undefined && runtime.stat(backup) !== undefined ? [backup] : [];
}

/** The folder of the copies; undefined where none can be, since there is no home. */
function folderOf({ runtime, name, place, location }: Removing): string | undefined {
  try {
    return copiesFolder(runtime, { agent: name, scope: place.scope, location });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

interface Installed {
  readonly command: string;
  readonly recorded: InstalledFile | undefined;
}

/** Takes the hook out of the file. Returns the paths of what stays beside it. */
async function removeHook(
  { runtime, edits, place }: Removing,
  { command, recorded }: Installed,
): Promise<readonly string[]> {
  const { path, within } = place;
  const { isPlainFile, removeFile } = await import("../../io/write/own_files.ts");
  const keepEdited = await editedKeeper(path, { edits, recorded });
  const backup = backupPath(place, recorded);
  const before = backup !== undefined && isPlainFile(backup) ? runtime.readText(backup) : undefined;
  let left: string | undefined = "";
  let isRestored = false;
  const kept: string[] = [];
  await writeFile(path, (text) => {
    if (text === undefined) return undefined;
    isRestored = before !== undefined && isOurs(before, { text, edits, command });
    if (isRestored) return before;
    const { mark, text: plain } = unmarked(text);
    left = inSettings(path, () => edits.uninstall(plain));
    if (left !== undefined) return mark + left;
    if (edits.empty === null) {
      kept.splice(0, 1, ...writing(() => keepEdited(text)));
      isRestored = before !== undefined;
      return before;
    }
    // A file that we made has nothing of anybody else; it goes once its lock is given back.
    return before === undefined ? undefined : mark + edits.empty;
  }, { within });
  if (backup !== undefined && before !== undefined) {
    // A person changed the file since; without the hook it is newer than what was kept, unless nothing is left of it.
    const isNewer = recorded?.backup === true && (left !== undefined || before.trim() === "");
    if (isRestored || isNewer) writing(() => removeFile(backup));
    else kept.push(backup);
  } else if (left === undefined) {
    await checkInside(place);
    // A link that led to nothing before leads to nothing again.
    writing(() => removeFile(runtime.realPath(path) ?? path));
  }
  return kept;
}

/** True if a text is the result of installing into the previous one. */
function isOurs(
  before: string,
  { text, edits, command }: {
    readonly text: string;
    readonly edits: TextEdits;
    readonly command: string;
  },
): boolean {
  const { mark, text: plain } = unmarked(before);
  return mark + edits.install(plain, { command }) === text;
}

function sentence(
  done: Done,
  { name, path }: { readonly name: AgentName; readonly path: string },
): string {
  switch (done) {
    case "removed":
      return `Removed the hook from ${visible(path)}`;
    case "would-remove":
      return `Would remove the hook from ${visible(path)}`;
    case "absent":
      return `Nothing to remove: ${visible(path)} has no caliban hook for ${name}`;
  }
}
