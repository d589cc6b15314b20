import { formatPins, parsePins } from "../../gate/mcp/pin_record.ts";
import type { PinStore } from "../../gate/mcp/session_pins.ts";
import type { PinRecord } from "../../gate/mcp/tool_pins.ts";
import type { PolicyLocation } from "../load/policy_location.ts";
import { isOwnRecord, isThere, recordPathOf } from "../load/trust_files.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** Only the person reads it. */
const OWN = { within: null, newFolders: 5, mode: 0o600 } as const;

/** The time to wait for another process that edits it, in ms, since a client waits. */
const PATIENCE = 5_000;

/**
 * The path of the record of tool definitions on this machine, beside the record of trust. Throws FileError where the
 * environment names no folder for it, or one in the workspace.
 */
export function pinPath(runtime: Runtime, location: PolicyLocation): string {
  const trust = recordPathOf(runtime, location);
  if (trust === undefined) {
    const message = "Cannot locate the record of tools: neither XDG_STATE_HOME nor HOME is set";
    throw new FileError(message, { path: "mcp.json", fault: "not-found" });
  }
  const path = `${trust.slice(0, -"trust.json".length)}mcp.json`;
  if (isOwnRecord(runtime, { path, location })) {
    const message = `Cannot use the record of tools "${path}": it is in the workspace`;
    throw new FileError(message, { path, fault: "other" });
  }
  return path;
}

/** The record at a path, read and edited under its lock. */
export function pinFile(runtime: Runtime, path: string): PinStore {
  return {
    read: () => isThere(runtime, path) ? recordOf(runtime.readText(path), path) : new Map(),
    async edit(change) {
      // Loads the Node layer, which only writing needs.
      const { editFile } = await import("./edit_file.ts");
      await editFile(path, (text) => {
        const after = formatPins(change(text === undefined ? new Map() : recordOf(text, path)));
        return after === text ? undefined : after;
      }, { ...OWN, patience: PATIENCE });
    },
  };
}

function recordOf(text: string, path: string): PinRecord {
  try {
    return parsePins(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    const message = `Cannot read the record of tools "${path}": ${cause.message}`;
    throw new FileError(message, { path, fault: "other", cause });
  }
}
