import type { Hook } from "../../gate/hooks/hook.ts";
import type { HookEvent } from "../../gate/hooks/hook_event.ts";
import type { HookDecision, HookOutcome, HookResult } from "../../gate/hooks/hook_outcome.ts";
import type { HookEnd, HookOutput } from "../../gate/hooks/hook_run.ts";
import type { Color } from "../../report/color.ts";
import { COLUMNS, indented } from "../../report/layout.ts";
import { type Folders, placeText } from "../../report/place_text.ts";
import { cut } from "../../text/call_text.ts";
import { visible } from "../../text/visible.ts";

/** The options of `hookText`. */
export interface HookTextOptions {
  readonly color: Color;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
}

const INDENT = " ".repeat(8);
/** The number of lines of a stream that are shown. */
const LINES = 5;
/** The duration, in ms, from which it is shown. */
const SLOW_MS = 1_000;

/** The result of a hook run for people: the combined answer, then each hook with its exit and output. */
export function hookText({ event, outcome, others }: TriedHooks, options: HookTextOptions): string {
  const { color } = options;
  const { decision, reason, updatedInput, results } = outcome;
  const call = "call" in event ? ` ${event.call.tool} ${JSON.stringify(event.call.input)}` : "";
  const head = `${event.event}${call === "" ? "" : visible(call)}`;
  const lines = [`${painted(decision, color)}${cut(head, COLUMNS - INDENT.length)}`];
  if (reason !== undefined) lines.push(...indented(`because: ${visible(reason)}`, INDENT));
  if (updatedInput !== undefined) {
    lines.push(...indented(`new input: ${visible(JSON.stringify(updatedInput))}`, INDENT));
  }
  if (results.length === 0) lines.push(`${INDENT}no hook runs`);
  for (const result of results) lines.push("", ...resultLines(result, options));
  if (others.length > 0) {
    lines.push("", "for other tools:", ...others.flatMap((hook) => hookLines(hook, options)));
  }
  return lines.join("\n") + "\n";
}

function painted(decision: HookDecision, color: Color): string {
  const padding = " ".repeat(INDENT.length - decision.length);
  switch (decision) {
    case "allow":
      return color.green(decision) + padding;
    case "ask":
      return color.yellow(decision) + padding;
    case "deny":
      return color.red(decision) + padding;
    case "proceed":
      return color.dim(decision) + " ";
  }
}

function resultLines(result: HookResult, options: HookTextOptions): readonly string[] {
  const { hook, run, decision, reason, warnings } = result;
  const took = run.tookMs < SLOW_MS ? "" : ` after ${(run.tookMs / 1000).toFixed(1)} s`;
  const says = `says: ${decision}${reason === undefined ? "" : `, ${visible(reason)}`}`;
  return [
    ...hookLines(hook, options),
    ...indented(`${endText(result)}${took}`, INDENT),
    ...indented(says, INDENT),
    // A hook without an answer has its warning for the reason.
    ...warnings.filter((warning) => reason?.includes(warning) !== true)
      .flatMap((warning) => indented(`warning: ${visible(warning)}`, INDENT)),
    ...outputLines("stdout", run.stdout),
    ...outputLines("stderr", run.stderr),
  ];
}

function hookLines(hook: Hook, { color, folders }: HookTextOptions): readonly string[] {
  const { source, matcher, command } = hook;
  const place = source.kind === "cli" ? source.path : placeText(source, folders);
  const tools = matcher.text === "" ? "" : `, for ${visible(matcher.text)}`;
  return [
    `hook    ${color.bold(cut(visible(command), COLUMNS - INDENT.length))}`,
    ...indented(`${place}${tools}`, INDENT),
  ];
}

function endText({ run: { end } }: HookResult): string {
  switch (end.kind) {
    case "exited":
      return `ended with status ${end.status}`;
    case "killed":
      return `was killed by ${end.signal}`;
    case "timed-out":
      return "was killed at its time limit";
    case "cancelled":
      return "was cancelled";
    case "not-started":
      return "was not started";
  }
}

/** The first lines of what a hook printed. */
function outputLines(name: string, { bytes, isCut }: HookOutput): readonly string[] {
  const text = new TextDecoder().decode(bytes.subarray(0, LINES * 4 * COLUMNS)).trimEnd();
  if (text === "") return [];
  const all = text.split("\n");
  const shown = all.slice(0, LINES)
    .map((line) =>
      `${INDENT}${name}: ${cut(visible(line), COLUMNS - INDENT.length - name.length - 2)}`
    );
  const isMore = isCut || all.length > LINES || bytes.length > LINES * 4 * COLUMNS;
  return isMore
    ? [...shown, `${INDENT}${name}: … (${bytes.length}${isCut ? " bytes and more" : " bytes"})`]
    : shown;
}

/** The result of running the hooks of an event. */
interface TriedHooks {
  readonly event: HookEvent;
  /** The combined answer of the hooks that ran. */
  readonly outcome: HookOutcome;
  /** The hooks of the event that are for other tools. */
  readonly others: readonly Hook[];
}

/** The same as a JSON object. */
export function hookJson({ event, outcome, others }: TriedHooks): object {
  const { results, ...answer } = outcome;
  return {
    event: event.event,
    ...("call" in event ? { tool: event.call.tool, input: event.call.input } : {}),
    ...answer,
    hooks: results.map(resultJson),
    others: others.map(({ command, matcher, source }) => ({
      command,
      matcher: matcher.text,
      source,
    })),
  };
}

function resultJson({ hook, run, ...answer }: HookResult): object {
  const { command, matcher, source } = hook;
  return {
    command,
    matcher: matcher.text,
    source,
    ...endJson(run.end),
    tookMs: run.tookMs,
    ...answer,
    stdout: new TextDecoder().decode(run.stdout.bytes),
    stderr: new TextDecoder().decode(run.stderr.bytes),
    cut: run.stdout.isCut || run.stderr.isCut,
  };
}

function endJson(end: HookEnd): object {
  const { kind, ...more } = end;
  return { end: kind, ...more };
}
