import {
  type Answer,
  answerEvent,
  type AnswerOptions,
  type EventAnswer,
} from "../../agents/hook/answer_event.ts";
import type { AgentEvent, HookDecision, HookOutput } from "../../agents/hook/hook_protocol.ts";
import { countNames, hasRepeatedName, MOST_NAMES } from "../../text/json_names.ts";
import { type Sender, senderOf } from "../../agents/hook/sender.ts";
import { agentProfile, type Capabilities, capabilitiesAt } from "../../agents/profile.ts";
import { type AgentName, isAgentName, loadHook } from "../../agents/registry.ts";
import { type Mode, modeNamed } from "../../decide/modes.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Json, JsonObject } from "../../model/call.ts";
import { hookReason } from "../../text/hook_reason.ts";
import { isJsonObject, isTooDeep, MAX_DEPTH } from "../../text/json_value.ts";
import { type GivenFlag, hasFlag, type Invocation } from "../args/verb.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { loadParserFor, loadParserOnCall } from "../input/load_parser.ts";
import { trustWarnings } from "../input/open_policy.ts";
import { modeSettings, warnOfDangerousFlags } from "../input/start_mode.ts";
import { InstallationError, withInstallation } from "../errors/load_failure.ts";
import { sentenceOf, tryWrite, WATCHED, writeReply } from "./failure.ts";
import { hookRuntime, TooLate } from "./hook_runtime.ts";
import type { LoggedEvent } from "./log.ts";
import { openForEvent } from "./policies.ts";

const BYPASS_FLAG = "allow-dangerously-skip-permissions";

/** Answers one event of an agent. */
export async function run(invocation: Invocation, given: Runtime): Promise<number> {
  const [name] = invocation.operands;
  if (!isAgentName(name)) throw new UsageError(`Unknown agent "${name}"`);
  await loadParserOnCall();
  const named = { agent: name, hook: await loadHook(name) };
  const { waitMs } = agentProfile(name).hook;
  const late = deadlineOf(waitMs);
  const runtime = hookRuntime(given, { lastMs: performance.now() + waitMs * SPARED });
  const answered = await Promise.race([answer(named, { invocation, runtime }), late.passed]);
  if (answered === undefined) throw new TooLate();
  const isWatched = hasFlag(invocation, WATCHED);
  const status = await writeReply(answered.output, { runtime, isWatched });
  if (answered.isLogged) {
    await Promise.race([log({ ...answered, installed: name }, runtime), late.passed]);
  }
  late.cancel();
  return status;
}

/** INVARIANT: the agent has its answer by now; a failure here must not send another one. */
async function log(event: LoggedEvent, runtime: Runtime): Promise<void> {
  try {
    const { logEvent } = await import("./log.ts");
    await logEvent(event, runtime);
  } catch (error) {
    const named = await withInstallation(error, runtime).catch(() => error);
    const next = named instanceof InstallationError ? `. ${named.hint}` : "";
    const text = `warning: The audit log is not written: ${sentenceOf(named)}${next}\n`;
    await tryWrite(runtime, { stream: "stderr", text });
  }
}

interface Answering {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

interface Answered {
  /** The agent that sent the event. */
  readonly agent: AgentName;
  readonly raw: JsonObject;
  readonly event: AgentEvent;
  readonly answer: EventAnswer;
  readonly hookDecision: HookDecision;
  readonly reason: string;
  readonly output: HookOutput;
  /** True if a policy wants it in the audit log. */
  readonly isLogged: boolean;
}

async function answer(named: Sender, { invocation, runtime }: Answering): Promise<Answered> {
  const env = (name: string) => runtime.env(name);
  const raw = await readEvent(runtime);
  const { agent, hook } = await senderOf(named, raw);
  const read = hook.read(raw, { env });
  const { policy, others } = await openForEvent(read, { invocation, runtime });
  const start = modeSettings(policy.policy, { invocation: withMode(invocation, read), runtime });
  await warnOfDangerousFlags(start, runtime);
  const event = withCwd(read, policy.location.cwd);
  const policies = [policy, ...others].map((each) => each.policy);
  const deny = await denialsOf(start.options.mode, { policy, invocation, runtime });
  await loadParserFor(event.calls, policy.policy.profiles);
  const answer = answerEvent(event, {
    ...start.options,
    policy: policy.policy,
    others: policies.slice(1),
    now: runtime.now(),
    isModeManaged: start.isManaged,
    ...(deny && { deny }),
  });
  const decision = hookDecision(answer, capabilitiesAt(agent, event.name));
  const exact = decision === "allow" ? exactCommand(event) : undefined;
  const trusting = { call: answer.call, now: runtime.now() };
  const [note] = decision === "allow" ? [] : await trustWarnings(policy, trusting);
  const reason = [reasonOf(decision, answer), ...(note === undefined ? [] : [note])].join("; ");
  const response = {
    decision,
    reason: hookReason(reason),
    event: event.name,
    ...(note === undefined ? {} : { note: hookReason(note) }),
  };
  return {
    agent,
    raw,
    event,
    answer,
    hookDecision: decision,
    reason,
    output: hook.render({ ...response, ...(exact === undefined ? {} : { exactCommand: exact }) }),
    isLogged: policies.some(({ settings }) => settings.auditLog?.value === true),
  };
}

/** The denials that hold in the mode `auto`, where the hook asks no model: those of the list `hard_deny`. */
async function denialsOf(
  mode: Mode,
  { policy, ...opening }: {
    readonly policy: LoadedPolicy;
    readonly invocation: Invocation;
    readonly runtime: Runtime;
  },
): Promise<AnswerOptions["deny"]> {
  if (!mode.asksModel) return undefined;
  const [{ openAutoModeFor }, { deniedByList }] = await Promise.all([
    import("../input/open_auto_mode.ts"),
    import("../../gate/auto/apply_auto_mode.ts"),
  ]);
  const auto = await openAutoModeFor(policy, { ...opening, isAsked: false });
  return (asked) => deniedByList(asked, auto);
}

/** The event's mode counts as the flag would; one that lifts denials becomes the default mode unless the flag allows it. */
function withMode(invocation: Invocation, { mode }: AgentEvent): Invocation {
  if (mode === undefined) return invocation;
  const lifts = modeNamed(mode)?.liftsDenials === true && !hasFlag(invocation, BYPASS_FLAG);
  const flag: GivenFlag = { name: "permission-mode", value: lifts ? "default" : mode };
  return { ...invocation, flags: [...invocation.flags, flag] };
}

/** Calls whose folder the event does not name run where the hook does. */
function withCwd(event: AgentEvent, cwd: string): AgentEvent {
  const placed = (call: AgentEvent["calls"][number]) => ({ cwd, ...call });
  const { calls, readings, own } = event;
  return {
    ...event,
    calls: calls.map(placed),
    readings: readings.map(placed),
    ...(own && { own: placed(own) }),
  };
}

function reasonOf(
  emission: HookDecision,
  { action, reason }: { readonly action: string; readonly reason: string },
): string {
  if (emission !== "deny" || action === "deny") return reason;
  return `${reason}; the agent cannot ask here, so it is denied: a person can allow it by a rule`;
}

/** The share of the time that an agent waits after which its hook gives up; the rest is for starting and ending. */
export const SPARED = 0.5;

/** A moment after which no answer is of use. */
interface Deadline {
  /** Resolves to undefined when it has passed. */
  readonly passed: Promise<undefined>;
  /** Ends the wait. */
  cancel(): void;
}

/**
 * The moment at which an agent that waits so many ms must be told to stop, at the latest. The wait is for a word of memory that only
 * `cancel` wakes, because Deno loads its layer of Node for the first timer, which takes longer than the decision. Such a wait keeps no
 * process alive: one in which nothing else is under way ends at once, with the status 2 that cli.ts sets, which stops the call.
 */
function deadlineOf(waitMs: number): Deadline {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const { value } = Atomics.waitAsync(word, 0, 0, waitMs * SPARED);
  return {
    passed: Promise.resolve(value).then(() => undefined),
    cancel: () => void Atomics.notify(word, 0),
  };
}

/** The size limit of an event, in bytes: some contain whole files. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The event on standard input. Throws InputError for what is no JSON object in UTF-8. */
async function readEvent(runtime: Runtime): Promise<JsonObject> {
  const text = await readText(runtime);
  if (text.trim() === "") throw new InputError("Cannot read the event: standard input is empty");
  if (isTooDeep(text)) {
    throw new InputError(`Cannot read the event: it is nested deeper than ${MAX_DEPTH}`);
  }
  if (countNames(text) > MOST_NAMES) {
    throw new InputError(`Cannot read the event: it has more than ${MOST_NAMES} members`);
  }
  const value = parsed(text);
  if (hasRepeatedName(text, value)) {
    throw new InputError("Cannot read the event: an object has a duplicate key");
  }
  if (isJsonObject(value)) return value;
  throw new InputError("Cannot read the event: it is not a JSON object");
}

async function readText(runtime: Runtime): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const parts: string[] = [];
  let size = 0;
  try {
    for await (const chunk of runtime.stdin()) {
      size += chunk.length;
      if (size > MOST_BYTES) {
        throw new InputError(`Cannot read the event: it has more than ${MOST_BYTES} bytes`);
      }
      parts.push(decoder.decode(chunk, { stream: true }));
    }
    parts.push(decoder.decode());
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError("Cannot read the event: it is not UTF-8", { cause });
  }
  return parts.join("");
}

function parsed(text: string): Json {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    // The parser's own sentence is left to the cause: every runtime has another.
    throw new InputError("Cannot read the event: it is not valid JSON", { cause });
  }
}

/**
 * The hook's answer to an agent. INVARIANT: a deny is always given, and an ask is never left to an agent that would run the
 * call, unless the policy leaves it to the agent. An ask becomes an ask where the agent can ask, silence where no written
 * rule asks and the agent then judges by itself, and otherwise a deny.
 */
export function hookDecision(
  answer: Pick<Answer, "action" | "isOrdinary" | "isSpoken" | "isLeft">,
  { allow, ask, silence }: Capabilities,
): HookDecision {
  if (answer.isLeft) return "silence";
  if (silence === "judges") {
    if (answer.isOrdinary || answer.isSpoken && ask !== "prompts") return "silence";
  }
  switch (answer.action) {
    case "deny":
      return "deny";
    case "allow":
      return allow === "grants" ? "allow" : "silence";
    case "ask":
      return ask === "prompts" ? "ask" : "deny";
  }
}

/** Characters that stand for themselves in the rules of every agent. */
const PLAIN = /^[\w][\w@%+=./ -]*$/;

/** The command of an event, if a session rule can name exactly this command. */
export function exactCommand({ calls }: Pick<AgentEvent, "calls">): string | undefined {
  const [call, ...more] = calls;
  if (call?.tool !== "Bash" || more.length > 0) return undefined;
  const { command } = call.input;
  return typeof command === "string" && PLAIN.test(command) && command.length <= 200
    ? command
    : undefined;
}
