// Calls in the gaps of rules about texts, asked of caliban, of agents' own rules, and of other guards, engines and a sandbox
// (tests/cases/compare.json, which docs/compare.md is made of; UPDATE=1 rewrites it). SHOW=1 prints what agents answered.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { test } from "node:test";
import { AGENT_COLUMNS, titleOf } from "./compare/agents.ts";
import { engineColumns } from "./compare/engines.ts";
import { type Row, ROWS, RULES } from "./compare/rows.ts";

const FACTS = new URL("../../tests/cases/compare.json", import.meta.url);

/** The answers in one column of the table. */
interface Answers {
  readonly version: string;
  /** By the gap of the row. */
  readonly answers: Readonly<Record<string, string>>;
}

interface Facts {
  readonly rows: readonly Readonly<Record<"gap" | "rules" | "call", string>>[];
  readonly columns: Readonly<Record<string, Answers>>;
}

function known(): Facts {
  return existsSync(FACTS) ? JSON.parse(readFileSync(FACTS, "utf8")) : { rows: [], columns: {} };
}

/** The rules and the call of a row in words. */
function inWords({ set, gap, line, isServerTool }: Row): Facts["rows"][number] {
  const rules = RULES[set].map(({ pattern, action }) => `${action} \`${pattern}\``).join(", ");
  return {
    gap,
    rules,
    call: isServerTool ? `mcp__t__danger {"path": "${line}"}` : line,
  };
}

async function hold(
  title: string,
  version: string,
  answer: (row: Row) => Promise<string>,
): Promise<Answers["answers"]> {
  const answers: Record<string, string> = {};
  for (const row of ROWS) answers[row.gap] = await answer(row);
  const facts = known();
  if (process.env["UPDATE"] === "1") {
    const columns = { ...facts.columns, [title]: { version, answers } };
    const rows = ROWS.map(inWords);
    writeFileSync(FACTS, `${JSON.stringify({ rows, columns }, null, 1)}\n`);
  } else assert.deepEqual({ version, answers }, facts.columns[title], title);
  return answers;
}

for (const { title, version, answer } of await engineColumns()) {
  test(`the comparison's calls, asked of ${title} ${version}`, async () => {
    const answers = await hold(title, version, answer);
    if (title !== "caliban") return;
    const allowed = ROWS.filter(({ gap }) => answers[gap] === "allow").map((
      { gap },
    ) => gap);
    assert.deepEqual(allowed, ["none", "none, in a pipe"]);
  });
}

for (const { agent, skip, answer } of AGENT_COLUMNS) {
  test(
    `the comparison's calls, inside ${agent.package}`,
    { skip },
    async () => {
      const answers = await hold(titleOf(agent.agent), agent.version, answer);
      assert.deepEqual([answers["none"], answers["none, denied"]], [
        "runs",
        "stops",
      ]);
    },
  );
}
