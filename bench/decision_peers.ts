/** Other policy engines with the rules of `bench/decisions.ts`; each is left out where its package is not installed. */
import { existsSync } from "node:fs";
import type { ToolCall } from "../lib/model/call.ts";
import type { TestRule } from "../tests/support/policy.ts";

/** Decides one call; the answer itself is not looked at. */
export type PeerDecision = (call: ToolCall) => unknown;

/** An engine that is measured beside ours. */
export interface Peer {
  readonly name: string;
  /** The engine with these rules, as its users would write them. */
  readonly withRules: (rules: readonly TestRule[]) => Promise<PeerDecision>;
}

const PEERS = new URL("peers/", import.meta.url).pathname;
const FOLDERS = [`${PEERS}node_modules`, `${PEERS}engines/node_modules`];

async function loaded<T>(path: string): Promise<T | undefined> {
  const found = FOLDERS.map((folder) => `${folder}/${path}`).find((each) => existsSync(each));
  if (found === undefined) return undefined;
  try {
    return await import(found) as T;
  } catch (error) {
    console.log(`(${path} does not load here: ${String(error).split("\n")[0]})`);
    return undefined;
  }
}

/** The engines that are installed. */
export async function installedPeers(): Promise<readonly Peer[]> {
  const found = [await gemini(), await cedar(), await casbin(), await casl()];
  return found.filter((peer) => peer !== undefined);
}

/** The text that a rule is about, as a prefix of a command or a path; empty for all calls of the tool. */
interface Parts {
  readonly tool: string;
  readonly text: string;
}

function partsOf({ pattern }: TestRule): Parts {
  const [, tool = "", text = ""] = /^([\w*]+)(?:[:(](.*?)\)?)?$/.exec(pattern) ?? [];
  return { tool, text: text.replace(/(?::| )?\*+$/, "").replace(/^\*\*\//, "") };
}

function textOf({ input }: ToolCall): string {
  return String(input.command ?? input.path ?? "");
}

const KEYS: Readonly<Record<string, string>> = { Bash: "command", Read: "path", Write: "path" };

interface GeminiEngine {
  check(
    call: { readonly name: string; readonly args: ToolCall["input"] },
    server: string | undefined,
  ): Promise<unknown>;
}

/** The engine of Gemini CLI, which takes command lines apart too. */
async function gemini(): Promise<Peer | undefined> {
  // It tells every step.
  console.debug = () => {};
  const folder = "@google/gemini-cli-core/dist/src/";
  const engine = await loaded<{ PolicyEngine: new (config: unknown) => GeminiEngine }>(
    `${folder}policy/policy-engine.js`,
  );
  const shell = await loaded<{ initializeShellParsers(): Promise<void> }>(
    `${folder}utils/shell-utils.js`,
  );
  if (!engine || !shell) return undefined;
  await shell.initializeShellParsers();
  const decisions = { allow: "allow", deny: "deny", ask: "ask_user" };
  const toolName = (tool: string) => tool === "Bash" ? "run_shell_command" : tool;
  const withRules = (rules: readonly TestRule[]) => {
    const made = rules.map((rule, index) => {
      const { tool, text } = partsOf(rule);
      const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      return {
        toolName: toolName(tool),
        ...(text === ""
          ? {}
          : { argsPattern: new RegExp(`"${KEYS[tool]}":"${escaped}(?:[\\s"/])`) }),
        decision: decisions[rule.action],
        priority: rules.length - index,
      };
    });
    const own = new engine.PolicyEngine({ rules: made });
    const decide = ({ tool, input }: ToolCall) =>
      own.check({ name: toolName(tool), args: input }, undefined);
    return Promise.resolve(decide);
  };
  return { name: "Gemini CLI", withRules };
}

interface CedarModule {
  preparsePolicySet(id: string, policies: { readonly staticPolicies: string }): unknown;
  statefulIsAuthorized(call: unknown): unknown;
}

/** Cedar with one policy for each rule; its policies are parsed once. */
async function cedar(): Promise<Peer | undefined> {
  const module = await loaded<{ default: CedarModule } & CedarModule>(
    "@cedar-policy/cedar-wasm/nodejs/cedar_wasm.js",
  );
  if (!module) return undefined;
  const own = module.default ?? module;
  let count = 0;
  const withRules = (rules: readonly TestRule[]) => {
    const id = `rules${count++}`;
    const policies = rules.map((rule) => {
      const { tool, text } = partsOf(rule);
      const effect = rule.action === "allow" ? "permit" : "forbid";
      const when = text === "" ? "" : ` when { context.text like ${JSON.stringify(`${text}*`)} }`;
      return `${effect}(principal, action == Action::"${tool}", resource)${when};`;
    });
    own.preparsePolicySet(id, { staticPolicies: policies.join("\n") });
    const decide = (call: ToolCall) =>
      own.statefulIsAuthorized({
        principal: { type: "Agent", id: "a" },
        action: { type: "Action", id: call.tool },
        resource: { type: "Workspace", id: "w" },
        context: { text: textOf(call) },
        preparsedPolicySetId: id,
        entities: [],
      });
    return Promise.resolve(decide);
  };
  return { name: "Cedar", withRules };
}

interface CasbinModule {
  newModelFromString(text: string): unknown;
  newEnforcer(model: unknown): Promise<{
    addPolicies(policies: readonly (readonly string[])[]): Promise<unknown>;
    enforceSync(...request: readonly string[]): boolean;
  }>;
}

/** Casbin's model of rules by priority, with a pattern for the text. */
async function casbin(): Promise<Peer | undefined> {
  const module = await loaded<{ default: CasbinModule } & CasbinModule>("casbin/lib/cjs/index.js");
  if (!module) return undefined;
  const own = module.default ?? module;
  const model = `[request_definition]
r = tool, text
[policy_definition]
p = tool, text, eft
[policy_effect]
e = priority(p.eft) || deny
[matchers]
m = r.tool == p.tool && keyMatch(r.text, p.text)`;
  const withRules = async (rules: readonly TestRule[]) => {
    const enforcer = await own.newEnforcer(own.newModelFromString(model));
    await enforcer.addPolicies(rules.map((rule) => {
      const { tool, text } = partsOf(rule);
      return [tool, `${text}*`, rule.action === "allow" ? "allow" : "deny"];
    }));
    return (call: ToolCall) => enforcer.enforceSync(call.tool, textOf(call));
  };
  return { name: "Casbin", withRules };
}

interface CaslModule {
  createMongoAbility(rules: readonly unknown[]): { can(action: string, subject: unknown): boolean };
}

/** CASL's rules, later ones first, with a condition on the text. */
async function casl(): Promise<Peer | undefined> {
  const module = await loaded<CaslModule>("@casl/ability/dist/esm/index.mjs");
  if (!module) return undefined;
  const withRules = (rules: readonly TestRule[]) => {
    const ability = module.createMongoAbility(
      rules.toReversed().map((rule) => {
        const { tool, text } = partsOf(rule);
        const start = `^${text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}`;
        return {
          action: "use",
          subject: tool,
          inverted: rule.action !== "allow",
          ...(text === "" ? {} : { conditions: { text: { $regex: start } } }),
        };
      }),
    );
    const decide = (call: ToolCall) =>
      ability.can("use", { constructor: { modelName: call.tool }, text: textOf(call) });
    return Promise.resolve(decide);
  };
  return { name: "CASL", withRules };
}
