import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES } from "../../../lib/agents/registry.ts";
import { isOwnCommand } from "../../../lib/agents/settings/own_command.ts";
import { agentProfile } from "../../../lib/agents/profile.ts";
import { HOOKS } from "../../support/agents.ts";
import { agentCommand } from "../../../lib/cli/write/agent_settings.ts";

test("a line is ours only as caliban writes it, or wrote it", () => {
  const own = [
    "/opt/caliban hook claude || exit 2",
    "/opt/caliban-linux hook claude --no-user || exit 2",
    "/opt/guard hook claude || exit 2 # caliban",
    "'/opt/a b/deno' run --quiet --allow-read /data/caliban/hooks/1/cli.ts hook claude || exit 2",
    "/usr/bin/node /data/caliban/hooks/1/caliban.js hook claude || echo '{\"a\": 1}'",
  ];
  for (const line of own) assert.ok(isOwnCommand(line, "claude"), line);
  const watched = agentCommand("claude", {
    words: ["/opt/caliban"],
    file: "/opt/caliban",
    hook: HOOKS.claude,
  });
  const others = [
    "caliban hook claude",
    "caliban hook claude || exit 2",
    "/opt/caliban hook claude",
    "echo 'see: caliban hook claude' >> n; exec my-own-guard",
    "/opt/guard --then caliban hook claude",
    "/opt/guard --then /opt/caliban hook claude || exit 2",
    "/opt/guard /opt/caliban hook claude || exit 2",
    "/opt/guard hook claude || exit 2",
    'log.sh "before caliban hook claude" && my-guard',
    "/opt/caliban hook claude && my-guard || exit 2",
    "/opt/caliban hook claude | tee log || exit 2",
    "/opt/caliban hook claude || my-guard",
    "/opt/caliban hook claude || echo x; my-guard",
    "/opt/caliban hook claude || exit 2; my-guard",
    "/opt/caliban hook claude $(my-guard) || exit 2",
    "/bin/sh -c 'my-guard; exit 2' caliban 5 /x '' /opt/caliban hook claude || exit 2",
    "/bin/sh -c my-guard /opt/caliban hook claude || exit 2",
    `${watched}; my-guard`,
    `my-guard; ${watched}`,
    watched.replace(" /opt/caliban hook", " my-guard /opt/caliban hook"),
    watched.replace("trap : HUP", "my-guard; trap : HUP"),
  ];
  for (const line of others) assert.equal(isOwnCommand(line, "claude"), false, line);
});

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
