import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import agents from "../../../defaults/agents.json" with { type: "json" };
import builtin from "../../../defaults/permissions.json" with { type: "json" };
import presets from "../../../defaults/presets.json" with { type: "json" };
import tools from "../../../defaults/tools.json" with { type: "json" };
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";

const { keys } = tools;
const CONTROL = tools.tools.filter((tool) => tool.class === "control").map(({ name }) => name);
const OF_TODOS = tools.tools.filter((tool) => "aliasOf" in tool && tool.aliasOf === "TodoWrite")
  .map(({ name }) => name);

test("tools of the agent's bookkeeping have no argument that names a command, a file or a URL", () => {
  assert.ok(OF_TODOS.length >= 10);
  const words = new Set([...keys.files, ...keys.urls, ...keys.commands, ...keys.may_commands]);
  for (const { name, kind, firstArg, fields } of tools.tools) {
    if (!CONTROL.includes(name)) continue;
    assert.equal(kind, "text", name);
    assert.deepEqual(firstArg, [], name);
    for (const field of fields) assert.ok(!words.has(field.toLowerCase()), `${name}.${field}`);
  }
});

test("no preset denies the agent's bookkeeping, and the built-in rules allow it", () => {
  assert.ok(JSON.stringify(builtin).includes("TodoWrite"));
  for (const { name: preset, text } of [...presets.presets, { name: "", text: "" }]) {
    const policy = policyFromToml(text);
    for (const tool of ["TodoWrite", ...OF_TODOS]) {
      assert.equal(
        evaluate(policy, { tool, input: { question: "rm -rf /" } }).action,
        "allow",
        `${preset} ${tool}`,
      );
    }
    for (
      const tool of [
        "Task",
        "Agent",
        "write_stdin",
        "SlashCommand",
        "KillShell",
        "mcp__x__TaskCreate",
      ]
    ) {
      const { action } = evaluate(policy, { tool, input: {} });
      const isAllowed = preset === "three-gate";
      assert.equal(action === "allow", isAllowed, `${preset} ${tool}: ${action}`);
    }
  }
});

test("rules for TodoWrite hold for it, and rules for one of its tools come first where they stand above", () => {
  const policy = (...rules: string[][]) =>
    policyFromToml(
      rules.map(([action, pattern]) =>
        `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
      ).join(""),
    );
  const call = { tool: "TaskCreate", input: { subject: "x" } };
  assert.equal(evaluate(policy(["deny", "TodoWrite"]), call).action, "deny");
  assert.equal(
    evaluate(policy(["deny", "TaskCreate"], ["allow", "TodoWrite"]), call).action,
    "deny",
  );
  assert.equal(evaluate(policy(["deny", "*"]), call).action, "deny");
  // A file that its input names is judged nevertheless.
  const named = { tool: "TaskCreate", input: { subject: "x", path: "a/.env" } };
  assert.equal(evaluate(policy(["deny", "Read:**/.env"]), named).action, "deny");
});

test("what types into a running program or starts an agent is no bookkeeping of any agent", () => {
  const names = Object.entries(
    agents as Record<string, { tools?: Record<string, { tool: string }> }>,
  )
    .flatMap(([agent, { tools: own = {} }]) =>
      Object.entries(own).filter(([, { tool }]) => CONTROL.includes(tool)).map(([name]) =>
        `${agent} ${name}`
      )
    );
  assert.ok(names.length > 15);
  for (const name of names) {
    assert.doesNotMatch(
      name,
      / (?:.*stdin|.*_bash|.*input_to|task|Task|agent|Agent|.*spawn.*|.*memory.*)$/i,
      name,
    );
  }
});
