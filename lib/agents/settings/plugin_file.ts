import type { AgentName } from "../registry.ts";
import type { TextEdits } from "./agent_settings.ts";
import { ownFile } from "./own_file.ts";

/** A module of ours that an agent loads. */
export interface PluginFile {
  readonly agent: AgentName;
  /** The code that answers the agent; `ask(event, cwd)` resolves to the answer of caliban, or throws. */
  readonly code: string;
}

/** The edits of a module of ours, which `uninstall` removes. */
export function pluginFile({ agent, code }: PluginFile): TextEdits {
  return ownFile({ agent, text: (json) => moduleText(json, { agent, code }) });
}

/** The import of the module: one of the agent's runtime. */
const FIRST = ["import { spawn }", "from", JSON.stringify(["node", "child_process"].join(":"))];

/** The function of the agent's runtime that sends a signal. */
const KILL = ["process", "kill"].join(".");

/** The text of the module; `json` is the command line as a JSON text. */
function moduleText(json: string, { agent, code }: PluginFile): string {
  return `// Written by "caliban hook install ${agent}"; "caliban hook uninstall ${agent}" removes it.
${FIRST.join(" ")};

const COMMAND = ${json};
const LIMIT_MS = 30000;

// Anything but a clear answer stops the call.
function ask(event, cwd) {
  return new Promise((resolve, reject) => {
    const stdio = ["pipe", "pipe", "pipe"];
    const child = spawn("/bin/sh", ["-c", COMMAND], { cwd, stdio, detached: true });
    const printed = { stdout: "", stderr: "" };
    const timer = setTimeout(() => {
      reject(new Error("caliban did not answer, so the call is stopped"));
      // It leads a process group: the processes that it has started end with it.
      try {
        ${KILL}(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
    }, LIMIT_MS);
    for (const name of ["stdout", "stderr"]) {
      child[name].setEncoding("utf8").on("data", (text) => printed[name] += text);
    }
    child.stdin.on("error", () => {});
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(new Error("caliban could not be started: " + error.message));
    });
    child.on("close", (status) => {
      clearTimeout(timer);
      if (status !== 0) return reject(new Error(printed.stderr.trim() || "caliban did not answer"));
      try {
        resolve(JSON.parse(printed.stdout));
      } catch {
        reject(new Error("caliban gave no readable answer"));
      }
    });
    child.stdin.end(JSON.stringify(event));
  });
}

${code}`;
}

/** The code of a plugin of opencode, and of agents that run its plugins. */
export const OPENCODE_PLUGIN = `export const Caliban = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await ask({
      hook_event_name: "tool.execute.before",
      session_id: input.sessionID,
      cwd: directory,
      project: worktree && worktree !== "/" ? worktree : directory,
      tool_name: input.tool,
      tool_input: output.args ?? {},
    }, directory);
    if (answer?.decision === "none") return;
    throw new Error(answer?.reason || "caliban denies it");
  },
});
`;
