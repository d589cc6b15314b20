// The rows asked of guards and engines that need no agent.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { verb } from "../../../tests/support/agent_scene.ts";
import { trustAtHome } from "../../../tests/support/trust.ts";
import { withTempDir } from "../../../tests/support/temp_dir.ts";
import { CODEX } from "../codex_program.ts";
import { installedPeers } from "../../decision_peers.ts";
import { prepareProject, type Row, RULES, type RuleSet, versionOf } from "./rows.ts";

const PEERS = new URL("../", import.meta.url).pathname;
const NET = join(PEERS, "engines/node_modules/cc-safety-net");
const GEMINI = join(PEERS, "node_modules/@google/gemini-cli-core");

/** A guard or engine that answers rows, with its version. */
export interface Column {
  readonly title: string;
  readonly version: string;
  answer(row: Row): Promise<string>;
}

/** The call of a row with the names that Claude Code has. */
function callOf(
  { line, isServerTool }: Row,
): { tool: string; input: Record<string, string> } {
  return isServerTool
    ? { tool: "mcp__t__danger", input: { path: line } }
    : { tool: "Bash", input: { command: line } };
}

/** Runs `use` in a new home and project. */
function inPlace<T>(
  use: (home: string, project: string) => Promise<T>,
): Promise<T> {
  return withTempDir(async (top) => {
    const [home, project] = [join(top, "home"), join(top, "project")] as const;
    mkdirSync(home);
    mkdirSync(project);
    prepareProject(project);
    return await use(home, project);
  });
}

const CALIBAN: Column = {
  title: "caliban",
  version: versionOf(new URL("../../..", import.meta.url).pathname),
  answer: (row) =>
    inPlace(async (home, project) => {
      const text = RULES[row.set].map(({ pattern, action }) =>
        `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
      ).join("\n");
      mkdirSync(join(project, ".caliban"));
      writeFileSync(join(project, ".caliban/permissions.toml"), text);
      await trustAtHome(project, home);
      const { tool, input } = callOf(row);
      const scene = { home, project, elsewhere: home };
      const words = ["check", "--json", tool, JSON.stringify(input)];
      return JSON.parse((await verb("deno", words, scene)).stdout).decision;
    }),
};

/** cc-safety-net's own rules, by the hook that it has for Claude Code. */
const SAFETY_NET: Column = {
  title: "cc-safety-net",
  version: existsSync(NET) ? versionOf(NET) : "",
  answer: (row) =>
    inPlace((home, project) => {
      const { tool, input } = callOf(row);
      const event = {
        hook_event_name: "PreToolUse",
        session_id: "s",
        cwd: project,
        tool_name: tool,
        tool_input: input,
      };
      const { status, stdout, stderr } = spawnSync(
        "node",
        [join(NET, "dist/bin/cc-safety-net.js"), "hook", "--claude-code"],
        {
          cwd: project,
          input: JSON.stringify(event),
          encoding: "utf8",
          env: { HOME: home, PATH: process.env["PATH"] },
        },
      );
      if (status !== 0) throw new Error(stderr);
      const answer = stdout === "" ? "no answer" : JSON.parse(stdout).hookSpecificOutput
        .permissionDecision;
      return Promise.resolve(answer);
    }),
};

const GEMINI_RULES: Readonly<Record<RuleSet, string>> = {
  git: rule([
    'toolName = "run_shell_command"',
    'commandPrefix = ["git", "echo"]',
    'decision = "allow"',
  ], 1),
  rm: rule(['toolName = "run_shell_command"', 'decision = "allow"'], 1) +
    rule([
      'toolName = "run_shell_command"',
      'commandPrefix = "rm"',
      'decision = "deny"',
    ], 2),
  env: rule(['toolName = "run_shell_command"', 'decision = "allow"'], 1) +
    rule(['mcpName = "t"', 'toolName = "*"', 'decision = "allow"'], 1) +
    rule([
      'toolName = "read_file"',
      "argsPattern = '\\.env'",
      'decision = "deny"',
    ], 2),
};

function rule(lines: readonly string[], priority: number): string {
  return `[[rule]]\n${lines.join("\n")}\npriority = ${priority}\n\n`;
}

/** The policy engine of Gemini CLI with a file of its own rules. */
async function gemini(): Promise<Column | undefined> {
  if (!existsSync(GEMINI)) return undefined;
  // It tells every step.
  console.debug = () => {};
  const src = join(GEMINI, "dist/src");
  const { PolicyEngine } = await import(join(src, "policy/policy-engine.js"));
  const { loadPoliciesFromToml } = await import(
    join(src, "policy/toml-loader.js")
  );
  const { initializeShellParsers } = await import(
    join(src, "utils/shell-utils.js")
  );
  await initializeShellParsers();
  return {
    title: "Gemini CLI's engine",
    version: versionOf(GEMINI),
    answer: (row) =>
      withTempDir(async (folder) => {
        const file = join(folder, "policy.toml");
        writeFileSync(file, GEMINI_RULES[row.set]);
        const { rules, errors } = await loadPoliciesFromToml([file], () => 4);
        if (errors.length > 0) throw new Error(JSON.stringify(errors));
        const engine = new PolicyEngine({ rules });
        const { decision } = row.isServerTool
          ? await engine.check({
            name: "mcp_t_danger",
            args: { path: row.line },
          }, "t")
          : await engine.check({
            name: "run_shell_command",
            args: { command: row.line },
          });
        return decision === "ask_user" ? "ask" : decision;
      }),
  };
}

const CODEX_RULES: Readonly<Record<RuleSet, string | undefined>> = {
  git: 'prefix_rule(pattern = [["git", "echo"]], decision = "allow")\n',
  rm: 'prefix_rule(pattern = ["rm"], decision = "forbidden")\n',
  env: undefined,
};

/** `codex execpolicy check` of the words that Codex would start: those of the command, or of bash with the line. */
const EXECPOLICY: Column = {
  title: "Codex",
  version: CODEX === undefined ? "" : versionOf(join(PEERS, "engines/node_modules/@openai/codex")),
  answer: ({ set, line, words = ["bash", "-lc", line] }) =>
    withTempDir((folder) => {
      const text = CODEX_RULES[set];
      if (text === undefined) return Promise.resolve("–");
      const file = join(folder, "x.rules");
      writeFileSync(file, text);
      const args = ["execpolicy", "check", "--rules", file, "--", ...words];
      const env = { HOME: folder, PATH: process.env["PATH"] };
      const said = JSON.parse(
        execFileSync(CODEX!, args, { encoding: "utf8", env, stdio: "pipe" }),
      );
      return Promise.resolve(said.decision ?? "no rule");
    }),
};

/** The engines of bench/decision_peers.ts that see a tool's name and a text. */
async function textEngines(): Promise<readonly Column[]> {
  const packages: Readonly<Record<string, string>> = {
    Cedar: "@cedar-policy/cedar-wasm",
    Casbin: "casbin",
    CASL: "@casl/ability",
  };
  const peers = await installedPeers();
  return peers.flatMap(({ name, withRules }) => {
    const path = packages[name];
    if (path === undefined) return [];
    return [{
      title: name,
      version: versionOf(join(PEERS, "engines/node_modules", path)),
      async answer(row: Row) {
        const said = await (await withRules(RULES[row.set]))(callOf(row));
        const isAllowed = typeof said === "boolean"
          ? said
          : (said as { response: { decision: string } }).response.decision ===
            "allow";
        return isAllowed ? "allow" : "deny";
      },
    }];
  });
}

/** A sandbox that can write the project alone and has no network; it is given no rules. */
const BUBBLEWRAP: Column = {
  title: "bubblewrap",
  version: outputOf("bwrap", ["--version"]).replace("bubblewrap ", ""),
  answer: (row) =>
    row.isServerTool ? Promise.resolve("–") : inPlace((_home, project) => {
      const words = [
        "--ro-bind",
        "/",
        "/",
        "--dev",
        "/dev",
        "--bind",
        project,
        project,
      ];
      const args = [...words, "--unshare-net", "bash", "-c", row.line];
      const { stdout, stderr } = spawnSync("bwrap", args, {
        cwd: project,
        encoding: "utf8",
      });
      return Promise.resolve(
        row.ran(project, stdout + stderr) ? "runs" : "stops",
      );
    }),
};

function outputOf(program: string, args: readonly string[]): string {
  try {
    return execFileSync(program, [...args], { encoding: "utf8" }).trim();
  } catch {
    return "";
  }
}

/** Guards and engines that are installed here. */
export async function engineColumns(): Promise<readonly Column[]> {
  const all = [
    CALIBAN,
    EXECPOLICY,
    await gemini(),
    SAFETY_NET,
    ...await textEngines(),
    BUBBLEWRAP,
  ];
  return all.filter((each) => each !== undefined && each.version !== "") as readonly Column[];
}
