import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES } from "../../../lib/agents/registry.ts";
import { isOwnCommand } from "../../../lib/agents/settings/agent_settings.ts";
import { agentProfile } from "../../../lib/agents/profile.ts";
import { HOOKS } from "../../support/agents.ts";
import { agentCommand } from "../../../lib/cli/write/agent_settings.ts";

for (const name of AGENT_NAMES) {
  const hook = HOOKS[name];

  test(`${name}: the command is known as ours again, whatever the program is called`, () => {
    for (const words of [["/opt/guard"], ["/opt/a b/deno", "run", "/x/caliban/hooks/1/cli.ts"]]) {
      const command = agentCommand(name, { words, file: "/x/caliban/hooks/1/cli.ts", hook });
      assert.ok(isOwnCommand(command, name), command);
      assert.ok(AGENT_NAMES.every((other) => other === name || !isOwnCommand(command, other)));
    }
  });

  test(`${name}: the command has nothing that an agent takes for a variable`, () => {
    const words = ["/home/a$b/%HOME%/`x`/\u202e/deno", "run"];
    const command = agentCommand(name, { words, file: "/home/$HOME/x", hook });
    assert.doesNotMatch(command, /[$\u202e]/);
  });

  test(`${name}: a program that does not start stops the call`, () => {
    const command = agentCommand(name, { words: ["/opt/caliban"], file: "/opt/caliban", hook });
    assert.match(
      command,
      agentProfile(name).hook.exitTwo === "stops" ? / \|\| exit 2$/ : / \|\| echo '/,
    );
  });
}
