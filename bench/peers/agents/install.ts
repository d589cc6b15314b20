// Installs the agents of REAL_AGENTS, each in a folder of its own: one that cannot be had does not keep the others away. Their own
// scripts are not run; the tests skip what is missing, with the reason.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { AGENTS, libraryOf, NODE, nodeVersion, OWN_NODE, programOf } from "./installed.ts";
import { REAL_AGENTS } from "./real_agents.ts";

const FLAGS = ["--no-audit", "--no-fund", "--ignore-scripts"];
const UNSAVED = ["--no-save", "--no-package-lock"];

function install(folder: string, name: string, version: string, save = UNSAVED): void {
  const prefix = join(AGENTS, folder);
  const facts = join(prefix, "node_modules", name, "package.json");
  if (existsSync(facts) && JSON.parse(readFileSync(facts, "utf8")).version === version) return;
  const args = ["install", "--prefix", prefix, ...FLAGS, ...save, `${name}@${version}`];
  mkdirSync(prefix, { recursive: true });
  const { status, stderr } = spawnSync("npm", args, { encoding: "utf8", timeout: 600_000 });
  console.log(status === 0 ? `installed ${name} ${version}` : `cannot install ${name}: ${stderr}`);
}

if (nodeVersion("node") < NODE) install("node", OWN_NODE, "24.9.0");
for (const agent of REAL_AGENTS) {
  if (agent.folder === undefined) install(agent.agent, agent.package, agent.version);
  // The agent looks into the lock file whether its library is there.
  if (agent.library) install(libraryOf(agent), agent.library.package, agent.version, ["-E"]);
  const program = programOf(agent);
  // Grok's package has its program packed.
  if (!existsSync(program) && existsSync(`${program}.br`)) {
    writeFileSync(program, brotliDecompressSync(readFileSync(`${program}.br`)));
    chmodSync(program, 0o755);
  }
}
