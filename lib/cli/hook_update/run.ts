import type { HookProtocol } from "../../agents/hook/hook_protocol.ts";
import {
  AGENT_NAMES,
  type AgentName,
  loadEach,
  loadHook,
  loadSettings,
} from "../../agents/registry.ts";
import { renewed } from "../../agents/settings/renew.ts";
import type { PlaceScope, TextEdits } from "../../agents/settings/agent_settings.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { requireWhole } from "../errors/load_failure.ts";
import { readLine } from "../doctor/installed_line.ts";
import { InputError, UsageError, WriteError } from "../errors/errors.ts";
import { logFolder } from "../hook/log.ts";
import { removeCopies } from "../hook_uninstall/copies.ts";
import { writeJson } from "../output/print.ts";
import {
  agentCommand,
  agentNamed,
  type AgentPlace,
  agentPlace,
  checkInside,
  editsOf,
  inSettings,
  unmarked,
} from "../write/agent_settings.ts";
import { copiesFolder, hookProgram } from "../write/hook_program.ts";
import { commandsOf, textAt, writeHook } from "../write/write_hook.ts";
import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";

/** The outcome for one settings file. */
interface Renewed {
  readonly agent: AgentName;
  readonly scope: PlaceScope;
  readonly path: string;
  readonly done: "updated" | "unchanged" | "would-update" | "failed";
  /** The reason of a failure, one sentence. */
  readonly why?: string;
  /** The path of what a person changed in the hook, where that was replaced. */
  readonly kept?: readonly string[];
}

/** Renews the hooks of this user, of the workspace and of the machine. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [named] = invocation.operands;
  const agents = named === undefined ? AGENT_NAMES : [agentNamed(named)];
  await requireWhole(runtime);
  const workspace = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, workspace === undefined ? {} : { workspace });
  const settings = await loadEach(agents, loadSettings);
  const hooks = await loadEach(agents, loadHook);
  const isDry = hasFlag(invocation, "dry-run");
  const results: Renewed[] = [];
  for (const agent of agents) {
    for (const scope of ["user", "project", "managed"] as const) {
      const place = placeOf(runtime, { name: agent, settings: settings[agent], scope, location });
      if (place === undefined || results.some(({ path }) => path === place.path)) continue;
      const edits = editsOf(settings[agent], scope);
      const renewing = { agent, hook: hooks[agent], place, edits, location, isDry };
      const done = await outcomeOf(runtime, renewing);
      if (done !== undefined) results.push({ agent, scope, path: place.path, ...done });
    }
  }
  if (hasFlag(invocation, "json")) await writeJson(runtime, { hooks: results });
  else await runtime.write("stdout", results.map(sentence).join("") || NOTHING);
  return results.some(({ done }) => done === "failed") ? 1 : 0;
}

const NOTHING = "Nothing to renew: no agent has a caliban hook\n";

function placeOf(
  runtime: Runtime,
  options: Parameters<typeof agentPlace>[1],
): AgentPlace | undefined {
  try {
    return agentPlace(runtime, options);
  } catch (error) {
    // Without a home, or settings of that owner, there is no such file.
    if (!(error instanceof UsageError)) throw error;
    return undefined;
  }
}

interface Renewing {
  readonly agent: AgentName;
  readonly hook: HookProtocol;
  readonly place: AgentPlace;
  readonly edits: TextEdits;
  readonly location: PolicyLocation;
  readonly isDry: boolean;
}

/** One file that fails does not keep the others from being renewed. */
async function outcomeOf(
  runtime: Runtime,
  renewing: Renewing,
): Promise<Pick<Renewed, "done" | "why" | "kept"> | undefined> {
  try {
    return await renew(runtime, renewing);
  } catch (error) {
    const isExpected = error instanceof InputError || error instanceof FileError ||
      error instanceof WriteError || error instanceof UsageError;
    if (!isExpected || lacksFlag(error)) throw error;
    return { done: "failed", why: error.message };
  }
}

/** True if the runtime lacks a permission, which every file would fail by. */
function lacksFlag(error: unknown): boolean {
  if (error instanceof FileError) return error.fault === "missing-flag";
  return error instanceof Error && lacksFlag(error.cause);
}

async function renew(
  runtime: Runtime,
  { agent, hook, place, edits, location, isDry }: Renewing,
): Promise<Pick<Renewed, "done" | "kept"> | undefined> {
  const before = textAt(runtime, place);
  if (before === undefined) return undefined;
  const commands = commandsOf(before, { edits, place });
  const [command] = commands;
  if (command === undefined) return undefined;
  await checkInside(place);
  if (place.scope === "project") checkFlags(commands, { agent, hook, place });
  const about = { agent, scope: place.scope, location };
  const program = await hookProgram(runtime, { ...about, writes: writesOf(runtime, command) });
  const { flags } = readLine(command, { agent, hook });
  const next = agentCommand(agent, { ...program, hook, flags });
  const edit = (whole: string | undefined) => {
    const { mark, text } = unmarked(whole ?? before);
    return mark + inSettings(place.path, () => renewed(text, { edits, commands, next }));
  };
  if (edit(before) === before && commands.length === 1) {
    if (!isDry) program.write();
    return { done: "unchanged" };
  }
  if (isDry) return { done: "would-update" };
  const below = copiesFolder(runtime, about);
  const kept = await writeHook(runtime, {
    agent,
    place,
    edits,
    program,
    below,
    command: next,
    edit,
  });
  await removeCopies(runtime, { location, place, below, commands });
  return { done: "updated", ...(kept.length > 0 && { kept }) };
}

/** Throws InputError where a line of a project has a flag: it came with the project, and could choose other rules. */
function checkFlags(
  commands: readonly string[],
  { agent, hook, place }: Pick<Renewing, "agent" | "hook" | "place">,
): void {
  const flag = commands.flatMap((command) => readLine(command, { agent, hook }).flags)
    .find((each) => each !== "--watched");
  if (flag === undefined) return;
  throw new InputError(
    `${place.path}: its line has the flag "${flag}", which no file of a project hands on; take the line out, then run: caliban hook install ${agent} --scope project`,
  );
}

/** The folder of the audit log, where the old command may write there. */
function writesOf(runtime: Runtime, command: string): string | undefined {
  const folder = logFolder(runtime);
  return folder !== undefined && command.includes(`--allow-write=${folder}`) ? folder : undefined;
}

function sentence({ agent, path, done, why = "", kept = [] }: Renewed): string {
  const file = visible(path);
  switch (done) {
    case "updated":
      return [
        `Renewed the hook for ${agent} in ${file}`,
        ...kept.map((each) => `Kept ${visible(each)}`),
      ]
        .map((line) => `${line}\n`).join("");
    case "unchanged":
      return `Unchanged: ${file} already has this version of the hook\n`;
    case "would-update":
      return `Would renew the hook for ${agent} in ${file}\n`;
    case "failed":
      return `Not renewed: ${visible(why)}\n`;
  }
}
