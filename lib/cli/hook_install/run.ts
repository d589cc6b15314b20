import { type AgentName, isAgentName } from "../../agents/agent_name.ts";
import type { AgentSettings, SettingsScope } from "../../agents/agent.ts";
import { wireOf } from "../../agents/registry.ts";
import { openPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { labelled } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import { agentCommand } from "../agent_command.ts";
import {
  type AgentPlace,
  agentPlace,
  checkInside,
  factsFor,
  programFolder,
} from "../agent_place.ts";
import { hookLog } from "../hook/log.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { policyOptions } from "../policy_flags.ts";
import { inSettings, unmarked } from "../settings_text.ts";
import type { Invocation } from "../verb.ts";
import { writeFile, writing } from "../write_file.ts";
import { writeJson } from "../write_json.ts";

/** Writes the hook into an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name] = invocation.operands;
  if (!isAgentName(name)) throw new UsageError(`There is no agent "${name}"`);
  const { SETTINGS } = await import("../../agents/settings_registry.ts");
  const settings = SETTINGS[name];
  const facts = factsFor(runtime, flagValue(invocation, "workspace"));
  const scope: SettingsScope = flagValue(invocation, "scope") === "project" ? "project" : "user";
  const place = agentPlace(runtime, { settings, scope, facts });
  await checkInside(place);
  const files = await import("../../io/process/agent_program.ts");
  const { policy } = await openPolicy(runtime, policyOptions(invocation));
  const { writes, notes } = hookLog(policy, runtime);
  const program = files.agentProgram(runtime, {
    below: programFolder(runtime, facts, name),
    ...(writes === undefined ? {} : { writes }),
  });
  const command = agentCommand(name, { words: program.words, wire: await wireOf(name) });
  const before = textAt(runtime, place.path);
  const after = installed(before, { settings, command, place });
  const all = [...notesOf(settings, scope), ...notes];
  const outcome = { name, settings, place, command, before, after, notes: all };
  if (hasFlag(invocation, "dry-run")) {
    return await tell("would-install", { ...outcome, invocation, runtime });
  }
  writing(() => program.write());
  if (after === before) return await tell("unchanged", { ...outcome, invocation, runtime });
  const { writeBackup } = await import("../../io/write/own_files.ts");
  const earlier = place.within === null ? "replace" : "refuse";
  await writeFile(place.path, (text) => {
    // Under the lock: what another one installed meanwhile is not what was there before.
    if (text !== undefined && commandsOf(text, { settings, place }).length === 0) {
      writing(() => writeBackup(place.path, { to: place.backup, earlier }));
    }
    return installed(text, { settings, command, place });
  }, { within: place.within, newFolders: 4 });
  return await tell("installed", { ...outcome, invocation, runtime });
}

interface Editing {
  readonly settings: AgentSettings;
  readonly place: AgentPlace;
}

function installed(
  whole: string | undefined,
  { settings, command, place }: Editing & { readonly command: string },
): string {
  const { mark, text } = unmarked(whole ?? "");
  const given = whole === undefined ? undefined : text;
  return mark + inSettings(place.path, () => settings.install(given, { command }));
}

function commandsOf(whole: string, { settings, place }: Editing): readonly string[] {
  return inSettings(place.path, () => settings.commands(unmarked(whole).text));
}

function textAt(runtime: Runtime, path: string): string | undefined {
  return runtime.stat(path) === undefined ? undefined : runtime.readText(path);
}

interface Telling extends Editing {
  readonly name: AgentName;
  readonly command: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly notes: readonly string[];
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function tell(
  done: "installed" | "unchanged" | "would-install",
  telling: Telling,
): Promise<number> {
  const { name, place, command, notes, invocation, runtime } = telling;
  const { scope, path, backup } = place;
  const kept = runtime.stat(backup) === undefined ? null : backup;
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done, agent: name, scope, path, command, backup: kept, notes });
    return EXIT.ok;
  }
  await runtime.write("stdout", linesFor(done, telling, kept).join("\n") + "\n");
  return EXIT.ok;
}

function linesFor(
  done: "installed" | "unchanged" | "would-install",
  { name, place, after, notes }: Telling,
  kept: string | null,
): readonly string[] {
  const path = visible(place.path);
  const told = notes.flatMap((note) =>
    labelled(note, { text: "Note:", painted: "Note:", indent: 6 })
  );
  switch (done) {
    case "would-install":
      return [`Would write ${path}:`, visibleText(after)];
    case "unchanged":
      return [`Unchanged: ${path} has the hook already`];
    case "installed":
      return [
        `Wrote ${path}`,
        ...(kept === null ? [] : [`What was there before: ${visible(kept)}`]),
        ...told,
        `Try it: caliban doctor --agent ${name}`,
      ];
  }
}

function notesOf({ notes }: AgentSettings, scope: SettingsScope): readonly string[] {
  return scope === "user" ? notes : [...notes, OF_PROJECT];
}

const OF_PROJECT =
  "the file names paths of this machine: keep it out of git, or it stops the calls of others";

function visibleText(text: string): string {
  return text.trimEnd().split("\n").map(visible).join("\n");
}
