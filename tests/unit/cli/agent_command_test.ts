import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES } from "../../../lib/agents/agent_name.ts";
import { isOwnCommand } from "../../../lib/agents/own_command.ts";
import { WIRES } from "../../../lib/agents/wires.ts";
import { agentCommand } from "../../../lib/cli/agent_command.ts";

for (const name of AGENT_NAMES) {
  const wire = WIRES[name];

  test(`${name}: the command is known as ours again, whatever the program is called`, () => {
    for (const words of [["/opt/guard"], ["/opt/a b/deno", "run", "/x/caliban/hooks/1/cli.ts"]]) {
      const command = agentCommand(name, { words, wire });
      assert.ok(isOwnCommand(command, name), command);
      assert.ok(AGENT_NAMES.every((other) => other === name || !isOwnCommand(command, other)));
    }
  });

  test(`${name}: a program that does not start stops the call`, () => {
    const command = agentCommand(name, { words: ["/opt/caliban"], wire });
    assert.match(command, wire.capabilities.exitTwo === "stops" ? / \|\| exit 2$/ : / \|\| echo '/);
  });
}
