// Each file that a tool of a real agent touched (tests/cases/agents/path_facts.json) is judged by the rules about that file. The table
// is read from the packages by `deno task test:peers`.
import assert from "node:assert/strict";
import { dirname, normalize } from "node:path/posix";
import { test } from "node:test";
import { answerEvent } from "../../../lib/agents/hook/answer_event.ts";
import type { AgentName } from "../../../lib/agents/registry.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { Action, JsonObject } from "../../../lib/model/call.ts";
import {
  knownEffect,
  PATH_FACTS,
  type PathCase,
  pathCases,
} from "../../support/agent_paths/path_facts.ts";
import { HOOKS, sampleEvent } from "../../support/agents.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const PROJECT = "/home/u/pro ject";
const FOLDER = "secret/f";

/** The file, or folder, that a case is about. */
function targetOf({ tool, spelling }: PathCase): string {
  return `${FOLDER}/target${spelling.part ?? ""}${tool.part === "list" ? "" : ".txt"}`;
}

function givenOf(each: PathCase): string {
  const below = targetOf(each);
  const path = each.tool.isAbsolute === true ? `${PROJECT}/${below}` : below;
  return each.spelling.spell({ path, below, project: PROJECT, fromHome: "pro ject" });
}

/** The event of an agent before a call. */
function eventOf(
  agent: AgentName,
  { name, input }: { readonly name: string; readonly input: JsonObject },
) {
  const { event, env } = sampleEvent(agent, { command: "x", folder: PROJECT });
  const changed = Object.entries(event).map(([key, value]) => {
    if (/^tool_?name$/i.test(key)) return [key, name];
    if (!/^tool_?(?:input|args)$/i.test(key)) return [key, value];
    return [key, typeof value === "string" ? JSON.stringify(input) : input];
  });
  return HOOKS[agent].read(Object.fromEntries(changed), { env: (key) => env[key] });
}

/** The answer to a case, in a project with nothing but its file. */
function answerTo(agent: AgentName, each: PathCase, rules: readonly TestRule[]): Action {
  const { tool } = each;
  const given = tool.input(givenOf(each), "text");
  const input = typeof given === "string" ? { command: given } : given;
  const folders: Readonly<Record<string, readonly string[]>> = {
    [PROJECT]: ["secret"],
    [`${PROJECT}/secret`]: ["f"],
    [`${PROJECT}/${FOLDER}`]: [targetOf(each).slice(FOLDER.length + 1)],
  };
  const policy = policyOf(rules, {
    cwd: PROJECT,
    context: {
      workspace: [PROJECT],
      listFolder: (folder) => {
        const path = folder.replace(/\/$/, "");
        const kind = path === `${PROJECT}/${FOLDER}` ? "other" : "folder";
        return folders[path]?.map((name) => ({ name, kind })) ?? null;
      },
    },
  });
  const event = eventOf(agent, { name: tool.name, input });
  return answerEvent(event, { policy, others: [], mode: defaultMode, now: 0 }).action;
}

/** The rules that deny one path and allow all others. */
function allBut(path: string): readonly TestRule[] {
  const denials = ["Read", "Edit", "Write"].map((tool) => ({
    pattern: `${tool}:${path}`,
    action: "deny" as const,
  }));
  return [...denials, { pattern: "*", action: "allow" }];
}

const ONLY_THE_FOLDER: readonly TestRule[] = [
  ...["Read", "Edit", "Write", "Glob", "Grep"].map((tool) => ({
    pattern: `${tool}:${FOLDER}/**`,
    action: "allow" as const,
  })),
  { pattern: "*", action: "ask", kind: "builtin" },
];

for (const agent of Object.keys(PATH_FACTS) as AgentName[]) {
  const seen = pathCases(agent).map((each) => ({ each, effect: knownEffect(agent, each) }));
  const names = (cases: typeof seen) =>
    cases.map(({ each: { tool, spelling } }) => `${tool.name}, ${spelling.name}`);

  test(`${agent}: a denial of a file holds for each spelling that its tools read as that file`, () => {
    const reaching = seen.filter(({ effect }) => effect === "target");
    assert.ok(reaching.length >= 10, `only ${reaching.length} spellings`);
    const open = reaching.filter(({ each }) =>
      answerTo(agent, each, allBut(targetOf(each))) !== "deny"
    );
    assert.deepEqual(names(open), []);
  });

  test(`${agent}: a denial of a folder holds for each path that makes its tools show the folder`, () => {
    const showing = seen.flatMap(({ effect, each }) => {
      const folder = dirname(normalize(givenOf(each).replace(`${PROJECT}/`, "")));
      return effect === "folder" && !/^[./]/.test(folder) ? [{ effect, each, folder }] : [];
    });
    const open = showing.filter(({ each, folder }) =>
      answerTo(agent, each, allBut(folder)) !== "deny"
    );
    assert.deepEqual(names(open), []);
  });

  test(`${agent}: an allow of a folder does not hold for a path that its tools write elsewhere`, () => {
    const elsewhere = seen.filter(({ effect, each }) =>
      effect !== undefined && !["target", "folder"].includes(effect) &&
      !new RegExp(`^(?:${PROJECT}/)?(?:\\./)?${FOLDER}/`).test(givenOf(each))
    );
    const open = elsewhere.filter(({ each }) => answerTo(agent, each, ONLY_THE_FOLDER) === "allow");
    assert.deepEqual(names(open), []);
  });
}
