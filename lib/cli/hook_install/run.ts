import { type AgentName, loadHook } from "../../agents/registry.ts";
import type { AgentSettings, PlaceScope } from "../../agents/settings/agent_settings.ts";
import { openPolicy } from "../../io/load/load_policy.ts";
import type { ProgramForm } from "../../io/process/agent_program.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { labelled } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import { agentCommand, type AgentPlace, agentTarget } from "../write/agent_settings.ts";
import { copiesFolder, hookProgram } from "../write/hook_program.ts";
import { backupPath, installedAt, installedText, textAt, writeHook } from "../write/write_hook.ts";
import { hookLog } from "../hook/log.ts";
import { EXIT } from "../errors/errors.ts";
import { requireWhole } from "../errors/load_failure.ts";
import { policyOptions } from "../input/open_policy.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { writeJson } from "../output/print.ts";

/** Writes the hook into an agent's settings. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const { name, settings, place, edits, location } = await agentTarget(invocation, runtime);
  const { policy } = await openPolicy(runtime, policyOptions(invocation));
  const { writes, notes } = hookLog(policy, runtime);
  const about = { agent: name, scope: place.scope, location };
  await requireWhole(runtime);
  const program = await hookProgram(runtime, { ...about, writes });
  const command = agentCommand(name, { ...program, hook: await loadHook(name) });
  const before = textAt(runtime, place);
  const after = installedText(before, { edits, command, path: place.path });
  const all = [...notesOf(settings, place.scope), ...notes];
  const below = copiesFolder(runtime, about);
  const kept = async () => {
    const recorded = await installedAt(runtime, { below, path: place.path });
    return recorded && backupPath(place, recorded);
  };
  const { form } = program;
  const outcome = { name, place, command, after, form, notes: all, invocation, runtime };
  if (hasFlag(invocation, "dry-run")) {
    const done = after === before ? "unchanged" : "would-install";
    return await printOutcome(done, { ...outcome, kept: await kept() });
  }
  const edited = await writeHook(runtime, { agent: name, place, edits, program, below, command });
  const done = after === before ? "unchanged" : "installed";
  return await printOutcome(done, { ...outcome, edited, kept: await kept() });
}

interface InstallOutcome {
  readonly name: AgentName;
  readonly place: AgentPlace;
  readonly command: string;
  readonly after: string;
  readonly form: ProgramForm;
  readonly notes: readonly string[];
  /** The path of the text that was there before. */
  readonly kept: string | undefined;
  /** The path of what a person changed in the hook, where that was replaced. */
  readonly edited?: readonly string[];
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

async function printOutcome(
  done: "installed" | "unchanged" | "would-install",
  outcome: InstallOutcome,
): Promise<number> {
  const { name, place, command, form, notes, invocation, runtime, kept = null } = outcome;
  const { scope, path } = place;
  if (hasFlag(invocation, "json")) {
    const said = { done, agent: name, scope, path, command, program: form, backup: kept, notes };
    await writeJson(runtime, said);
    return EXIT.ok;
  }
  await runtime.write("stdout", linesFor(done, outcome).join("\n") + "\n");
  return EXIT.ok;
}

function linesFor(
  done: "installed" | "unchanged" | "would-install",
  { name, place, after, form, notes, kept, edited = [] }: InstallOutcome,
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
        ...(kept === undefined ? [] : [`Previous version: ${visible(kept)}`]),
        ...edited.map((each) => `Kept ${visible(each)}`),
        `Program: ${PROGRAMS[form]}`,
        ...noteLines,
        `Test it: caliban doctor --agent ${name}`,
      ];
  }
}

const PROGRAMS: Readonly<Record<ProgramForm, string>> = {
  compiled: "the compiled one",
  bundle: "the bundle",
  source:
    "the source; the bundle starts twice as fast: deno task bundle, then install with dist/caliban.js",
};

/** Managed hooks need nobody's trust; they hold for the agents of all people. */
function notesOf({ notes, switches }: AgentSettings, scope: PlaceScope): readonly string[] {
  switch (scope) {
    case "user":
      return notes;
    case "project":
      return [
        ...notes,
        ...(switches?.projectTrust === undefined ? [] : [switches.projectTrust]),
        OF_PROJECT,
      ];
    case "managed":
      return [];
  }
}

const OF_PROJECT =
  "the file contains paths of this machine: keep it out of git, or it stops other people's calls";

function visibleText(text: string): string {
  return text.trimEnd().split("\n").map(visible).join("\n");
}
