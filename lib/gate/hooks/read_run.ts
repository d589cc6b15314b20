import type { JsonObject } from "../../model/call.ts";
import { isObject, isSameJson, isShallow } from "../../text/same_json.ts";
import type { HookEvent } from "./hook_event.ts";
import type { HookAnswer } from "./hook_outcome.ts";
import { failureOf, type HookOutput, type HookPlatform, type HookRun } from "./hook_run.ts";
import { isStricter, readDecision, type SaidDecision } from "./read_decision.ts";

/** The exit status that blocks. */
const BLOCKS = 2;
/** Longer reasons are cut, in UTF-16 code units. */
const LONGEST_REASON = 10_000;

/** What is known beside the run. */
export interface RunScene {
  /** The event that the hook was run for. */
  readonly event: HookEvent;
  /** The platform it ran on. */
  readonly platform: HookPlatform;
}

/**
 * What one run of a hook says.
 *
 * INVARIANT: for PreToolUse, a run that may have been meant to deny and cannot be read is an ask: one that failed, was cut
 * or printed something like a decision. Exit statuses of a hook's own proceed with a warning, unless their output denies
 * or asks; none but 0 can allow.
 */
export function readRun(run: HookRun, scene: RunScene): HookAnswer {
  const said = readSaid(run, scene);
  const failure = failureOf(run.end, scene.platform);
  if (failure !== undefined) {
    return said.decision === "deny"
      ? { ...said, warnings: [failure, ...said.warnings] }
      : unknown(failure, scene);
  }
  const status = run.end.kind === "exited" ? run.end.status : undefined;
  if (status === 0) return said;
  const told = shortText(run.stderr);
  if (status === BLOCKS) return denied({ reason: told, warnings: [] }, scene);
  const warning = `it ended with status ${status}, which decides nothing`;
  const warnings = [told === "" ? warning : `${warning}: ${told}`, ...said.warnings];
  if (!isStricter(said.decision, "allow")) return { decision: "proceed", warnings };
  const { decision, reason } = said;
  return { decision, ...(reason === undefined ? {} : { reason }), warnings };
}

/** What the output says, whatever the status. */
function readSaid(run: HookRun, scene: RunScene): HookAnswer {
  const output = readOutput(run.stdout);
  switch (output.kind) {
    case "text":
      return { decision: "proceed", warnings: [] };
    case "unreadable":
      return unknown(`its output cannot be read: ${output.detail}`, scene);
    case "json":
      return answerOf(readDecision(output.value, scene.event.event), scene);
  }
}

function answerOf({ faults, ...said }: SaidDecision, scene: RunScene): HookAnswer {
  const warnings = faults.map((fault) => `its output cannot be read in full: ${fault}`);
  const { decision, updatedInput } = said;
  const reason = shortened(said.reason ?? warnings[0] ?? "");
  if (decision === "deny") return denied({ reason, warnings }, scene);
  const { event } = scene;
  if (event.event !== "PreToolUse") return { decision: "proceed", warnings };
  // An input that is the call's already says nothing, and judging the call anew for it would never end.
  const isNew = updatedInput !== undefined && !isSameJson(updatedInput, event.call.input);
  return {
    decision,
    ...(reason === "" ? {} : { reason }),
    ...(isNew ? { updatedInput } : {}),
    warnings,
  };
}

function denied(
  { reason, warnings }: { readonly reason: string; readonly warnings: readonly string[] },
  { event }: RunScene,
): HookAnswer {
  const own = `a hook of ${event.event} blocked it and gave no reason`;
  return { decision: "deny", reason: reason === "" ? own : reason, warnings };
}

/** A hook whose answer nobody knows: an ask where one can be asked, else a warning. */
function unknown(detail: string, { event }: RunScene): HookAnswer {
  if (event.event !== "PreToolUse") return { decision: "proceed", warnings: [detail] };
  return { decision: "ask", reason: `a hook gave no answer: ${detail}`, warnings: [detail] };
}

/** What a stream has to say, in UTF-8 with what is none of it replaced. */
function shortText({ bytes }: HookOutput): string {
  // Four bytes are a code point at most, so this is no less than what is kept.
  return shortened(new TextDecoder().decode(bytes.subarray(0, 4 * LONGEST_REASON)).trim());
}

function shortened(text: string): string {
  if (text.length <= LONGEST_REASON) return text;
  return `${text.slice(0, LONGEST_REASON - 1).toWellFormed()}…`;
}

/** What a hook's standard output is. */
type OutputText =
  /** Nothing, or text for people. */
  | { readonly kind: "text" }
  /** A JSON object. */
  | { readonly kind: "json"; readonly value: JsonObject }
  /** What may have been meant to decide, and why it cannot be read, without a final full stop. */
  | { readonly kind: "unreadable"; readonly detail: string };

/** Keys that stand in no text but one that was to decide. */
const DECIDING = /"(?:permissionDecision|hookSpecificOutput|updatedInput|decision|continue)"\s*:/;

/**
 * Reads what a hook wrote. Only text that cannot have been meant to decide is passed over: what begins with a brace, or
 * has a key of the protocol anywhere (behind a line that a shell's profile printed), is an object or unreadable.
 */
function readOutput({ bytes, isCut }: HookOutput): OutputText {
  if (isCut) return { kind: "unreadable", detail: `it goes on after ${bytes.length} bytes` };
  const text = new TextDecoder().decode(bytes);
  // UTF-16, as some shells write it, has a NUL in every other place and begins with a mark.
  const plain = text.replaceAll("\0", "");
  const begins = /^[\s\ufeff\ufffd]*\{/.test(plain);
  if (!begins && !DECIDING.test(plain)) return { kind: "text" };
  if (!isUtf8(bytes)) return { kind: "unreadable", detail: "it is not UTF-8" };
  return readJson(text) ?? {
    kind: "unreadable",
    detail: begins ? "it is no JSON object" : "other text stands beside its JSON",
  };
}

/** What the text is as JSON; undefined when it is no object. */
function readJson(text: string): OutputText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return undefined;
    if (!isShallow(value)) return { kind: "unreadable", detail: "it is nested too deep" };
    if (repeatsKey(text)) return { kind: "unreadable", detail: "an object in it has a key twice" };
    return { kind: "json", value };
  } catch (error) {
    // A parser that calls itself runs out of stack with a RangeError.
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** The pieces of a JSON text that say where its keys are: strings with the colon behind them, and brackets. */
const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/**
 * Whether an object in a valid JSON text has a key twice, however it is spelled. Readers differ in which of them counts: a
 * script that puts a call's text between quotes itself can be made to say another decision behind its own. Linear.
 */
function repeatsKey(json: string): boolean {
  const open: Set<string>[] = [];
  for (const [piece, colon] of json.matchAll(PIECE)) {
    if (piece === "{") open.push(new Set());
    else if (piece === "}") open.pop();
    else if (colon !== undefined) {
      const key: string = JSON.parse(piece.slice(0, -colon.length));
      const keys = open.at(-1);
      if (keys?.has(key)) return true;
      keys?.add(key);
    }
  }
  return false;
}
