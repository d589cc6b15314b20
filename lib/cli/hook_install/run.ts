import { type AgentName, loadHook } from "../../agents/registry.ts";
import type { AgentSettings, SettingsScope } from "../../agents/settings/agent_settings.ts";
import { openPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { labelled } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import {
  agentCommand,
  type AgentPlace,
  agentTarget,
  inSettings,
  programFolder,
  unmarked,
} from "../write/agent_settings.ts";
import { hookLog } from "../hook/log.ts";
import { EXIT } from "../errors/errors.ts";
import { policyOptions } from "../input/open_policy.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { writeFile, writing } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

/** Writes the hook into an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { name, settings, place, location } = await agentTarget(invocation, runtime);
  const files = await import("../../io/process/agent_program.ts");
  const { policy } = await openPolicy(runtime, policyOptions(invocation));
  const { writes, notes } = hookLog(policy, runtime);
  const program = files.agentProgram(runtime, {
    below: programFolder(runtime, location, name),
    ...(writes === undefined ? {} : { writes }),
  });
  const command = agentCommand(name, { ...program, hook: await loadHook(name) });
  const before = textAt(runtime, place.path);
  const after = installed(before, { settings, command, place });
  const all = [...notesOf(settings, place.scope), ...notes];
  const outcome = { name, settings, place, command, before, after, notes: all };
  if (hasFlag(invocation, "dry-run")) {
    return await printOutcome("would-install", { ...outcome, invocation, runtime });
  }
  writing(() => program.write());
  if (after === before) return await printOutcome("unchanged", { ...outcome, invocation, runtime });
  const { writeBackup } = await import("../../io/write/own_files.ts");
  const earlier = place.within === null ? "replace" : "refuse";
  await writeFile(place.path, (text) => {
    // Under the lock: what another one installed meanwhile is not what was there before.
    if (text !== undefined && commandsOf(text, { settings, place }).length === 0) {
      writing(() => writeBackup(place.path, { to: place.backup, earlier }));
    }
    return installed(text, { settings, command, place });
  }, { within: place.within, newFolders: 4 });
  return await printOutcome("installed", { ...outcome, invocation, runtime });
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

interface InstallOutcome extends Editing {
  readonly name: AgentName;
  readonly command: string;
  readonly before: string | undefined;
  readonly after: string;
  readonly notes: readonly string[];
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function printOutcome(
  done: "installed" | "unchanged" | "would-install",
  outcome: InstallOutcome,
): Promise<number> {
  const { name, place, command, notes, invocation, runtime } = outcome;
  const { scope, path, backup } = place;
  const kept = runtime.stat(backup) === undefined ? null : backup;
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done, agent: name, scope, path, command, backup: kept, notes });
    return EXIT.ok;
  }
  await runtime.write("stdout", linesFor(done, outcome, kept).join("\n") + "\n");
  return EXIT.ok;
}

function linesFor(
  done: "installed" | "unchanged" | "would-install",
  { name, place, after, notes }: InstallOutcome,
  kept: string | null,
): readonly string[] {
  const path = visible(place.path);
  const noteLines = notes.flatMap((note) =>
    labelled(note, { text: "Note:", painted: "Note:", indent: 6 })
  );
  switch (done) {
    case "would-install":
      return [`Would write ${path}:`, visibleText(after)];
    case "unchanged":
      return [`Unchanged: ${path} already has the hook`];
    case "installed":
      return [
        `Wrote ${path}`,
        ...(kept === null ? [] : [`Previous version: ${visible(kept)}`]),
        ...noteLines,
        `Test it: caliban doctor --agent ${name}`,
      ];
  }
}

function notesOf({ notes }: AgentSettings, scope: SettingsScope): readonly string[] {
  return scope === "user" ? notes : [...notes, OF_PROJECT];
}

const OF_PROJECT =
  "the file contains paths of this machine: keep it out of git, or it stops other people's calls";

function visibleText(text: string): string {
  return text.trimEnd().split("\n").map(visible).join("\n");
}
