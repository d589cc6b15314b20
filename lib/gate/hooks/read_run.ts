import type { JsonObject } from "../../model/call.ts";
import { defined, isJsonObject, isSameJson, isShallow } from "../../text/json_value.ts";
import { cutAt } from "../../text/quote.ts";
import type { HookEvent } from "./hook_event.ts";
import type { HookAnswer } from "./hook_outcome.ts";
import { failureOf, type HookOutput, type HookPlatform, type HookRun } from "./hook_run.ts";
import { type HookJson, isStricter, readDecision } from "./read_decision.ts";

/** The exit status that blocks. */
const BLOCKS = 2;
/** Longer reasons are cut, in UTF-16 code units. */
const LONGEST_REASON = 10_000;

/** The circumstances of a run. */
export interface RunScene {
  /** The event that the hook was run for. */
  readonly event: HookEvent;
  /** The platform it ran on. */
  readonly platform: HookPlatform;
}

/**
 * Reads the answer from one run of a hook.
 *
 * INVARIANT: for PreToolUse, an unreadable run that may have been meant to deny is an ask: one that failed, was cut or
 * printed something like a decision. Other exit statuses proceed with a warning, unless the output denies or asks; only 0
 * can allow.
 */
export function readRun(run: HookRun, scene: RunScene): HookAnswer {
  const answer = readOutputAnswer(run, scene);
  const failure = failureOf(run.end, scene.platform);
  if (failure !== undefined) {
    return answer.decision === "deny"
      ? { ...answer, warnings: [failure, ...answer.warnings] }
      : unknown(failure, scene);
  }
  const status = run.end.kind === "exited" ? run.end.status : undefined;
  if (status === 0) return answer;
  const stderr = shortText(run.stderr);
  if (status === BLOCKS) return denied({ reason: stderr, warnings: [] }, scene);
  const warning = `it ended with status ${status}, which decides nothing`;
  const warnings = [stderr === "" ? warning : `${warning}: ${stderr}`, ...answer.warnings];
  if (!isStricter(answer.decision, "allow")) return { decision: "proceed", warnings };
  const { decision, reason } = answer;
  return defined({ decision, reason, warnings });
}

/** The answer in the output, for any status. */
function readOutputAnswer(run: HookRun, scene: RunScene): HookAnswer {
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

function answerOf({ faults, ...json }: HookJson, scene: RunScene): HookAnswer {
  const warnings = faults.map((fault) => `its output cannot be read completely: ${fault}`);
  const { decision, updatedInput } = json;
  const reason = cutAt(json.reason ?? warnings[0] ?? "", LONGEST_REASON);
  if (decision === "deny") return denied({ reason, warnings }, scene);
  const { event } = scene;
  if (event.event !== "PreToolUse") return { decision: "proceed", warnings };
  // The call's own input is no change, and deciding the call again for it would never end.
  const isNew = updatedInput !== undefined && !isSameJson(updatedInput, event.call.input);
  return defined({
    decision,
    reason: reason === "" ? undefined : reason,
    updatedInput: isNew ? updatedInput : undefined,
    warnings,
  });
}

function denied(
  { reason, warnings }: { readonly reason: string; readonly warnings: readonly string[] },
  { event }: RunScene,
): HookAnswer {
  const own = `a hook of ${event.event} blocked it and gave no reason`;
  return { decision: "deny", reason: reason === "" ? own : reason, warnings };
}

/** The answer of a hook that gave none: an ask if one is possible, else a warning. */
function unknown(detail: string, { event }: RunScene): HookAnswer {
  if (event.event !== "PreToolUse") return { decision: "proceed", warnings: [detail] };
  return { decision: "ask", reason: `a hook gave no answer: ${detail}`, warnings: [detail] };
}

/** The text of a stream, invalid UTF-8 replaced. */
function shortText({ bytes }: HookOutput): string {
  // Four bytes are a code point at most, so this is no less than what is kept.
  const text = new TextDecoder().decode(bytes.subarray(0, 4 * LONGEST_REASON)).trim();
  return cutAt(text, LONGEST_REASON);
}

/** A hook's standard output. */
type OutputText =
  /** Nothing, or text for people. */
  | { readonly kind: "text" }
  /** A JSON object. */
  | { readonly kind: "json"; readonly value: JsonObject }
  /** Text that may have been meant to decide, with the reason why it is unreadable, without a final full stop. */
  | { readonly kind: "unreadable"; readonly detail: string };

/** Keys that only a decision has. */
const DECIDING = /"(?:permissionDecision|hookSpecificOutput|updatedInput|decision|continue)"\s*:/;

/**
 * Reads a hook's output. Text that begins with a brace, or has a key of the protocol anywhere (after a line that a shell's
 * profile printed), is an object or unreadable; any other cannot have been meant to decide.
 */
function readOutput({ bytes, isCut }: HookOutput): OutputText {
  if (isCut) return { kind: "unreadable", detail: `it is longer than ${bytes.length} bytes` };
  const text = new TextDecoder().decode(bytes);
  // UTF-16, as some shells write it, has a NUL in every other place and begins with a mark.
  const plain = text.replaceAll("\0", "");
  const begins = /^[\s\ufeff\ufffd]*\{/.test(plain);
  if (!begins && !DECIDING.test(plain)) return { kind: "text" };
  if (!isUtf8(bytes)) return { kind: "unreadable", detail: "it is not UTF-8" };
  return readJson(text) ?? {
    kind: "unreadable",
    detail: begins ? "it is not a JSON object" : "it has other text besides its JSON",
  };
}

/** The text as JSON; undefined if it is no object. */
function readJson(text: string): OutputText | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isJsonObject(value)) return undefined;
    if (!isShallow(value)) return { kind: "unreadable", detail: "it is nested too deep" };
    if (repeatsKey(text)) {
      return { kind: "unreadable", detail: "an object has a duplicate key" };
    }
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

/** Strings with the colon after them, and braces: the pieces of a JSON text that locate its keys. */
const PIECE = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs;

/**
 * True if an object in a valid JSON text has a duplicate key, escapes undone. Parsers differ in the one that counts: a call's
 * text that a script puts between quotes unescaped can add a second decision. Linear.
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
