import type { AgentName } from "../../agents/registry.ts";
import type { TextEdits } from "../../agents/settings/agent_settings.ts";
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
import { commandsOf } from "../write/write_hook.ts";
import { recording, writeFile, writing } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";
import { removeCopies } from "./copies.ts";

type Done = "removed" | "absent" | "would-remove";

/** Takes the hook out of an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { name, place, edits, location } = await agentTarget(invocation, runtime);
  const done = await remove({ invocation, runtime, name, edits, place, location });
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done, agent: name, scope: place.scope, path: place.path });
  } else await runtime.write("stdout", sentence(done, { name, path: place.path }) + "\n");
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

async function remove(removing: Removing): Promise<Done> {
  const { invocation, runtime, edits, place } = removing;
  if (runtime.stat(place.path) === undefined) return "absent";
  const commands = commandsOf(runtime.readText(place.path), { edits, place });
  const [command] = commands;
  if (command === undefined) return "absent";
  if (hasFlag(invocation, "dry-run")) return "would-remove";
  const below = folderOf(removing);
  const record = below === undefined ? undefined : await recordIn(below, runtime);
  const isOwnBackup = record?.files.some(({ path, backup }) => path === place.path && backup);
  await removeHook(removing, { command, isOwnBackup: isOwnBackup === true });
  if (below === undefined) return "removed";
  await removeCopies(runtime, { ...removing, below, commands });
  const { forgetInstall, recordPath } = await import("../../io/write/install_record.ts");
  await recording(() => forgetInstall(recordPath(below), place.path));
  return "removed";
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

async function recordIn(below: string, runtime: Runtime) {
  const { readRecord, recordPath } = await import("../../io/write/install_record.ts");
  return readRecord(runtime, recordPath(below));
}

async function removeHook(
  { runtime, edits, place }: Removing,
  { command, isOwnBackup }: { readonly command: string; readonly isOwnBackup: boolean },
): Promise<void> {
  const { path, backup, within } = place;
  const { isPlainFile, removeFile } = await import("../../io/write/own_files.ts");
  const before = isPlainFile(backup) ? runtime.readText(backup) : undefined;
  let isGone = false;
  let isRestored = false;
  await writeFile(path, (text) => {
    if (text === undefined) return undefined;
    isRestored = before !== undefined && isOurs(before, { text, edits, command });
    if (isRestored) return before;
    const { mark, text: plain } = unmarked(text);
    const left = inSettings(path, () => edits.uninstall(plain));
    isGone = left === undefined;
    // A file that we made has nothing of anybody else; it goes once its lock is given back.
    return left === undefined ? before === undefined ? undefined : `${mark}{}\n` : mark + left;
  }, { within });
  // A person changed the file since; without the hook it is newer than what was kept.
  if (isRestored || isOwnBackup) writing(() => removeFile(backup));
  if (isGone && before === undefined) {
    await checkInside(place);
    // A link that led to nothing before leads to nothing again.
    writing(() => removeFile(runtime.realPath(path) ?? path));
  }
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
