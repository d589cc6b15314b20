import type { ReplayReport } from "../../suite/replay_report.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Folders } from "../place_text.ts";

/** What reading the records came to. */
export interface ReadLines {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Lines without a call. */
  readonly passed: number;
  /** Lines that could not be read. */
  readonly bad: number;
}

/** A replay, ready to be told. */
export interface ToldReplay {
  /** What was counted. */
  readonly report: ReplayReport;
  /** What was read. */
  readonly read: ReadLines;
  /** What the other policy is called; absent without one. */
  readonly against?: string;
  /** The mode. */
  readonly mode: string;
  /** What paths are shown relative to. */
  readonly folders: Folders;
  /** The command that checks a call. */
  readonly command: (call: ToolCall) => string;
}
