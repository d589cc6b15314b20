import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AgentName } from "../../lib/agents/registry.ts";
import { type Ended, finish, type Program, starter } from "./process.ts";
import { trustAtHome } from "./trust.ts";
import { withTempDir } from "./temp_dir.ts";

/** A project with a policy, a home and an empty folder elsewhere; with blanks and quotes in their names. */
export interface Scene {
  /** The project, with POLICY. */
  readonly project: string;
  /** An empty home. */
  readonly home: string;
  /** An empty folder. */
  readonly elsewhere: string;
}

/** The policy of the project. */
export const POLICY = `[[permissions.rules]]
pattern = "Bash:rm *"
action = "deny"

[[permissions.rules]]
pattern = "Bash:ls *"
action = "allow"
`;

/** Runs `use` in a new scene, and removes it. */
export function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  return withTempDir(async (top) => {
    const folder = (name: string) => join(top, "it's a folder", name);
    const scene = { project: folder("pro ject"), home: folder("ho me"), elsewhere: folder("else") };
    mkdirSync(join(scene.project, ".caliban"), { recursive: true });
    writeFileSync(join(scene.project, ".caliban/permissions.toml"), POLICY);
    mkdirSync(scene.home);
    mkdirSync(scene.elsewhere);
    await trustAtHome(scene.project, scene.home);
    await use(scene);
  });
}

/** Runs a verb as a process; its own caches apart, nothing of this one's environment is told. */
export async function verb(
  program: Program,
  words: readonly string[],
  scene: Scene,
): Promise<Ended> {
  const allow = ["read", "env", "write", "run"];
  return await finish([...starter(program, allow), ...words], {
    cwd: scene.project,
    env: { HOME: scene.home },
  });
}

/** Installs a hook and gives its command. */
export async function installed(program: Program, agent: AgentName, scene: Scene): Promise<string> {
  const ended = await verb(program, ["hook", "install", agent, "--json"], scene);
  assert.equal(ended.status, 0, ended.stderr);
  return JSON.parse(ended.stdout).command;
}

/** Runs an installed command as an agent does, from elsewhere, with a home and nothing else. */
export async function asked(command: string, about: Asked): Promise<Ended> {
  const { scene, input, env = {} } = about;
  const variables = Object.entries({ HOME: scene.home, ...env });
  const words = ["env", "-i", ...variables.map(([name, value]) => `${name}=${value}`)];
  return await finish([...words, "/bin/sh", "-c", command], { cwd: scene.elsewhere, input });
}

/** The place, input and variables of a run of an installed command. */
export interface Asked {
  /** The scene that it runs in. */
  readonly scene: Scene;
  /** Its standard input. */
  readonly input: string;
  /** Variables besides HOME; none when left out. */
  readonly env?: Readonly<Record<string, string>>;
}
