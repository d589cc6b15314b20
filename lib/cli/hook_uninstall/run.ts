import type { AgentName } from "../../agents/registry.ts";
import type { AgentSettings } from "../../agents/settings/agent_settings.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import {
  type AgentPlace,
  agentTarget,
  checkInside,
  inSettings,
  unmarked,
} from "../write/agent_settings.ts";
import { EXIT } from "../errors/errors.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { writeFile, writing } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

type Done = "removed" | "absent" | "would-remove";

/** Takes the hook out of an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { name, settings, place } = await agentTarget(invocation, runtime);
  const done = await remove({ invocation, runtime, settings, place });
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done, agent: name, scope: place.scope, path: place.path });
  } else await runtime.write("stdout", sentence(done, { name, path: place.path }) + "\n");
  return EXIT.ok;
}

interface Removing {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly settings: AgentSettings;
  readonly place: AgentPlace;
}

async function remove({ invocation, runtime, settings, place }: Removing): Promise<Done> {
  const { path, backup, within } = place;
  if (runtime.stat(path) === undefined) return "absent";
  const whole = runtime.readText(path);
  const [command] = inSettings(path, () => settings.commands(unmarked(whole).text));
  if (command === undefined) return "absent";
  if (hasFlag(invocation, "dry-run")) return "would-remove";
  const { isPlainFile, removeFile } = await import("../../io/write/own_files.ts");
  const before = isPlainFile(backup) ? runtime.readText(backup) : undefined;
  let isGone = false;
  let isRestored = false;
  await writeFile(path, (text) => {
    if (text === undefined) return undefined;
    isRestored = before !== undefined && isOurs(before, { text, settings, command });
    if (isRestored) return before;
    const { mark, text: plain } = unmarked(text);
    const left = inSettings(path, () => settings.uninstall(plain));
    isGone = left === undefined;
    // A file that we made has nothing of anybody else; it goes once its lock is given back.
    return left === undefined ? before === undefined ? undefined : `${mark}{}\n` : mark + left;
  }, { within });
  if (isRestored) writing(() => removeFile(backup));
  else if (isGone && before === undefined) {
    await checkInside(place);
    // A link that led to nothing before leads to nothing again.
    writing(() => removeFile(runtime.realPath(path) ?? path));
  }
  return "removed";
}

/** True if a text is the result of installing into the previous one. */
function isOurs(
  before: string,
  { text, settings, command }: {
    readonly text: string;
    readonly settings: AgentSettings;
    readonly command: string;
  },
): boolean {
  const { mark, text: plain } = unmarked(before);
  return mark + settings.install(plain, { command }) === text;
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
