import type { ReplayReport } from "../../suite/replay_report.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Folders } from "../place_text.ts";

/** The number of lines that were read. */
export interface ReadLines {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines without a call. */
  readonly passed: number;
  /** Lines that cannot be read. */
  readonly bad: number;
}

/** A replay with the context that a report needs. */
export interface ReplaySummary {
  /** The counts. */
  readonly report: ReplayReport;
  /** The lines that were read. */
  readonly read: ReadLines;
  /** The name of the other policy; absent without one. */
  readonly against?: string;
  readonly mode: string;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** The command that checks a call. */
  readonly command: (call: ToolCall) => string;
}
