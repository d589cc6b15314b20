import { Relay } from "../../gate/mcp/relay.ts";
import { ServerGate } from "../../gate/mcp/server_gate.ts";
import { type PinStore, SessionPins } from "../../gate/mcp/session_pins.ts";
import { openAuditLog } from "../../io/audit/audit_log.ts";
import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import { serverProcesses } from "../../io/process/server_process.ts";
import { FileError, LoadError, type Runtime } from "../../io/runtime/runtime.ts";
import { flagValue, type Invocation } from "../args/verb.ts";
import { UsageError } from "../errors/errors.ts";
import { sentenceOf } from "../hook/failure.ts";
import { strictRuntime } from "../hook/hook_runtime.ts";
import { warn } from "../output/print.ts";
import { rulingFor } from "./ruling.ts";
import { EndSignals, LineWriter, relayed } from "./relayed.ts";

/** The names of servers that a rule can tell from those of tools. */
const SERVER = /^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_))*$/;

/** The longest name of a server: agents take no longer names of tools. */
const LONGEST_NAME = 64;

/** The most notes on standard error in one session: a server may send any number of wrong messages. */
const MOST_NOTES = 200;

/** Relays until the client or the server ends. */
export async function run(invocation: Invocation, given: Runtime): Promise<number> {
  const server = serverName(invocation);
  const { operands: command } = invocation;
  const [program = ""] = command;
  const runtime = strictRuntime(given);
  const workspace = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, workspace === undefined ? {} : { workspace });
  const { store, path } = await openPins(runtime, location);
  const processes = await serverProcesses(runtime);
  processes.requireFlags({ program, path });
  const ruling = rulingFor(invocation, runtime);
  const note = notesOn(runtime);
  const pins = new SessionPins({
    key: await runtime.sha256([server, location.workspaceReal, ...command].join("\0")),
    server: { server, program, workspace: location.workspaceReal },
    store,
    sha256: (text) => runtime.sha256(text),
    now: () => runtime.now(),
    note,
  });
  const gate: ServerGate = new ServerGate({
    server,
    pins,
    client: () => relay,
    ruling,
    sentence: sentenceOf,
    now: () => runtime.now(),
    machineAudit: openAuditLog(runtime),
    note,
  });
  const signals = new EndSignals(processes.onSignals);
  const process = await processes.startServer(command);
  const writer = new LineWriter(processes, { broken: () => process.stop() });
  const relay = new Relay({
    toClient: (line) => writer.send(line),
    toServer: (line) => process.write(line),
    taken: () => process.drained(),
    decide: (call, options) => gate.decide(call, options),
    listed: (page) => gate.listed(page),
    note,
    newId: () => crypto.randomUUID(),
  });
  const relaying = relayed(relay, { process, writer, runtime, signals });
  try {
    // The server starts meanwhile.
    await requirePermissions(ruling);
  } catch (error) {
    process.stop();
    await relaying;
    throw error;
  }
  return await relaying;
}

function serverName(invocation: Invocation): string {
  const name = flagValue(invocation, "server");
  if (name === undefined) {
    throw new UsageError("The server's name is missing", {
      hint: "For example:",
      command: "caliban mcp --server files -- npx -y @modelcontextprotocol/server-filesystem .",
    });
  }
  if (SERVER.test(name) && name.length <= LONGEST_NAME) return name;
  throw new UsageError(`The server cannot be named "${name}"`, {
    hint:
      'Use letters, digits, "-" and single "_", 64 at most: rules name its tools mcp__NAME__TOOL',
  });
}

/** The record of tool definitions; where it cannot be used, one that says so. */
async function openPins(
  runtime: Runtime,
  location: PolicyLocation,
): Promise<{ readonly store: PinStore; readonly path: string | undefined }> {
  const { pinFile, pinPath } = await import("../../io/write/pin_file.ts");
  try {
    const path = pinPath(runtime, location);
    return { path, store: pinFile(runtime, path) };
  } catch (error) {
    if (!(error instanceof FileError) || error.fault === "missing-flag") throw error;
    const store: PinStore = {
      read() {
        throw error;
      },
      edit: () => Promise.reject(error),
    };
    return { path: undefined, store };
  }
}

/** A permission that is missing is an error at once; a broken policy denies each call, since it may be mended. */
async function requirePermissions(ruling: () => Promise<unknown>): Promise<void> {
  try {
    await ruling();
  } catch (error) {
    const faults = error instanceof LoadError ? error.errors : [error];
    const isMissing = (fault: unknown) =>
      fault instanceof FileError && fault.fault === "missing-flag";
    if (faults.some(isMissing) || error instanceof UsageError) throw error;
  }
}

function notesOn(runtime: Runtime): (message: string) => void {
  let left = MOST_NOTES;
  return (message) => {
    if (left-- > 0) void warn(runtime, { label: "note:", message }).catch(() => {});
  };
}
