import type { AgentEvent, Emission, Reply, Wire } from "../../agents/agent.ts";
import { isAgentName } from "../../agents/agent_name.ts";
import { answerEvent, type EventAnswer } from "../../agents/answer_event.ts";
import { emissionOf } from "../../agents/emission.ts";
import { isObject } from "../../agents/event_fields.ts";
import { exactCommand } from "../../agents/exact_command.ts";
import { wireOf } from "../../agents/registry.ts";
import { countNames, hasRepeatedName, MOST_NAMES } from "../../agents/repeated_name.ts";
import { modeNamed } from "../../decide/modes/registry.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Json, JsonObject } from "../../model/call.ts";
import { isTooDeep, MAX_DEPTH } from "../../text/json_depth.ts";
import { warnOfDangers } from "../dangers.ts";
import { InputError, UsageError } from "../errors.ts";
import { hasFlag } from "../invocation.ts";
import type { LoggedEvent } from "../log_event.ts";
import { startOf } from "../start_mode.ts";
import type { GivenFlag, Invocation } from "../verb.ts";
import { tryWrite, writeReply } from "../write_reply.ts";
import { openForEvent } from "./policies.ts";
import { hookReason } from "./reason.ts";

const LATCH = "allow-dangerously-skip-permissions";

/** Answers one event of an agent. */
export async function run(invocation: Invocation, given: Runtime): Promise<number> {
  const runtime = hookRuntime(given);
  const [name] = invocation.operands;
  if (!isAgentName(name)) throw new UsageError(`There is no agent "${name}"`);
  const wire = await wireOf(name);
  const late = deadlineOf(wire.capabilities.waitMs);
  const answered = await Promise.race([answer(wire, { invocation, runtime }), late.passed]);
  if (answered === undefined) throw new TooLate();
  const status = await writeReply(runtime, answered.reply);
  if (answered.isLogged) {
    await Promise.race([log({ ...answered, agent: name }, runtime), late.passed]);
  }
  late.cancel();
  return status;
}

/** INVARIANT: the agent has its answer by now, and nothing that fails here says another one. */
async function log(event: LoggedEvent, runtime: Runtime): Promise<void> {
  try {
    const { logEvent } = await import("../log_event.ts");
    await logEvent(event, runtime);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    const text = `warning: The audit log is not kept: ${detail}\n`;
    await tryWrite(runtime, { stream: "stderr", text });
  }
}

interface Answering {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

interface Answered {
  readonly raw: JsonObject;
  readonly event: AgentEvent;
  readonly answer: EventAnswer;
  readonly emission: Emission;
  readonly reason: string;
  readonly reply: Reply;
  /** Whether a policy wants it in the audit log. */
  readonly isLogged: boolean;
}

async function answer(wire: Wire, { invocation, runtime }: Answering): Promise<Answered> {
  const env = (name: string) => runtime.env(name);
  const raw = await readEvent(runtime);
  const read = wire.read(raw, { env });
  const { policy, others } = await openForEvent(read, { invocation, runtime });
  const start = startOf(policy.policy, { invocation: withMode(invocation, read), runtime });
  await warnOfDangers(start, runtime);
  const event = withCwd(read, policy.facts.cwd);
  const policies = [policy, ...others].map((each) => each.policy);
  const answer = answerEvent(event, {
    ...start.options,
    policy: policy.policy,
    others: policies.slice(1),
    now: runtime.now(),
  });
  const emission = emissionOf(answer, capabilitiesAt(wire, event));
  const exact = emission === "allow" ? exactCommand(event) : undefined;
  const reason = reasonOf(emission, answer);
  const saying = { emission, reason: hookReason(reason), event: event.name };
  return {
    raw,
    event,
    answer,
    emission,
    reason,
    reply: wire.reply({ ...saying, ...(exact === undefined ? {} : { exactCommand: exact }) }),
    isLogged: policies.some(({ settings }) => settings.auditLog?.value === true),
  };
}

function capabilitiesAt(wire: Wire, { name }: AgentEvent): Wire["capabilities"] {
  const { capabilities, requestCapabilities = capabilities } = wire;
  return name === "PermissionRequest" ? requestCapabilities : capabilities;
}

/** The event's mode counts as the flag would; one that lifts denials is the default mode without the latch. */
function withMode(invocation: Invocation, { mode }: AgentEvent): Invocation {
  if (mode === undefined) return invocation;
  const lifts = modeNamed(mode)?.liftsDenials === true && !hasFlag(invocation, LATCH);
  const flag: GivenFlag = { name: "permission-mode", value: lifts ? "default" : mode };
  return { ...invocation, flags: [...invocation.flags, flag] };
}

/** Calls whose folder the event does not name run where the hook does. */
function withCwd(event: AgentEvent, cwd: string): AgentEvent {
  const placed = (call: AgentEvent["calls"][number]) => ({ cwd, ...call });
  return { ...event, calls: event.calls.map(placed), readings: event.readings.map(placed) };
}

function reasonOf(
  emission: Emission,
  { action, reason }: { readonly action: string; readonly reason: string },
): string {
  if (emission !== "deny" || action === "deny") return reason;
  return `${reason}; nobody can be asked here, so it is denied: a person can allow it by a rule`;
}

/**
 * Values of variables that answer questions with allow, or lift the mode of a file. A project's settings can set variables
 * for its agent, and so for the hook, which goes by the flags of its own command. Stricter values count.
 */
const LOOSENING: Readonly<Record<string, readonly string[]>> = {
  CALIBAN_AUTO_ALLOW: ["1"],
  CALIBAN_DEFAULT_PERMISSION_MODE: ["default", "acceptEdits", "auto", "dontAsk"],
};

/** The runtime as a hook sees it: no variable answers a question. */
function hookRuntime(runtime: Runtime): Runtime {
  return {
    ...runtime,
    env(name) {
      const value = runtime.env(name);
      const loosens = Object.hasOwn(LOOSENING, name) ? LOOSENING[name]! : [];
      return value !== undefined && loosens.includes(value.trim()) ? undefined : value;
    },
  };
}

/** So much of the time that an agent waits is left for starting and for ending. */
const SPARED = 0.5;

/** The time in which an agent wants its answer is nearly over. */
class TooLate extends Error {
  override readonly name = "TooLate";

  /** The message is fixed. */
  constructor() {
    super("there was no answer in time");
  }
}

/** A moment after which no answer is of use. */
interface Deadline {
  /** Resolves to undefined when it has passed. */
  readonly passed: Promise<undefined>;
  /** Forgets it, so that it holds up nobody's end. */
  cancel(): void;
}

/** The moment at which an agent that waits so many ms must be told to stop, at the latest. */
function deadlineOf(waitMs: number): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), waitMs * SPARED);
  });
  return { passed, cancel: () => clearTimeout(timer) };
}

/** An event may have this many bytes: whole files stand in some. */
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
    throw new InputError("Cannot read the event: an object in it has a name twice");
  }
  if (isObject(value)) return value;
  throw new InputError("Cannot read the event: it is no JSON object");
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
    throw new InputError("Cannot read the event: it is no JSON", { cause });
  }
}
