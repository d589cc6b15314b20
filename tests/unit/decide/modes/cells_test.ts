import assert from "node:assert/strict";
import { test } from "node:test";
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import type { GateModeName } from "../../../../lib/gate/gate_parts.ts";
import { type JsonObject, TOOL_CLASSES, type ToolCall } from "../../../../lib/model/call.ts";
import { DISABLED, modeNamed, MODES } from "../../../../lib/decide/modes.ts";
import type { CompiledPolicy } from "../../../../lib/policy/compile/compiled_policy.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import table from "../../../cases/modes/cells.json" with { type: "json" };
import { auto, ended, gateOf, modeOf } from "../../gate/scene.ts";

type Cells = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

const CELLS: Cells = table.cells;

/** Tools of which the built-in rules know nothing, for classes whose own they allow. */
const TOOLS = `[tools.Look]
first_arg = "path"
kind = "path"
class = "read"
[tools.Steer]
first_arg = "to"
kind = "text"
class = "control"
`;

/** The sample of a class: a call, the specifier of a rule that matches it, and an input that it cannot be tried on. */
interface Sample {
  readonly tool: string;
  readonly input: JsonObject;
  readonly spec: string;
  readonly odd: JsonObject;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  read: { tool: "Look", input: { path: "src/a" }, spec: ":src/*", odd: { path: 1 } },
  edit: { tool: "Write", input: { path: "src/a" }, spec: ":src/*", odd: { path: 1 } },
  execute: { tool: "Bash", input: { command: "make a" }, spec: ":make *", odd: { command: 1 } },
  network: {
    tool: "WebFetch",
    input: { url: "https://x.org/" },
    spec: ":domain:x.org",
    odd: { url: "https://a@b@x.org/" },
  },
  control: { tool: "Steer", input: { to: "left" }, spec: ":le*", odd: { to: 1 } },
  unknown: { tool: "Mystery", input: { to: "left" }, spec: "(to=le*)", odd: { to: [] } },
};

const PROTECTED: Readonly<Record<string, JsonObject>> = {
  edit: { path: ".git/config" },
  execute: { command: "touch .git/config" },
};

interface Case {
  readonly policy: CompiledPolicy;
  readonly call: ToolCall;
}

function caseOf(origin: string, toolClass: string): Case {
  const { tool, input, spec, odd } = SAMPLES[toolClass]!;
  const rule = (action: string, pattern: string) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`;
  const policy = (...rules: readonly string[]) =>
    policyFromToml(TOOLS + rules.join(""), {
      builtin: origin === "no rule" ? "none" : "included",
      home: "/home/u",
    });
  const [action = ""] = origin.split(" ");
  switch (origin) {
    case "ask of a built-in rule":
    case "no rule":
      return { policy: policy(), call: { tool, input } };
    case "cannot be evaluated":
      return {
        policy: policy(rule("deny", `${tool}${spec}`), rule("allow", tool)),
        call: { tool, input: odd },
      };
    case "protected file":
      return { policy: policy(rule("allow", tool)), call: { tool, input: PROTECTED[toolClass]! } };
    default: {
      const pattern = origin.endsWith("with a spec") ? `${tool}${spec}` : tool;
      return { policy: policy(rule(action, pattern)), call: { tool, input } };
    }
  }
}

interface State {
  readonly mode: GateModeName;
  readonly model: "allow" | "hard_deny";
}

/** The mode that a column is about, and what the model says there. */
function stateOf(column: string): State {
  const [name = ""] = column.split(",");
  return {
    mode: name as GateModeName,
    model: column.endsWith("denies") ? "hard_deny" : "allow",
  };
}

test("the table has every mode, the state without permissions, every class and every origin", () => {
  const modes = table.states.map((column) => stateOf(column).mode);
  const names = [...MODES, DISABLED].map(({ name }) => name);
  assert.deepEqual([...new Set(modes)].toSorted(), names.toSorted());
  assert.deepEqual(modes.filter((mode) => mode === "auto").length, 2);
  const classes = [...TOOL_CLASSES, "unknown"].toSorted();
  for (const [origin, rows] of Object.entries(CELLS)) {
    const wanted = origin === "protected file" ? Object.keys(PROTECTED) : classes;
    assert.deepEqual(Object.keys(rows).toSorted(), wanted.toSorted(), origin);
    for (const row of Object.values(rows)) assert.equal(row.length, table.states.length);
  }
  const actions = ["allow", "deny", "ask"];
  const written = actions.flatMap((each) => [`${each} with a spec`, `${each} without a spec`]);
  const others = ["ask of a built-in rule", "no rule", "cannot be evaluated", "protected file"];
  assert.deepEqual(Object.keys(CELLS), [...written, ...others]);
});

test("every sample is of its class", () => {
  for (const [name, { tool }] of Object.entries(SAMPLES)) {
    const { policy } = caseOf("no rule", name);
    assert.equal(policy.profiles.get(tool).class ?? "unknown", name);
  }
});

for (const [origin, rows] of Object.entries(CELLS)) {
  for (const [toolClass, row] of Object.entries(rows)) {
    test(`${origin}, class ${toolClass}: what each mode makes of it`, async () => {
      const { policy, call } = caseOf(origin, toolClass);
      const ends = await Promise.all(table.states.map(async (column) => {
        const { mode, model } = stateOf(column);
        const gate = gateOf(policy, { mode: modeOf(mode), classifier: auto(model) });
        return ended(await gate.decide(call));
      }));
      assert.deepEqual(ends, row);
    });

    test(`${origin}, class ${toolClass}: check and explain say the same`, () => {
      const { policy, call } = caseOf(origin, toolClass);
      const evaluation = evaluateCall(policy, call);
      const said = table.states.map((column) => {
        const { mode } = stateOf(column);
        const applied = mode === "disabled" ? DISABLED : modeNamed(mode)!;
        const { decision, decidedBy } = decide(policy, evaluation, { mode: applied });
        return `${decision} ${decidedBy}`;
      });
      // Without a model the mode auto leaves every question one.
      const wanted = row.map((cell, at) => /classifier$/.test(cell) ? row[0] : row[at]);
      assert.deepEqual(said, wanted);
    });
  }
}
