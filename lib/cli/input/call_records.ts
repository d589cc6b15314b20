import { auditPath } from "../../audit/audit_place.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { readRecorded, type RecordedCall } from "../../suite/replay_calls.ts";
import { jsonLines } from "../../text/json_lines.ts";
import { UsageError } from "../errors/errors.ts";
import { warn } from "../output/print.ts";
import { startProgress } from "../output/progress.ts";

/** One file of recorded calls. */
export interface RecordFile {
  readonly name: string;
  /** Its bytes; can be asked for once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** Records, and how far they are read. */
export interface RecordFiles {
  /** The records, in order. */
  readonly files: readonly RecordFile[];
  /** The part that is read, from 0 to 1; undefined where that is not known. */
  part(): number | undefined;
}

/** The contents of one line of a record. */
type ReplayLine =
  | { readonly kind: "calls"; readonly calls: readonly RecordedCall[] }
  | { readonly kind: "passed" }
  /** `place` is the record's name and the line, from 1. */
  | { readonly kind: "bad"; readonly place: string; readonly detail: string };

/** The records that the operands name; the audit log without one. Throws FileError and UsageError. */
export async function recordFiles(
  names: readonly string[],
  runtime: Runtime,
): Promise<RecordFiles> {
  if (names.length === 0) return { files: [await auditFile(runtime)], part: () => undefined };
  if (names.filter((name) => name === "-").length > 1) {
    throw new UsageError("Standard input (-) can be read only once");
  }
  // Loads the Node layer, which a bundle has in files of its own.
  const { fileChunks, fileSize } = await import("../../io/runtime/file_chunks.ts");
  const style = pathStyle(runtime.platform);
  let [size, done] = [0, 0];
  const files = names.map((name): RecordFile => {
    if (name === "-") return { name: "standard input", chunks: runtime.stdin() };
    const path = style.absolute(name, runtime.cwd());
    size += fileSize(path);
    return { name, chunks: fileChunks(path, { onRead: (bytes) => done += bytes }) };
  });
  return { files, part: () => names.includes("-") || size === 0 ? undefined : done / size };
}

async function auditFile(runtime: Runtime): Promise<RecordFile> {
  const path = auditPath({ platform: runtime.platform, env: (name) => runtime.env(name) });
  if (path === undefined) {
    throw new UsageError("Cannot locate the audit log: the home folder is unknown", {
      hint: "Name files with recorded calls",
    });
  }
  if (runtime.stat(path) === undefined) {
    const message =
      `No audit log at "${path}"; name files with recorded calls, or set "audit_log = true" under [permissions]`;
    await warn(runtime, { label: "note:", message });
  }
  const { readAuditLog } = await import("../../io/audit/read_audit_log.ts");
  return { name: "the audit log", chunks: readAuditLog(path, { end: "stop" }) };
}

/** The lines of all records, in order; blank ones are passed over in silence. Keeps one line in memory. */
async function* replayLines(files: readonly RecordFile[]): AsyncIterable<ReplayLine> {
  for (const { name, chunks } of files) {
    for await (const line of jsonLines(chunks)) {
      const read = line.ok
        ? readRecorded(line.value)
        : { kind: "bad", detail: line.detail } as const;
      yield read.kind === "bad" ? { ...read, place: `${name}:${line.number}` } : read;
    }
  }
}

/** Unreadable lines that are named; of more, the number. */
const NAMED = 5;

/** The number of lines that were read. */
export interface RecordsRead {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines without a call. */
  readonly passed: number;
  /** Lines that could not be read. */
  readonly bad: number;
  /** Warnings about the unreadable lines, one sentence each. */
  readonly warnings: readonly string[];
}

/** Reads all records and shows the progress; `take` gets each call with the index of its file. Throws FileError. */
export async function readRecords(
  { files, part }: RecordFiles,
  { runtime, take }: {
    readonly runtime: Runtime;
    readonly take: (recorded: RecordedCall, index: number) => void;
  },
): Promise<RecordsRead> {
  const progress = startProgress(runtime, { noun: "lines", part });
  const warnings: string[] = [];
  let [lines, passed, bad] = [0, 0, 0];
  try {
    for (const [index, file] of files.entries()) {
      for await (const line of replayLines([file])) {
        lines++;
        if (line.kind === "calls") { for (const call of line.calls) take(call, index); }
        else if (line.kind === "passed") passed++;
        else if (bad++ < NAMED) warnings.push(`Cannot read "${line.place}": ${line.detail}`);
        progress.tick(lines);
      }
    }
  } finally {
    await progress.clear();
  }
  const more = bad - NAMED;
  if (more > 0) warnings.push(`Cannot read ${more === 1 ? "1 more line" : `${more} more lines`}`);
  return { lines, passed, bad, warnings };
}
