import { CEDAR } from "../cedar/format.ts";
import { CLAUDE } from "../claude/format.ts";
import { CODEX } from "../codex/format.ts";
import { COPILOT } from "../copilot/format.ts";
import { CURSOR } from "../cursor/format.ts";
import { DROID } from "../droid/format.ts";
import type { Format } from "./format.ts";
import { GEMINI } from "../gemini/format.ts";
import { KIMI } from "../kimi/format.ts";
import { OPENCODE } from "../opencode/format.ts";
import { QWEN } from "../qwen/format.ts";
import { ROBOTA } from "../robota/format.ts";
import { RULESYNC } from "../rulesync/format.ts";

/** Every format of another agent, in the order of help. */
export const FORMATS: readonly Format[] = [
  CLAUDE,
  CODEX,
  GEMINI,
  OPENCODE,
  CURSOR,
  COPILOT,
  DROID,
  QWEN,
  KIMI,
  ROBOTA,
  RULESYNC,
  CEDAR,
];

/** The format of that name. */
export function formatNamed(name: string): Format | undefined {
  return FORMATS.find((format) => format.name === name);
}

/** The formats that a file can be read as, going by its path and text; more than one where they cannot be told apart. */
export function detectFormats(path: string, text: string): readonly Format[] {
  const fitting = FORMATS.filter((format) => format.read && format.detect(path, text));
  const plain = fitting.filter(({ name }) => name !== "claude");
  // Other agents write Claude Code's keys too; what names one of them is not Claude Code's.
  return plain.length > 0 ? plain : fitting;
}
