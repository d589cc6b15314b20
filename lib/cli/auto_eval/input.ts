import type { OpinionDecision } from "../../gate/auto/opinion.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { JsonObject, ToolCall } from "../../model/call.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { InputError } from "../errors.ts";
import { jsonLines } from "../json_lines.ts";

/** A call and the opinion that is right about it. */
export interface LabelledCall {
  /** Its line, from 1. */
  readonly line: number;
  /** The call. */
  readonly call: ToolCall;
  /** The opinion that is right. */
  readonly expect: OpinionDecision;
}

/** What a label may say; the rules' own words mean the same. */
const LABELS: ReadonlyMap<string, OpinionDecision> = new Map([
  ["allow", "allow"],
  ["soft_deny", "soft_deny"],
  ["hard_deny", "hard_deny"],
  ["ask", "soft_deny"],
  ["deny", "hard_deny"],
]);

/** How many bad lines are told. */
const SHOWN = 5;

/** The labelled calls of a file, or of standard input for `-`. Throws InputError when a line is bad or there is none. */
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
      hint: "A line is an object as:",
      command: '{"tool": "Bash", "input": {"command": "ls"}, "expect": "allow"}',
    });
  }
  if (calls.length === 0) throw new InputError(`Cannot read ${name}: it holds no calls`);
  return calls;
}

function chunksOf(file: string, runtime: Runtime): AsyncIterable<Uint8Array> {
  if (file === "-") return runtime.stdin();
  const path = pathStyle(runtime.platform).absolute(file, runtime.cwd());
  if (runtime.stat(path) === undefined) {
    throw new FileError(`Cannot read "${file}": there is no such file`, {
      path,
      fault: "not-found",
    });
  }
  const bytes = new TextEncoder().encode(runtime.readText(path).replace(/^\ufeff/, ""));
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
  if (expect === undefined) return '"expect" is none of allow, soft_deny and hard_deny';
  return {
    call: { tool, input: input as JsonObject, ...(cwd === undefined ? {} : { cwd }) },
    expect,
  };
}
