// The gate of `caliban mcp` between real clients and real servers of npm: the inspector's command line and two agents, a scripted model
// calling the tools of server-filesystem and server-everything.
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { commandLine } from "../../lib/text/quote.ts";
import { inScene, type Scene } from "../../tests/support/agent_scene.ts";
import { CLI, finish, said, starter } from "../../tests/support/process.ts";
import { cacheEnv } from "../../tests/support/spec_run.ts";
import { NODE, nodeProgram, nodeVersion, withoutAgent } from "./agents/installed.ts";
import { REAL_AGENTS, type RealAgent } from "./agents/real_agents.ts";
import { runAgent } from "./agents/run_agent.ts";

const PACKAGES = new URL("node_modules/@modelcontextprotocol", import.meta.url).pathname;
const FILES = join(PACKAGES, "server-filesystem/dist/index.js");
const EVERYTHING = join(PACKAGES, "server-everything/dist/index.js");
const INSPECTOR = join(PACKAGES, "inspector/clients/launcher/build/index.js");

const skip = [CLI, FILES, EVERYTHING, INSPECTOR].every((path) => existsSync(path))
  ? nodeVersion(nodeProgram()) < NODE && said(`the servers need Node ${NODE}`)
  : said("the servers or the inspector of MCP are not installed");

const POLICY = `[[permissions.rules]]
pattern = "Read:secret/**"
action = "deny"

[[permissions.rules]]
pattern = "mcp__files__move_file"
action = "deny"

[[permissions.rules]]
pattern = "mcp__files__write_file"
action = "ask"

[[permissions.rules]]
pattern = "mcp__*"
action = "allow"
`;

/** Starts a server of this scene behind the gate. */
function gated(server: readonly string[], name: string): readonly string[] {
  const caches = Object.entries(cacheEnv()).map(([key, value]) => `${key}=${value}`);
  const gate = starter("deno", ["read", "env", "write", "run"]);
  return [
    "env",
    ...caches,
    ...gate,
    "mcp",
    "--server",
    name,
    "--",
    nodeProgram(),
    ...server,
  ];
}

/** A project with a file that may be read and one that may not, and the user's policy. */
function prepare({ home, project }: Scene): void {
  const policy = join(home, ".config/caliban/permissions.toml");
  mkdirSync(dirname(policy), { recursive: true });
  writeFileSync(policy, POLICY);
  mkdirSync(join(project, "secret"));
  writeFileSync(join(project, "secret/key.txt"), "TOPSECRET");
  writeFileSync(join(project, "open.txt"), "in the open");
}

/** The calls of a tool, and the reason where it does not run. */
const CALLS: readonly (readonly [
  tool: string,
  input: (project: string) => Readonly<Record<string, string>>,
  answer: RegExp,
])[] = [
  [
    "read_text_file",
    (project) => ({ path: join(project, "open.txt") }),
    /in the open/,
  ],
  [
    "read_text_file",
    (project) => ({ path: join(project, "secret/key.txt") }),
    /caliban: the deny rule `Read:secret/,
  ],
  [
    "write_file",
    (project) => ({ path: join(project, "new.txt"), content: "x" }),
    /caliban: .*the ask rule `mcp__files__write_file`/,
  ],
];

test("the inspector's command line sees what the gate leaves", {
  skip,
  timeout: 120_000,
}, () =>
  inScene(async (scene) => {
    prepare(scene);
    const { project, home } = scene;
    const servers = {
      files: gated([FILES, project], "files"),
      every: gated([EVERYTHING], "every"),
    };
    // The inspector takes "--" for its own.
    const mcpServers = Object.fromEntries(
      Object.entries(servers).map(([name, words]) => {
        const command = join(home, `${name}.sh`);
        writeFileSync(command, `#!/bin/sh\nexec ${commandLine(words)}\n`, {
          mode: 0o755,
        });
        return [name, { command }];
      }),
    );
    const config = join(home, "mcp.json");
    writeFileSync(config, JSON.stringify({ mcpServers }));
    const inspected = async (server: string, ...args: readonly string[]) => {
      const words = [
        nodeProgram(),
        INSPECTOR,
        "--cli",
        "--config",
        config,
        "--server",
        server,
      ];
      const ended = await finish([...words, ...args], {
        cwd: project,
        env: { HOME: home },
      });
      assert.notEqual(ended.stdout, "", ended.stderr);
      return ended.stdout;
    };
    const tools = await inspected("files", "--method", "tools/list");
    assert.match(tools, /"read_text_file"/);
    assert.doesNotMatch(tools, /"move_file"/);
    for (const [tool, input, answer] of CALLS) {
      const given = Object.entries(input(project)).flatMap(([key, value]) => [
        "--tool-arg",
        `${key}=${value}`,
      ]);
      assert.match(
        await inspected(
          "files",
          "--method",
          "tools/call",
          "--tool-name",
          tool,
          ...given,
        ),
        answer,
      );
    }
    assert.equal(existsSync(join(project, "new.txt")), false);
    const call = ["--method", "tools/call", "--tool-name"];
    assert.match(
      await inspected("every", ...call, "echo", "--tool-arg", "message=hi"),
      /Echo: hi/,
    );
    assert.match(
      await inspected("every", "--method", "resources/list"),
      /"uri"/,
    );
    assert.match(
      await inspected("every", "--method", "prompts/list"),
      /"prompts"/,
    );
  }));

/** An agent with the gated server in its settings, and its name of a tool of it. */
interface McpAgent {
  readonly agent: string;
  readonly toolOf: (tool: string) => string;
  readonly args?: (scene: Scene) => readonly string[];
  /** Its settings with the server, by their path below the home. */
  readonly files?: (
    words: readonly string[],
    own: Readonly<Record<string, string>>,
  ) => Readonly<Record<string, string>>;
}

const AGENTS: readonly McpAgent[] = [
  {
    agent: "claude",
    toolOf: (tool) => `mcp__files__${tool}`,
    args: ({ home }) => [
      ...[
        "-p",
        "go",
        "--strict-mcp-config",
        "--mcp-config",
        join(home, "mcp.json"),
      ],
      ...["--allowedTools", "mcp__files"],
    ],
    files: ([command, ...args]) => ({
      "mcp.json": JSON.stringify({ mcpServers: { files: { command, args } } }),
    }),
  },
  {
    agent: "qwen",
    toolOf: (tool) => `mcp__files__${tool}`,
    files: ([command, ...args], own) => {
      const settings = JSON.parse(own[".qwen/settings.json"] ?? "{}");
      const mcpServers = { files: { command, args, trust: true } };
      return {
        ...own,
        ".qwen/settings.json": JSON.stringify({ ...settings, mcpServers }),
      };
    },
  },
];

for (const { agent: name, toolOf, args, files } of AGENTS) {
  const real = REAL_AGENTS.find(({ agent }) => agent === name)!;
  test(
    `the gate decides the calls of ${real.package}`,
    { skip: skip || withoutAgent(real), timeout: 120_000 },
    () =>
      inScene(async (scene) => {
        prepare(scene);
        const { project, home } = scene;
        const words = gated([FILES, project], "files");
        const agent: RealAgent = {
          ...real,
          args: args?.(scene) ?? real.args,
          files: (place) => files?.(words, real.files?.(place) ?? {}) ?? {},
        };
        const { results, tools, printed } = await runAgent(agent, {
          ...scene,
          script: CALLS.map(([tool, input]) => ({
            name: toolOf(tool),
            input: input(project),
          })),
        });
        assert.equal(results.length, CALLS.length, printed);
        for (const [at, [, , answer]] of CALLS.entries()) {
          assert.match(results[at]!, answer);
        }
        assert.equal(existsSync(join(project, "new.txt")), false);
        assert.ok(!JSON.stringify(results).includes("TOPSECRET"));
        const names = [...tools.keys()];
        assert.ok(!names.includes(toolOf("move_file")), names.join(" "));
        const record = readFileSync(
          join(home, ".local/state/caliban/mcp.json"),
          "utf8",
        );
        assert.ok(record.includes('"server": "files"'));
      }),
  );
}
