// The reading of paths by the tools of real agents. Each agent plays a script of calls: without a hook, to see the files that its
// tools touch (tests/cases/agents/path_facts.json; UPDATE=1 rewrites it), and with the installed hook and denials.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import {
  knownEffect,
  type PathCase,
  pathCases,
  toolFacts,
  type Touched,
} from "../../tests/support/agent_paths/path_facts.ts";
import { inScene, installed } from "../../tests/support/agent_scene.ts";
import { withoutSearch } from "./agents/installed.ts";
import { touchedBy, trialsIn } from "./agents/path_trial.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";

const FACTS = new URL("../../tests/cases/agents/path_facts.json", import.meta.url);

/**
 * The cases of one run, without and with a hook. An agent slows down as its conversation grows, and Gemini CLI looks for a file in
 * 50 folders at the most.
 */
const MOST_CASES = { false: 40, true: 30 };

/** A case that is tried with its file in one folder or another. */
interface PlacedCase extends PathCase {
  readonly folder: string;
}

const RULES = [
  ...["Read", "Edit", "Write"].map((tool) => [`${tool}:secret/**`, "deny"]),
  ["Read:near/**/sibling.txt", "deny"],
  ["*", "allow"],
];

const POLICY = RULES.map(([pattern, action]) =>
  `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
).join("\n");

/** The effects of cases, in one run after another. */
async function effectsOf(
  agent: RealAgent,
  cases: readonly PlacedCase[],
  { isHooked }: { readonly isHooked: boolean },
): Promise<readonly Touched[]> {
  const effects: Touched[] = [];
  const most = MOST_CASES[`${isHooked}`];
  for (let from = 0; from < cases.length; from += most) {
    await inScene(async (scene) => {
      const trials = cases.slice(from, from + most)
        .flatMap((each) => trialsIn(scene, [each], each.folder));
      const script = trials.flatMap(({ calls }) => calls);
      const users = join(scene.home, ".config/caliban/permissions.toml");
      mkdirSync(dirname(users), { recursive: true });
      writeFileSync(users, POLICY);
      const beforeStart = async () => void await installed("deno", agent.agent, scene);
      const { results, printed } = await runAgent(agent, {
        ...scene,
        script,
        ...isHooked ? { beforeStart } : {},
      });
      assert.equal(results.length, script.length, `not every call was answered: ${printed}`);
      effects.push(...touchedBy(trials, { results, place: scene }));
    });
  }
  return effects;
}

for (const agent of REAL_AGENTS) {
  const cases = pathCases(agent.agent).map((each) => ({ ...each, folder: "secret" }));
  const skip = cases.length === 0
    ? `${agent.package} has no tool in the table`
    : withoutSearch(agent);

  test(`the files that ${agent.package} touches are those of the table`, { skip }, async () => {
    const effects = await effectsOf(agent, cases, { isHooked: false });
    const facts = { version: agent.version, tools: toolFacts(cases, effects) };
    const known = JSON.parse(readFileSync(FACTS, "utf8"));
    if (process.env["UPDATE"] === "1") {
      writeFileSync(FACTS, `${JSON.stringify({ ...known, [agent.agent]: facts }, null, 1)}\n`);
    } else assert.deepEqual(facts, known[agent.agent]);
  });

  test(`what hook install writes stops ${agent.package}, by whatever name`, { skip }, async () => {
    const plain = cases.filter(({ spelling }) => spelling.name === "absolute");
    const placed = (folder: string) =>
      plain.map((each) => ({ ...each, folder, id: `${folder}${each.id}` }));
    const reaching = cases.filter((each) => knownEffect(agent.agent, each) === "target");
    const tried = [...placed("ok"), ...placed("near"), ...reaching];
    const effects = await effectsOf(agent, tried, { isHooked: true });
    const found = tried.map(({ folder, tool, spelling }, at) =>
      [folder, tool.name, spelling.name, effects[at] ?? "nothing"] as const
    );
    // An allowed call has the effect that it has without a hook: opencode's grep of a file is one of its folder.
    assert.deepEqual(
      found.filter(([folder, , , effect], at) =>
        folder === "ok" && effect !== knownEffect(agent.agent, tried[at]!)
      ),
      [],
    );
    assert.deepEqual(
      found.filter(([folder, , , effect], at) =>
        folder === "near" && effect === "folder" &&
        knownEffect(agent.agent, tried[at]!) !== "folder"
      ),
      [],
    );
    assert.deepEqual(
      found.filter(([folder, , , effect]) => folder === "secret" && effect !== "nothing"),
      [],
    );
    assert.ok(reaching.length >= plain.length, `${reaching.length} spellings reach a file`);
  });
}
