import { agentProfile } from "../../agents/profile.ts";
import type { HookOff, PlacedHook, ReadFile } from "../../agents/settings/hook_switches.ts";
import { isOwnCommand } from "../../agents/settings/own_command.ts";
import type { AgentName } from "../../agents/registry.ts";
import { settingsValue } from "../../agents/settings/hook_switches.ts";
import type { AgentProgram } from "../../io/process/agent_program.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { inSettings, managedFile } from "../write/agent_settings.ts";
import { whyProgramGoes } from "../write/hook_program.ts";
import { readLine } from "./installed_line.ts";
import type { Installed } from "./survey.ts";
import type { SwitchFiles } from "./switch_files.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";

/** A fault of an installed hook that no probe shows, or a remark about it. */
export interface Remark {
  /** One clause. */
  readonly what: string;
  /** The step that mends it, a clause; absent where there is none. */
  readonly mend?: string;
}

/** The state of an installed command, besides its answers. */
export interface HookState {
  /** Faults: calls are unguarded, or will be. */
  readonly faults: readonly Remark[];
  /** Remarks that are no fault. */
  readonly notes: readonly Remark[];
}

/** The surroundings of an installed command. */
export interface StateInput {
  readonly runtime: Runtime;
  readonly location: PolicyLocation;
  /** The files that can switch hooks of its agent off, for each folder that it can be started in. */
  readonly views: SwitchFiles["views"];
  /** All installed commands of its agent. */
  readonly siblings: readonly Installed[];
  /** The program that `hook install` would write now. */
  readonly program: AgentProgram | undefined;
}

/** Judges an installed command by its line, its program, and the settings around it. */
export async function hookState(each: Installed, input: StateInput): Promise<HookState> {
  const line = await lineState(each, input);
  const off = offState(each, input);
  const trust = await trustFault(each, input);
  const { projectTrust, perRun } = each.settings.switches ?? {};
  return {
    faults: [...line.faults, ...off.faults, ...trust],
    notes: [
      ...line.notes,
      ...off.notes,
      ...(each.place.scope === "project" && projectTrust !== undefined
        ? [{ what: projectTrust }]
        : []),
      ...(perRun === undefined ? [] : [{ what: perRun }]),
    ],
  };
}

async function lineState(
  { agent, hook, place, edits, text, command }: Installed,
  { runtime, location, program: today }: StateInput,
): Promise<HookState> {
  const mend = `run: caliban hook update ${agent}`;
  if (!isOwnCommand(command, agent)) return { faults: [notOwn(agent)], notes: [] };
  const faults: Remark[] = [];
  const notes: Remark[] = [];
  const { isWatched, program, file } = readLine(command, { agent, hook });
  if (!isWatched) {
    faults.push({
      what: "the command lacks the current watchdog, so calls can run while the hook hangs",
      mend,
    });
  }
  if (inSettings(place.path, () => edits.install(text, { command })) !== text) {
    faults.push({ what: "the installed hook was changed and may miss calls", mend });
  }
  if (program !== undefined) {
    const why = runtime.stat(program) === undefined
      ? "it is missing, so every call is stopped"
      : await whyProgramGoes(runtime, { program, scope: place.scope, location });
    if (why !== undefined) {
      faults.push({ what: `its program ${program} does not last: ${why}`, mend });
    }
  }
  if (file !== undefined && isWatched && runtime.stat(file) === undefined) {
    faults.push({ what: `its copy of caliban, ${file}, is gone, so every call is stopped`, mend });
  } else if (file !== undefined && !await isAsInstalled(file)) {
    const what = `its copy of caliban, ${file}, was changed or cannot be read`;
    faults.push({ what, mend });
  } else if (faults.length === 0 && isOther(file, today)) {
    notes.push({ what: "its copy of caliban has another version than the running caliban", mend });
  }
  return { faults, notes };
}

/** A line that starts caliban, and that caliban did not write. */
function notOwn(agent: AgentName): Remark {
  return {
    what: "caliban did not write the command, so calls can run while the hook hangs",
    mend: `run: caliban hook install ${agent}, and take the line out yourself`,
  };
}

/** The folder of a copy, by one of its files. */
const COPY = /^.*\/hooks\/([0-9a-f]{12})(?=\/)/;

/** True if a file is in no copy, or if its copy has just the files that were written. Any other copy may stop calls, or decide in another way. */
async function isAsInstalled(file: string): Promise<boolean> {
  const [folder] = COPY.exec(file) ?? [];
  if (folder === undefined) return true;
  const { isWholeCopy } = await import("../../io/process/copy_folder.ts");
  const { digestOf } = await import("../../io/process/agent_program.ts");
  try {
    return isWholeCopy(folder, digestOf);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

/** True if a file is one of another copy than today's. */
function isOther(file: string | undefined, today: AgentProgram | undefined): boolean {
  const nameIn = (path: string) => COPY.exec(path)?.[1];
  if (file === undefined || today === undefined) return false;
  return nameIn(file) !== undefined && nameIn(file) !== nameIn(today.file);
}

function placed({ agent, place: { scope, path }, command }: Installed): PlacedHook {
  return { agent, scope, path, command };
}

function offBy(each: Installed, files: readonly ReadFile[]): HookOff | undefined {
  for (const check of each.settings.switches?.checks ?? []) {
    const off = check(files, placed(each));
    if (off !== undefined) return off;
  }
  return undefined;
}

/** A hook that is off is a fault where no other of the agent is on; the first folder in which that is so is told. */
function offState(each: Installed, { runtime, views, siblings }: StateInput): HookState {
  const notes: Remark[] = [];
  for (const files of views) {
    const off = offBy(each, files);
    if (off === undefined) continue;
    const what = `${off.path}: ${off.what}`;
    const other = siblings.find((sibling) => offBy(sibling, files) === undefined);
    if (other === undefined) {
      const mend = mendFor(each, { off, runtime });
      return { faults: [{ what: `${what}, so no call is guarded`, mend }], notes: [] };
    }
    notes.push({ what: `${what}; the hook in ${other.place.path} runs` });
  }
  return { faults: [], notes };
}

function mendFor(
  { agent, settings: { managed } }: Installed,
  { off, runtime }: { readonly off: HookOff; readonly runtime: Runtime },
): string {
  const isManaged = managed !== undefined && managedFile(runtime, managed) !== undefined;
  const install = `sudo caliban hook install ${agent} --scope managed`;
  if (off.scope === "managed" && off.sparesManaged && isManaged) return `run: ${install}`;
  const remove = off.scope === "managed" ? "have the administrator change it" : "change it there";
  return off.sparesManaged && isManaged ? `${remove}, or run: ${install}` : remove;
}

async function trustFault(
  each: Installed,
  { runtime, views: [files = []] }: StateInput,
): Promise<readonly Remark[]> {
  const { agent, settings, place, text } = each;
  if (settings.trust === undefined || place.scope === "managed") return [];
  const value = inSettings(place.path, () => settingsValue(place.path, text));
  const trust = settings.trust(files, placed(each), value);
  if (trust === undefined) return [];
  const { title } = agentProfile(agent);
  if (trust.trusted === undefined) {
    return [{
      what: `${title} has no record that you trust this hook, and passes over it`,
      mend: trust.remedy,
    }];
  }
  if (trust.trusted === await runtime.sha256(trust.definition)) return [];
  return [{
    what:
      `${title} has a record that you trust another hook in this place, and passes over this one`,
    mend: trust.remedy,
  }];
}
