import { type AgentName, isAgentName } from "../../agents/agent_name.ts";
import type { AgentSettings, SettingsScope } from "../../agents/agent.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import { type AgentPlace, agentPlace, checkInside, factsFor } from "../agent_place.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { inSettings, unmarked } from "../settings_text.ts";
import type { Invocation } from "../verb.ts";
import { writeFile, writing } from "../write_file.ts";
import { writeJson } from "../write_json.ts";

type Done = "removed" | "absent" | "would-remove";

/** Takes the hook out of an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name] = invocation.operands;
  if (!isAgentName(name)) throw new UsageError(`There is no agent "${name}"`);
  const { SETTINGS } = await import("../../agents/settings_registry.ts");
  const settings = SETTINGS[name];
  const facts = factsFor(runtime, flagValue(invocation, "workspace"));
  const scope: SettingsScope = flagValue(invocation, "scope") === "project" ? "project" : "user";
  const place = agentPlace(runtime, { settings, scope, facts });
  await checkInside(place);
  const done = await remove({ invocation, runtime, settings, place });
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done, agent: name, scope, path: place.path });
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

/** Whether a text is what installing made of the one before. */
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
      return `Took the hook out of ${visible(path)}`;
    case "would-remove":
      return `Would take the hook out of ${visible(path)}`;
    case "absent":
      return `Nothing to take out: ${visible(path)} has no hook of caliban for ${name}`;
  }
}
