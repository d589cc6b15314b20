/**
 * Compares the verdicts of other engines with caliban's: `deno task bench:formats`, which installs them (over 400 MB), or
 * `bun --no-env-file bench/formats_peers.ts [FOLDER…]` with the node_modules folders that have them. Each engine decides 1,000 calls under
 * policies that were exported to it, and 1,000 under files of its own that were imported. Where no loss was reported all
 * must agree; where only a narrowing was, the result may be stricter and never looser. Exits with 1 after any other difference.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mayOverlap } from "../lib/policy/edit/may_overlap.ts";
import { evaluate } from "../lib/decide/evaluate.ts";
import type { FormatRule } from "../lib/agents/convert/format.ts";
import { loadFormat } from "../lib/agents/formats/format_registry.ts";
import { type Action, strictness } from "../lib/model/call.ts";
import { isLooser, type Loss } from "../lib/model/problem.ts";
import { toolProfiles } from "../lib/policy/compile/profiles.ts";
import { policyOf } from "../tests/support/policy.ts";
import { type Random, randomFrom } from "../tests/support/random.ts";

// Gemini CLI tells its every step.
console.debug = () => {};

const PEERS = new URL("peers/", import.meta.url).pathname;
const FOLDERS = process.argv.length > 2
  ? process.argv.slice(2)
  : [join(PEERS, "node_modules"), join(PEERS, "engines/node_modules")];

/** A path in the first folder that has it. */
function peer(path: string): string | undefined {
  return FOLDERS.map((folder) => join(folder, path)).find((each) => existsSync(each));
}

const TEMP = mkdtempSync(join(tmpdir(), "caliban-peers-"));
const profiles = toolProfiles(new Map());
const POLICIES = 50;
const CALLS = 20;

/** An engine that decides commands by a text in its own format. */
interface Engine {
  readonly format: string;
  /** The input that it takes: whole lines, or the words of one program. */
  readonly lines: boolean;
  /** The verdict that its answer without a matching rule represents. */
  readonly decide: (text: string, commands: readonly string[]) => Promise<readonly Action[]>;
  /** Set where what would ask is forbidden, so that an ask and a deny are the same. */
  readonly asksNobody?: true;
  /** A random file of its own; absent where it is only written. */
  readonly file?: (random: Random) => string;
}

const WORDS = ["git", "push", "status", "npm", "test", "rm", "-rf", "ls", "x", "-f", "origin"];
const HEADS = ["git", "git push", "npm test", "rm", "rm -rf", "ls", "git status", "npm"];

const TAILS = ["", "", " *", "*", " * x", " x"];

function anyRule(random: Random): FormatRule {
  const action = random.pick(["allow", "allow", "ask", "deny"] as const);
  const head = random.pick(HEADS);
  const pattern = random.below(2) === 0 ? `Bash(${head}:*)` : `Bash:${head}${random.pick(TAILS)}`;
  return { pattern: random.below(12) === 0 ? "Bash" : pattern, action };
}

function anyCommand(random: Random, lines: boolean): string {
  const one = () => {
    const words = Array.from({ length: random.below(3) }, () => random.pick(WORDS));
    return [random.pick(HEADS), ...words].join(" ").replace(/^(git|npm) -\S+/, "$1 x");
  };
  // A deny finds git -C . push as git push here, and nowhere else; the caveat of every export says so.
  return lines && random.below(4) === 0
    ? `${one()} ${random.pick(["&&", ";", "||"])} ${one()}`
    : one();
}

interface Tally {
  calls: number;
  same: number;
  stricter: number;
  looserReported: number;
  /** Compound lines that the other engine compares as one text too, as its caveat says. */
  wholeLine: number;
  readonly wrong: string[];
}

/** Compares what the rules said before a conversion with what is said after it. */
function compare(tally: Tally, { before, after, losses, about }: {
  before: Action;
  after: Action;
  losses: readonly Loss[];
  about: string;
}): void {
  tally.calls++;
  const difference = strictness(after) - strictness(before);
  if (difference === 0) tally.same++;
  else if (
    difference > 0 && losses.length === 0 && / (?:&&|;|\|\|) /.test(about.split(" under")[0]!)
  ) tally.wholeLine++;
  else if (losses.length === 0) {
    tally.wrong.push(`${about}: ${before}, then ${after}, without a loss`);
  } else if (difference > 0) tally.stricter++;
  else if (losses.some(isLooser)) tally.looserReported++;
  else tally.wrong.push(`${about}: ${before}, then ${after}, and no loss says looser`);
}

async function exported(engine: Engine): Promise<Tally> {
  const tally: Tally = {
    calls: 0,
    same: 0,
    stricter: 0,
    looserReported: 0,
    wholeLine: 0,
    wrong: [],
  };
  const random = randomFrom(7);
  for (let round = 0; round < POLICIES; round++) {
    const rules = Array.from({ length: 1 + random.below(6) }, () => anyRule(random));
    const { text, losses } = (await loadFormat(engine.format))!.write(rules, {
      profiles,
      settings: {},
      mayOverlap: (first, stricter) => mayOverlap(first, { stricter, profiles }),
    });
    const policy = policyOf(rules);
    const commands = Array.from({ length: CALLS }, () => anyCommand(random, engine.lines));
    const after = await engine.decide(text, commands);
    for (const [index, command] of commands.entries()) {
      const said = evaluate(policy, { tool: "Bash", input: { command } }).action;
      const before = engine.asksNobody && said === "ask" ? "deny" : said;
      const about = `${command} under ${JSON.stringify(rules)}`;
      compare(tally, { before, after: after[index]!, losses, about });
    }
  }
  return tally;
}

async function imported(engine: Engine): Promise<Tally> {
  const tally: Tally = {
    calls: 0,
    same: 0,
    stricter: 0,
    looserReported: 0,
    wholeLine: 0,
    wrong: [],
  };
  const random = randomFrom(8);
  for (let round = 0; round < POLICIES; round++) {
    const text = engine.file!(random);
    const { rules, losses, problems } = (await loadFormat(engine.format))!.read!(text, "peer");
    if (problems.length > 0) throw new Error(`${problems[0]!.message}\n${text}`);
    const policy = policyOf(rules);
    const commands = Array.from({ length: CALLS }, () => anyCommand(random, engine.lines));
    const before = await engine.decide(text, commands);
    for (const [index, command] of commands.entries()) {
      const after = evaluate(policy, { tool: "Bash", input: { command } }).action;
      compare(tally, { before: before[index]!, after, losses, about: `${command} under\n${text}` });
    }
  }
  return tally;
}

function codex(): Engine | undefined {
  const binary = peer("@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex");
  if (binary === undefined) return undefined;
  const words = { allow: "allow", prompt: "ask", forbidden: "deny" } as const;
  const file = join(TEMP, "x.rules");
  return {
    format: "codex",
    lines: false,
    decide: (text, commands) => {
      writeFileSync(file, text);
      return Promise.resolve(commands.map((command): Action => {
        const args = ["execpolicy", "check", "--rules", file, "--", ...command.split(" ")];
        const answer: { decision?: keyof typeof words } = JSON.parse(
          execFileSync(binary, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
        );
        return answer.decision === undefined ? "ask" : words[answer.decision];
      }));
    },
    file: (random) =>
      Array.from({ length: 1 + random.below(5) }, () => {
        const [first = "git", ...rest] = random.pick(HEADS).split(" ");
        const tail = rest.length > 0 && random.below(3) === 0
          ? [["push", "status", ...rest]]
          : rest;
        return `prefix_rule(\n  pattern = ${JSON.stringify([first, ...tail])},\n  decision = "${
          random.pick(["allow", "prompt", "forbidden"])
        }",\n)\n`;
      }).join(""),
  };
}

interface GeminiModules {
  readonly engine: {
    PolicyEngine: new (
      config: object,
    ) => { check(call: object, ...more: readonly unknown[]): Promise<{ decision: string }> };
  };
  readonly loader: {
    loadPoliciesFromToml(
      paths: readonly string[],
      tier: () => number,
    ): Promise<{ rules: object[]; errors: object[] }>;
  };
}

async function gemini(): Promise<Engine | undefined> {
  const folder = peer("@google/gemini-cli-core/dist/src/policy");
  if (folder === undefined) return undefined;
  const modules: GeminiModules = {
    engine: await import(join(folder, "policy-engine.js")),
    loader: await import(join(folder, "toml-loader.js")),
  };
  const words: Readonly<Record<string, Action>> = { allow: "allow", deny: "deny", ask_user: "ask" };
  const file = join(TEMP, "policy.toml");
  return {
    format: "gemini",
    lines: true,
    decide: async (text, commands) => {
      writeFileSync(file, text);
      const { rules, errors } = await modules.loader.loadPoliciesFromToml([file], () => 4);
      if (errors.length > 0) throw new Error(JSON.stringify(errors) + text);
      const engine = new modules.engine.PolicyEngine({ rules });
      const answers: Action[] = [];
      for (const command of commands) {
        // The last argument leaves out what Gemini CLI allows by itself: only what the rules say is compared.
        const call = { name: "run_shell_command", args: { command } };
        const { decision } = await engine.check(call, undefined, undefined, undefined, true);
        answers.push(words[decision]!);
      }
      return answers;
    },
    file: (random) =>
      Array.from({ length: 1 + random.below(5) }, () => {
        const head = random.pick(HEADS);
        const test = random.pick([
          `commandPrefix = "${head}"`,
          `commandPrefix = ["${head}", "ls"]`,
          `commandRegex = "${head}"`,
          `commandRegex = "${head} .*x"`,
          `commandRegex = "(?:${head}|npm) [a-z]+"`,
          `argsPattern = '"command":"${head} '`,
        ]);
        const decision = random.pick(["allow", "deny", "ask_user"]);
        return `[[rule]]\ntoolName = "run_shell_command"\n${test}\ndecision = "${decision}"\npriority = ${
          random.below(100)
        }\n`;
      }).join("\n"),
  };
}

interface CedarModule {
  isAuthorized(call: object): { type: string; response?: { decision: string }; errors?: unknown };
}

async function cedar(): Promise<Engine | undefined> {
  const path = peer("@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js");
  if (path === undefined) return undefined;
  const module: CedarModule & { default?: CedarModule } = await import(path);
  const { isAuthorized } = module.default ?? module;
  return {
    format: "cedar",
    asksNobody: true,
    lines: false,
    decide: (text, commands) =>
      Promise.resolve(commands.map((command) => {
        const answer = isAuthorized({
          principal: { type: "Agent", id: "a" },
          action: { type: "Action", id: "call" },
          resource: { type: "Tool", id: "Bash" },
          context: { command },
          policies: { staticPolicies: text },
          entities: [],
        });
        if (answer.type !== "success") throw new Error(JSON.stringify(answer.errors) + text);
        return answer.response?.decision === "allow" ? "allow" : "deny";
      })),
  };
}

let failed = 0;
for (const engine of [codex(), await gemini(), await cedar()]) {
  if (engine === undefined) {
    console.log("a peer is not installed: run deno task bench:formats");
    failed++;
    continue;
  }
  for (const [way, run] of [["exported", exported], ["imported", imported]] as const) {
    if (way === "imported" && engine.file === undefined) continue;
    const { calls, same, stricter, looserReported, wholeLine, wrong } = await run(engine);
    console.log(
      `${engine.format} ${way}: ${calls} calls, ${same} the same, ${stricter} stricter and reported, ${looserReported} looser and reported, ${wholeLine} stricter as a whole line, ${wrong.length} wrong`,
    );
    for (const each of wrong.slice(0, 5)) console.log(`  ${each}`);
    failed += wrong.length;
  }
}
rmSync(TEMP, { recursive: true });
process.exitCode = failed === 0 ? 0 : 1;
