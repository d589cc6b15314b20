import type { OpinionDecision } from "../../gate/auto/opinion.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { JsonObject, ToolCall } from "../../model/call.ts";
import { readNamedFile } from "../input/named_file.ts";
import { InputError } from "../errors/errors.ts";
import { jsonLines } from "../../text/json_lines.ts";

/** A call and the opinion that is right about it. */
export interface LabelledCall {
  /** Its line, from 1. */
  readonly line: number;
  readonly call: ToolCall;
  /** The opinion that is right. */
  readonly expect: OpinionDecision;
}

/** The labels; the actions of rules are accepted as synonyms. */
const LABELS: ReadonlyMap<string, OpinionDecision> = new Map([
  ["allow", "allow"],
  ["soft_deny", "soft_deny"],
  ["hard_deny", "hard_deny"],
  ["ask", "soft_deny"],
  ["deny", "hard_deny"],
]);

/** The number of bad lines that are named. */
const SHOWN = 5;

/** The labelled calls of a file, or of standard input for `-`. Throws InputError for a bad line and for an empty file. */
export async function readLabelledCalls(
  file: string,
  runtime: Runtime,
): Promise<readonly LabelledCall[]> {
  const calls: LabelledCall[] = [];
  const faults: string[] = [];
  for await (const line of jsonLines(chunksOf(file, runtime))) {
    const read = line.ok ? labelledCall(line.value) : line.detail;
    if (typeof read === "string") faults.push(`line ${line.number}: ${read}`);
    else calls.push({ ...read, line: line.number });
  }
  const name = file === "-" ? "standard input" : `"${file}"`;
  if (faults.length > 0) {
    const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : "";
    throw new InputError(`Cannot read ${name}: ${faults.slice(0, SHOWN).join("; ")}${more}`, {
      hint: "Each line is an object such as:",
      command: '{"tool": "Bash", "input": {"command": "ls"}, "expect": "allow"}',
    });
  }
  if (calls.length === 0) throw new InputError(`Cannot read ${name}: it contains no calls`);
  return calls;
}

function chunksOf(file: string, runtime: Runtime): AsyncIterable<Uint8Array> {
  if (file === "-") return runtime.stdin();
  const bytes = new TextEncoder().encode(readNamedFile(file, runtime).text);
  return once(bytes);
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** The labelled call of a line, or what is wrong with it. */
function labelledCall(value: JsonObject): Omit<LabelledCall, "line"> | string {
  const { tool, input, expect: label, cwd } = value;
  if (typeof tool !== "string" || tool === "") return '"tool" is missing or not a string';
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return '"input" is missing or not an object';
  }
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) return '"cwd" is not a path';
  const expect = typeof label === "string" ? LABELS.get(label) : undefined;
  if (expect === undefined) return '"expect" is not allow, soft_deny or hard_deny';
  return {
    call: { tool, input: input as JsonObject, ...(cwd === undefined ? {} : { cwd }) },
    expect,
  };
}
