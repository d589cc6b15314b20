import type { Capabilities } from "../../agents/agent.ts";
import type { AgentName } from "../../agents/agent_name.ts";
import { replySays } from "../../agents/reply_says.ts";
import { sampleEvent } from "../../agents/sample_event.ts";
import type { HookRun } from "../../gate/hooks/hook_run.ts";
import type { StartHook } from "../../io/process/hook_process.ts";
import { runHook } from "../../io/process/run_hook.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
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
  /** What was tried. */
  readonly name: "deny" | "allow" | "garbage";
  /** Whether the answer is what it must be. */
  readonly isGood: boolean;
  /** What the agent understands. */
  readonly says: string;
  /** How long it took, in ms. */
  readonly ms: number;
  /** What the hook said about it; empty for nothing. */
  readonly reason: string;
}

/** What a probe needs. */
export interface Probing {
  /** The agent. */
  readonly agent: AgentName;
  /** The command in its settings. */
  readonly command: string;
  /** What the agent makes of answers. */
  readonly capabilities: Capabilities;
  /** A folder whose policy is PROBE_POLICY. */
  readonly folder: string;
  /** An empty folder elsewhere, in which the command is run. */
  readonly elsewhere: string;
  /** The home that the command is told; undefined for none. */
  readonly home: string | undefined;
}

/** Tries an installed command: a call that is denied, one that is allowed, and what is no event. */
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
  { agent, folder }: Probing,
): { readonly input: string; readonly env: Readonly<Record<string, string>> } {
  if (name === "garbage") return { input: '{"tool_name": ', env: {} };
  const command = name === "deny" ? "caliban-doctor-denied" : "caliban-doctor-allowed";
  const { event, env } = sampleEvent(agent, { command, folder });
  return { input: JSON.stringify(event), env };
}

/** The command line in an environment that has a home and what the agent sets, and nothing else. */
function inEmptyEnvironment(
  { command, home }: Probing,
  env: Readonly<Record<string, string>>,
): string {
  const variables = Object.entries({ ...(home === undefined ? {} : { HOME: home }), ...env });
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
  const says = replySays({ status, stdout }, probing.capabilities);
  const stops = says === "deny";
  const isGood = name === "allow" ? says === "allow" || says === "silence" : stops;
  const told = says === "fault"
    ? `${run.end.kind}${status === undefined ? "" : ` ${status}`}`
    : says;
  return { name, isGood, says: told, ms: run.tookMs, reason: text(run.stderr.bytes) || stdout };
}
