import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { agentProfile } from "../../lib/agents/profile.ts";
import { AGENT_NAMES, type AgentName, AGENTS } from "../../lib/agents/registry.ts";
import { SPARED } from "../../lib/cli/hook/run.ts";

/** The time in which a process starts and ends on a slow machine, in ms. */
const MARGIN = 1_500;

/**
 * The time that an agent waits for its hook, in ms, written down here from the agents' documents, not from our table: its
 * own, or the one of the settings that caliban installs, with the unit of that agent.
 */
const LIMITS: Readonly<
  Record<AgentName, { readonly own: number; readonly installed?: RegExp; readonly source: string }>
> = {
  claude: {
    own: 60_000,
    installed: /"timeout": 30\b/,
    source: "hooks reference: timeout in seconds, 60 (600 since 2.1)",
  },
  codex: { own: 60_000, installed: /"timeout": 30\b/, source: "hooks: timeout in seconds" },
  gemini: {
    own: 60_000,
    installed: /"timeout": 30000\b/,
    source: "hooks reference: timeout in ms, 60000",
  },
  cursor: { own: 30_000, installed: /"timeout": 30\b/, source: "hooks: timeout in seconds" },
  copilot: {
    own: 30_000,
    installed: /"timeoutSec": 30\b/,
    source: "hooks configuration: timeoutSec, 30",
  },
  grok: {
    own: 5_000,
    installed: /"timeout": 30\b/,
    source: "Grok Build documentation: timeout in seconds, 5",
  },
  opencode: { own: 30_000, installed: /LIMIT_MS = 30000\b/, source: "our plugin waits itself" },
  droid: {
    own: 60_000,
    installed: /"timeout": 30\b/,
    source: "hooks reference: timeout in seconds, 60",
  },
  qwen: { own: 60_000, installed: /"timeout": 30000\b/, source: "hooks: timeout in ms" },
  kimi: { own: 30_000, installed: /timeout = 30\b/, source: "hooks: timeout in seconds" },
  robota: {
    own: 600_000,
    installed: /"timeout": 30\b/,
    source: "agent-core/src/hooks/executors/command-executor.ts: timeout in seconds, 600",
  },
  kilo: { own: 30_000, installed: /LIMIT_MS = 30000\b/, source: "our plugin waits itself" },
  pi: { own: 30_000, installed: /LIMIT_MS = 30000\b/, source: "our extension waits itself" },
  cline: { own: 120_000, source: "@cline/core: toolCallTimeoutMs, 120000" },
  crush: { own: 30_000, installed: /"timeout": 30\b/, source: "hooks: timeout in seconds, 30" },
  qoder: { own: 60_000, installed: /"timeout": 30\b/, source: "its guide: timeout in seconds" },
  auggie: {
    own: 60_000,
    installed: /"timeout": 30000\b/,
    source: "its code: timeout in ms, 60000",
  },
  antigravity: { own: 30_000, source: "recorded by others: no limit is documented" },
};

test("every agent has a limit", () => {
  assert.deepEqual(Object.keys(LIMITS).toSorted(), AGENT_NAMES.toSorted());
});

for (const name of AGENT_NAMES) {
  test(`${name}: the answer is there before the agent stops waiting`, async () => {
    const { own, installed } = LIMITS[name];
    const { settings } = await AGENTS[name].settings();
    const text = settings.install(undefined, { command: "caliban hook x" });
    if (installed === undefined) assert.doesNotMatch(text, /timeout/i);
    else assert.match(text, installed);
    // Settings may be older than ours, or written by hand without a limit.
    const limit = Math.min(own, 30_000);
    for (
      const { waitMs } of [agentProfile(name).hook, agentProfile(name).request].flatMap((it) =>
        it ?? []
      )
    ) {
      assert.ok(waitMs * SPARED + MARGIN < limit, `${waitMs} ms of ${limit}`);
      assert.ok(waitMs >= 1_000);
    }
  });
}
