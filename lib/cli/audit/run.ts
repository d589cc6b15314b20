import { type AuditRecord, recordLine } from "../../audit/audit_record.ts";
import { auditPath } from "../../audit/audit_place.ts";
import { ownText } from "../../audit/own_text.ts";
import { type AuditFilter, isWanted, readAuditLine, readTime } from "../../audit/read_audit.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { isAction } from "../../model/call.ts";
import { type Glob, parseGlob } from "../../pattern/glob.ts";
import { parseInstant } from "../../text/instant.ts";
import { cut } from "../../text/call_text.ts";
import type { TextStyle } from "../../report/color.ts";
import { painted } from "../../report/decision_text.ts";
import { columnsOf } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import { styleFor } from "../output/choose_color.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { flagValue, flagValues, hasFlag, type Invocation } from "../args/verb.ts";
import { warn } from "../output/print.ts";

/** The selection of decisions to print. */
interface Wanted {
  /** The filter of the entries. */
  readonly filter: AuditFilter;
  /** The largest number of entries. */
  readonly head: number;
  /** An entry as it is printed, ending in a newline. */
  readonly print: (entry: AuditRecord) => string;
}

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const filter = filterOf(invocation, runtime);
  const head = headOf(invocation);
  const path = pathOf(runtime);
  const json = hasFlag(invocation, "json");
  const end = hasFlag(invocation, "follow") ? "wait" : "stop";
  const color = styleFor(invocation, runtime);
  if (end === "stop" && head > 0 && !json) await noteMissing(runtime, path);
  const { since } = filter;
  // Loads the Node layer, which a bundle has in files of its own.
  const { chunkLines, readAuditLog } = await import("../../io/audit/read_audit_log.ts");
  const chunks = readAuditLog(path, { end, ...(since === undefined ? {} : { since }) });
  // It comes with the first entry, so that a log that cannot be read prints none; a person who waits for entries sees it at once.
  let heading = json ? "" : `${color.bold(HEADING)}\n`;
  const headed = (text = "") => {
    const both = heading + text;
    heading = "";
    return both;
  };
  const print = json ? recordLine : (entry: AuditRecord) => headed(entryText(entry, color));
  if (end === "wait" && !json && !await runtime.write("stdout", headed())) return EXIT.ok;
  const unreadable = await show(runtime, {
    lines: chunkLines(chunks),
    wanted: { filter, head, print },
  });
  if (heading !== "") await runtime.write("stdout", heading);
  if (unreadable > 0) {
    const lines = unreadable === 1 ? "1 line" : `${unreadable} lines`;
    await warn(runtime, { message: `${lines} of the audit log cannot be read as decisions` });
  }
  return EXIT.ok;
}

/** Prints the entries that are wanted as they come; answers how many lines cannot be read. */
async function show(
  runtime: Runtime,
  { lines, wanted }: { readonly lines: AsyncIterable<string>; readonly wanted: Wanted },
): Promise<number> {
  let shown = 0;
  let unreadable = 0;
  if (wanted.head === 0) return unreadable;
  for await (const line of lines) {
    const { entries, whole } = readAuditLine(line);
    if (!whole) unreadable++;
    for (const entry of entries) {
      if (!isWanted(entry, wanted.filter)) continue;
      if (!await runtime.write("stdout", wanted.print(entry))) return unreadable;
      if (++shown >= wanted.head) return unreadable;
    }
  }
  return unreadable;
}

const HEADING = "time (UTC)           what    by           call";

/** An entry in one line of at most the columns of the style, ending in a newline. */
function entryText(entry: AuditRecord, color: TextStyle): string {
  const instant = parseInstant(entry.time);
  const time = new Date(instant.ok ? instant.value : 0).toISOString().slice(0, 19).replace(
    "T",
    " ",
  );
  const what = `${painted(entry.decision, color)}${" ".repeat(8 - entry.decision.length)}`;
  const by = cut(visible(entry.decidedBy), 11).padEnd(13);
  return `${color.dim(time)}  ${what}${by}${cut(callOf(entry), columnsOf(color) - 42)}\n`;
}

/** The tool and its first argument, or its whole input as JSON; nothing hidden in it. */
function callOf({ tool, input }: AuditRecord): string {
  const whole = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
  return `${visible(tool)} ${visible(ownText({ tool, input })?.text ?? whole)}`.trimEnd();
}

function filterOf(invocation: Invocation, runtime: Runtime): AuditFilter {
  const [since, until] = ["since", "until"].map((name) => timeOf(name, { invocation, runtime }));
  return {
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    tools: flagValues(invocation, "tool").map(toolGlob),
    actions: flagValues(invocation, "action").filter(isAction),
  };
}

function timeOf(
  name: string,
  { invocation, runtime }: { readonly invocation: Invocation; readonly runtime: Runtime },
): number | undefined {
  const text = flagValue(invocation, name);
  if (text === undefined) return undefined;
  const time = readTime(text, runtime.now());
  if (time.ok) return time.value;
  throw new UsageError(`Cannot read --${name} "${text}": ${time.detail}`);
}

function toolGlob(text: string): Glob {
  const glob = parseGlob(text);
  if (glob.ok) return glob.value;
  throw new UsageError(`Cannot read --tool "${text}": ${glob.error.detail}`);
}

function headOf(invocation: Invocation): number {
  const text = flagValue(invocation, "head");
  if (text === undefined) return Infinity;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new UsageError(`Cannot read --head "${text}": expected a whole number`);
}

function pathOf(runtime: Runtime): string {
  const path = auditPath({ platform: runtime.platform, env: (name) => runtime.env(name) });
  if (path !== undefined) return path;
  throw new UsageError("Cannot locate the audit log: the home folder is unknown", {
    hint: "Set HOME or XDG_STATE_HOME",
  });
}

/** An empty list that has a reason which is easily changed. */
async function noteMissing(runtime: Runtime, path: string): Promise<void> {
  if (runtime.stat(path) !== undefined) return;
  const message = `No audit log at "${path}"; ` +
    '"audit_log = true" under [permissions] enables it';
  await warn(runtime, { label: "note:", message });
}
