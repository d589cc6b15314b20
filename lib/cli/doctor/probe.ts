import type { HookDecision } from "../../agents/hook/hook_protocol.ts";
import type { Capabilities } from "../../agents/profile.ts";
import type { AgentSettings } from "../../agents/settings/agent_settings.ts";
import type { HookRun } from "../../gate/hooks/hook_run.ts";
import type { StartHook } from "../../io/process/hook_process.ts";
import { runHook } from "../../io/process/hook_runner.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Json } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import { commandLine } from "../../text/quote.ts";

/** The policy that probes are answered by. */
export const PROBE_POLICY = `[[permissions.rules]]
pattern = "Bash:caliban-doctor-denied"
action = "deny"
reason = "the probe is denied"

[[permissions.rules]]
pattern = "Bash:caliban-doctor-allowed"
action = "allow"
`;

/** One try of an installed command. */
export interface Probe {
  /** The event that was sent. */
  readonly name: "deny" | "allow" | "garbage";
  /** True if the answer is what it must be. */
  readonly isGood: boolean;
  /** The answer as the agent understands it. */
  readonly says: string;
  /** The duration, in ms. */
  readonly ms: number;
  /** The hook's own explanation; empty if it gave none. */
  readonly reason: string;
}

/** The inputs of a probe. */
export interface Probing {
  /** Makes the events that are sent. */
  readonly sample: AgentSettings["sample"];
  /** The command in its settings. */
  readonly command: string;
  /** The answers that the agent understands. */
  readonly capabilities: Capabilities;
  /** A folder whose policy is PROBE_POLICY. */
  readonly folder: string;
  /** A file of no project with PROBE_POLICY: the allow of an untrusted project does not count. */
  readonly rules: string;
  /** An empty folder elsewhere, in which the command is run. */
  readonly elsewhere: string;
  /** The value of HOME for the command; undefined for none. */
  readonly home: string | undefined;
}

/** Tests an installed command: sends a denied call, an allowed call and a malformed event. */
export async function probe(
  probing: Probing,
  { start, runtime }: { readonly start: StartHook; readonly runtime: Runtime },
): Promise<readonly Probe[]> {
  const probes: Probe[] = [];
  for (const name of ["deny", "allow", "garbage"] as const) {
    const { input, env } = inputFor(name, probing);
    const run = await runHook(start, {
      command: inEmptyEnvironment(probing, env),
      input,
      cwd: probing.elsewhere,
      env: {},
      platform: runtime.platform,
      limitMs: probing.capabilities.waitMs,
    });
    probes.push(outcome(name, { run, probing }));
  }
  return probes;
}

function inputFor(
  name: Probe["name"],
  { sample, folder }: Probing,
): { readonly input: string; readonly env: Readonly<Record<string, string>> } {
  if (name === "garbage") return { input: '{"tool_name": ', env: {} };
  const command = name === "deny" ? "caliban-doctor-denied" : "caliban-doctor-allowed";
  const { event, env } = sample({ command, folder });
  return { input: JSON.stringify(event), env };
}

/** The command line in an environment that has a home, the policy and what the agent sets, and nothing else. */
function inEmptyEnvironment(
  { command, home, rules }: Probing,
  env: Readonly<Record<string, string>>,
): string {
  const own = { ...(home === undefined ? {} : { HOME: home }), CALIBAN_RULES: rules };
  const variables = Object.entries({ ...own, ...env });
  const words = variables.map(([name, value]) => `${name}=${value}`);
  return commandLine(["/usr/bin/env", "-i", ...words, "/bin/sh", "-c", command]);
}

function outcome(
  name: Probe["name"],
  { run, probing }: { readonly run: HookRun; readonly probing: Probing },
): Probe {
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  const stdout = text(run.stdout.bytes);
  const status = run.end.kind === "exited" ? run.end.status : undefined;
  const says = understoodDecision({ status, stdout }, probing.capabilities);
  const stops = says === "deny";
  const isGood = name === "allow" ? says === "allow" || says === "silence" : stops;
  const answer = says === "fault"
    ? `${run.end.kind}${status === undefined ? "" : ` ${status}`}`
    : says;
  return { name, isGood, says: answer, ms: run.tookMs, reason: text(run.stderr.bytes) || stdout };
}

/** The end of a hook's process. */
interface HookOutcome {
  /** The exit status; undefined where it was killed or not started. */
  readonly status: number | undefined;
  readonly stdout: string;
}

/** The answer as an agent understands it. `fault`: no valid answer; most agents then run the call. Total. */
export function understoodDecision(
  { status, stdout }: HookOutcome,
  { exitTwo }: Capabilities,
): HookDecision | "fault" {
  if (status === 2) return exitTwo === "stops" ? "deny" : "fault";
  if (status !== 0) return "fault";
  if (stdout.trim() === "") return "silence";
  const answer = parseJson(stdout);
  if (!isJsonObject(answer)) return "fault";
  const { hookSpecificOutput: specific } = answer;
  const inner = isJsonObject(specific) ? specific : {};
  const request = isJsonObject(inner["decision"]) ? inner["decision"] : {};
  const decision = answer["permission"] ?? answer["permissionDecision"] ??
    inner["permissionDecision"] ?? request["behavior"] ?? answer["decision"] ??
    (answer["cancel"] === true ? "deny" : undefined);
  switch (decision) {
    case undefined:
    case "none":
      return "silence";
    case "allow":
    case "deny":
    case "ask":
      return decision;
    case "force_ask":
      return "ask";
    default:
      return "fault";
  }
}

function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}
