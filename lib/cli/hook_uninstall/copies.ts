import { AGENT_NAMES, loadEach, loadSettings } from "../../agents/registry.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { type AgentPlace, agentPlace } from "../write/agent_settings.ts";
import { UsageError } from "../errors/errors.ts";
import { writing } from "../write/write_file.ts";

/** Hooks that were taken out, and the place of their copies. */
interface Unused {
  readonly location: PolicyLocation;
  readonly place: AgentPlace;
  /** The folder of the copies. */
  readonly below: string;
  /** The commands that were taken out; absent where they are not known, which can be those of any copy. */
  readonly commands?: readonly string[];
}

/** The name of a copy in a command line. */
const COPY = /\/hooks\/([0-9a-f]{12})\//g;

/**
 * Removes the copies that commands started, unless settings that are known still name them: those of this user, of the workspace,
 * of the administrator, and wherever the record has a hook.
 */
export async function removeCopies(runtime: Runtime, unused: Unused): Promise<void> {
  const names =
    unused.commands?.flatMap((command) =>
      [...command.matchAll(COPY)].map(([, name = ""]) => name)
    ) ?? await copyNames(unused.below);
  if (names.length === 0) return;
  const texts = await knownTexts(runtime, unused);
  // A file that cannot be read could name any copy.
  if (texts === undefined) return;
  const { removeOldCopy } = await import("../../io/process/copy_folder.ts");
  const { digestOf } = await import("../../io/process/agent_program.ts");
  for (const name of new Set(names)) {
    if (texts.some((text) => text.includes(name))) continue;
    writing(() => removeOldCopy(`${unused.below}/hooks/${name}`, digestOf));
  }
}

/** The names of all copies. */
async function copyNames(below: string): Promise<readonly string[]> {
  const { namesIn } = await import("../../io/runtime/file_calls.ts");
  const { isFolder } = await import("../../io/write/own_files.ts");
  const folder = `${below}/hooks`;
  if (!isFolder(folder)) return [];
  return writing(() => namesIn(folder)).filter((name) => /^[0-9a-f]{12}$/.test(name));
}

/** The texts of settings that can name a copy; undefined where one cannot be read. */
async function knownTexts(
  runtime: Runtime,
  { location, below }: Unused,
): Promise<readonly string[] | undefined> {
  const { readRecord, recordPath } = await import("../../io/write/install_record.ts");
  const settings = await loadEach(AGENT_NAMES, loadSettings);
  const own = AGENT_NAMES.flatMap((name) =>
    (["user", "project", "managed"] as const).flatMap((scope) => {
      try {
        return [agentPlace(runtime, { name, settings: settings[name], scope, location }).path];
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        return [];
      }
    })
  );
  try {
    const recorded = readRecord(runtime, recordPath(below)).files.map(({ path }) => path);
    return [...new Set([...own, ...recorded])].flatMap((path) =>
      runtime.stat(path) === undefined ? [] : [runtime.readText(path)]
    );
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return undefined;
  }
}
