import {
  type Definition,
  type PinRecord,
  type ServerPins,
  waitingTools,
  withAccepted,
} from "../../gate/mcp/tool_pins.ts";
import type { PinStore } from "../../gate/mcp/session_pins.ts";
import { findPolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { unifiedDiff } from "../../report/unified_diff.ts";
import { printedJson } from "../../text/printed_json.ts";
import { visible } from "../../text/visible.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, WriteError } from "../errors/errors.ts";
import { isConfirmed } from "../input/is_confirmed.ts";
import { writeJson } from "../output/print.ts";

/** The exit status when something still waits. */
const NOT_ACCEPTED = 1;

/** A definition that waits. */
interface Waiting {
  /** The server's key in the record. */
  readonly key: string;
  readonly server: ServerPins;
  readonly name: string;
  readonly accepted?: Definition;
  readonly waiting: Definition;
}

/** Shows the definitions that wait, asks on a terminal, and accepts exactly these. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const { pinFile, pinPath } = await import("../../io/write/pin_file.ts");
  const path = pinPath(runtime, location);
  const store = pinFile(runtime, path);
  const { workspaceReal: workspace } = location;
  const all = waitingIn(store.read(), { workspace, server: flagValue(invocation, "server") });
  const answer = await answerTo(all, { invocation, runtime, workspace });
  // A lack of permission is told even where nothing waits.
  if (answer.accepted.length > 0 || all.length === 0) await accept(store, answer.accepted);
  const isAll = answer.accepted.length === all.length;
  if (hasFlag(invocation, "json")) {
    const done = isAll && all.length > 0 ? "accepted" : "nothing";
    await writeJson(runtime, { done, workspace, record: path, tools: all.map(jsonOf) });
  } else await runtime.write("stdout", answer.end);
  return isAll ? EXIT.ok : NOT_ACCEPTED;
}

/** The tools that are accepted, and the last line about it. */
interface Answer {
  readonly accepted: readonly Waiting[];
  readonly end: string;
}

/**
 * Shows what waits, and asks on a terminal. INVARIANT: without --yes nothing is accepted unless a person has seen it in full
 * and was asked about it.
 */
async function answerTo(
  all: readonly Waiting[],
  { invocation, runtime, workspace }: {
    readonly invocation: Invocation;
    readonly runtime: Runtime;
    readonly workspace: string;
  },
): Promise<Answer> {
  const isJson = hasFlag(invocation, "json");
  if (all.length === 0) return { accepted: [], end: `Nothing waits in ${visible(workspace)}\n` };
  if (!isJson) await runtime.write("stdout", textOf(all));
  if (hasFlag(invocation, "yes")) return { accepted: all, end: "Accepted\n" };
  if (isJson || !runtime.isTerminal("stdin") || !runtime.isTerminal("stdout")) {
    return { accepted: [], end: "Nothing is accepted without a terminal; --yes accepts it\n" };
  }
  const shown = all.filter(({ waiting }) => waiting.text !== undefined);
  const rest = all.length - shown.length;
  const isYes = shown.length > 0 && await isConfirmed(runtime, "Accept these tools?");
  const longer = rest === 0
    ? ""
    : `Not accepted: ${rest} too long to be shown; --yes accepts them too\n`;
  return { accepted: isYes ? shown : [], end: isYes ? `Accepted\n${longer}` : longer };
}

function waitingIn(
  record: PinRecord,
  { workspace, server }: { readonly workspace: string; readonly server: string | undefined },
): readonly Waiting[] {
  return [...record].flatMap(([key, pins]) =>
    pins.workspace === workspace && (server === undefined || pins.server === server)
      ? waitingTools(pins).map((tool) => ({ key, server: pins, ...tool }))
      : []
  );
}

async function accept(store: PinStore, all: readonly Waiting[]): Promise<void> {
  const shownOf = (key: string) =>
    new Map(
      all.filter((each) => each.key === key).map(({ name, waiting }) => [name, waiting.hash]),
    );
  try {
    await store.edit((record) =>
      new Map([...record].map(([key, pins]) => [key, withAccepted(pins, shownOf(key))]))
    );
  } catch (error) {
    throw error instanceof FileError ? new WriteError(error.message, { cause: error }) : error;
  }
}

function textOf(all: readonly Waiting[]): string {
  return all.map((each) => {
    const { server, name, accepted } = each;
    const what = accepted === undefined ? "is new" : "has changed";
    const head = `The tool "${visible(name)}" of ${visible(server.server)} (${
      visible(server.program)
    }) ${what}:\n`;
    return `${head}${changeOf(each).map((line) => `  ${visible(line)}\n`).join("")}\n`;
  }).join("");
}

/** The definition, or its changes, in lines. */
function changeOf({ name, accepted, waiting }: Waiting): readonly string[] {
  const after = linesOf(waiting);
  const before = accepted && linesOf(accepted);
  if (after === undefined) return ["its definition is too long to show"];
  if (accepted === undefined || before === undefined) return after;
  const diff = unifiedDiff(name, { before: textFrom(before), after: textFrom(after) });
  return diff.split("\n").slice(2).filter((line) => line !== "");
}

function textFrom(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

function linesOf({ text }: Definition): readonly string[] | undefined {
  return text === undefined ? undefined : printedJson(JSON.parse(text), { indent: 2 }).split("\n");
}

function jsonOf({ server, name, accepted, waiting }: Waiting): object {
  const definitionOf = (given: Definition | undefined): unknown =>
    given?.text === undefined ? null : JSON.parse(given.text);
  return {
    server: server.server,
    tool: name,
    change: accepted === undefined ? "new" : "changed",
    definition: definitionOf(waiting),
    before: definitionOf(accepted),
  };
}
