// A tool loop that asks caliban before every call. Calls come as JSON lines, as from a model:
//   echo '{"tool":"Bash","input":{"command":"git status"}}' | deno run -A examples/agent.ts
import { spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { writeFileSync } from "node:fs";
import process from "node:process";
import {
  askOnTerminal,
  createGate,
  createSharedMode,
  loadAutoMode,
  loadHooks,
  loadPolicy,
} from "../mod.ts";

const tools: Record<string, (input: Record<string, unknown>) => string> = {
  Bash: ({ command }) => spawnSync("bash", ["-c", String(command)], { encoding: "utf8" }).stdout,
  Write: ({ path, content }) => (writeFileSync(String(path), String(content)), `wrote ${path}`),
};

const policy = await loadPolicy();
const gate = createGate({
  policy,
  mode: createSharedMode({ policy }), // mode.cycle() on a key press, mode.set("auto") for a model's opinion
  hooks: await loadHooks(policy),
  classifier: await loadAutoMode(policy),
  ...(process.stdin.isTTY ? { ask: await askOnTerminal() } : { headless: true }),
});

for await (const line of createInterface({ input: process.stdin })) {
  const { decision, call, reason } = await gate.decide(JSON.parse(line));
  const run = tools[call.tool];
  if (decision !== "allow" || !run) console.log(`not run: ${reason}`);
  else console.log(run(call.input as Record<string, unknown>));
}
