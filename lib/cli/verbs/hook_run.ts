import { isAgentName } from "../../agents/agent_name.ts";
import { answerEvent, type EventAnswer } from "../../agents/answer_event.ts";
import type { AgentEvent, Emission, Reply, Wire } from "../../agents/agent.ts";
import { emissionOf } from "../../agents/emission.ts";
import { exactCommand } from "../../agents/exact_command.ts";
import { wireOf } from "../../agents/registry.ts";
import type { Runtime } from "../../io/runtime.ts";
import type { JsonObject } from "../../model/call.ts";
import { modeNamed } from "../../modes/registry.ts";
import { warnOfDangers } from "../dangers.ts";
import { deadlineOf, TooLate } from "../hook_deadline.ts";
import { openForEvent } from "../hook_policies.ts";
import { UsageError } from "../errors.ts";
import { hasFlag } from "../invocation.ts";
import type { LoggedEvent } from "../log_event.ts";
import { readEvent } from "../read_event.ts";
import { startOf } from "../start_mode.ts";
import type { GivenFlag, Invocation } from "../verb.ts";
import { hookReason } from "../hook_reason.ts";
import { hookRuntime } from "../hook_runtime.ts";
import { tryWrite, writeReply } from "../write_reply.ts";

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
