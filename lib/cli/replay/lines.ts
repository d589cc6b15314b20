import { auditPath } from "../../audit/audit_place.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { readRecorded, type RecordedCall } from "../../suite/replay_calls.ts";
import { UsageError } from "../errors.ts";
import { jsonLines } from "../json_lines.ts";
import { warn } from "../warn.ts";

/** One file of recorded calls. */
export interface RecordFile {
  /** Its name, as it is told. */
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

/** What stands in one line of a record. */
export type ReplayLine =
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
    throw new UsageError("Standard input (-) can be read once only");
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
    throw new UsageError("Cannot tell where the audit log is: no home folder is known", {
      hint: "Name the files that hold calls",
    });
  }
  if (runtime.stat(path) === undefined) {
    const message = `There is no audit log at "${path}"; name the files that hold calls`;
    await warn(runtime, { label: "note:", message });
  }
  const { readAuditLog } = await import("../../io/audit/read_audit_log.ts");
  return { name: "the audit log", chunks: readAuditLog(path, { end: "stop" }) };
}

/** The lines of all records, in order; blank ones are passed over in silence. Keeps one line in memory. */
export async function* replayLines(files: readonly RecordFile[]): AsyncIterable<ReplayLine> {
  for (const { name, chunks } of files) {
    for await (const line of jsonLines(chunks)) {
      const read = line.ok
        ? readRecorded(line.value)
        : { kind: "bad", detail: line.detail } as const;
      yield read.kind === "bad" ? { ...read, place: `${name}:${line.number}` } : read;
    }
  }
}
