import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import { isKnownProgram } from "../policy/compile/known_programs.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Effect } from "../shell/effect.ts";
import { saysMore } from "../shell/programs/project_scripts.ts";

/** The most commands that are counted; further ones are left out. */
const MOST = 1000;

/** A command of a program that no table describes. */
export interface OwnCommand {
  /** The program, and its sub-command where it has one: `just test`. */
  readonly command: string;
  /** The number of recorded calls that ask about it. */
  readonly asks: number;
  /** One of these calls. */
  readonly example: ToolCall;
}

/** Programs of one's own among the asks. */
export interface OwnTools {
  /** Programs that seem to run the command behind their name, for `[shell] wrappers`. */
  readonly wrappers: readonly OwnCommand[];
  /** Commands with the verbs of a project's own tools, for `[shell.classes]`. */
  readonly project: readonly OwnCommand[];
  /** The others: a person must say which class they have. */
  readonly others: readonly OwnCommand[];
}

/** Verbs of tools that run a project's own code. */
const VERBS = /^(?:test|lint|check|typecheck|build|format|fmt|bench|doc|docs|coverage)(?:[:.-]|$)/;

/** Programs whose name is no sub-command of another tool. */
const PROGRAMS: ReadonlySet<string> = new Set(
  ("git gh npm npx pnpm yarn bun deno node python python3 pip pytest cargo rustc docker kubectl " +
    "terraform ls cat grep rg find sed awk head tail wc tsc eslint vitest jest").split(" "),
);

interface Count {
  asks: number;
  readonly example: ToolCall;
  readonly name: string;
  readonly sub: string | undefined;
}

/** Counts the programs without a table among the asks, in constant memory. */
export class OwnToolScan {
  readonly #policy: CompiledPolicy;
  readonly #counts = new Map<string, Count>();

  constructor(policy: CompiledPolicy) {
    this.#policy = policy;
  }

  /** The commands of a call that asks about programs without a table, each once. */
  commandsOf({ verdict: { call }, units }: Decision): readonly string[] {
    const asks = units.some(({ decision, kind, classes }) =>
      decision === "ask" && kind === "command" &&
      // A program of the workspace is code, which a class of one's own can replace.
      classes.some((name) => name === "unknown" || name === "code")
    );
    if (!asks) return [];
    const effects = this.#policy.request(call).line?.effects ?? [];
    const texts = new Set(
      units.filter(({ decision, kind }) => decision === "ask" && kind === "command")
        .map(({ text }) => text),
    );
    const own = effects.filter((effect) => texts.has(effect.text)).flatMap(keyOf);
    return [...new Set(own)];
  }

  /** Counts a call with these commands. */
  add(commands: readonly string[], call: ToolCall): void {
    for (const key of commands) {
      const known = this.#counts.get(key);
      if (known !== undefined) known.asks++;
      else if (this.#counts.size < MOST) {
        const [name = "", sub] = key.split(" ");
        this.#counts.set(key, { asks: 1, example: call, name, sub });
      }
    }
  }

  /** The commands, those with most asks first. */
  found(): OwnTools {
    const all = [...this.#counts].map(([command, count]) => ({ command, ...count }))
      .toSorted((a, b) => b.asks - a.asks);
    const runners = new Set(all.map(({ name }) => name).filter((name) => isRunner(name, all)));
    const rest = all.filter(({ name }) => !runners.has(name));
    const wrappers = [...runners].map((name): OwnCommand => {
      const own = all.filter((each) => each.name === name);
      const asks = own.reduce((sum, each) => sum + each.asks, 0);
      return { command: name, asks, example: own[0]!.example };
    });
    const isProject = ({ sub }: Count) => sub !== undefined && VERBS.test(sub) && !saysMore(sub);
    return {
      wrappers,
      project: rest.filter(isProject).map(shown),
      others: rest.filter((each) => !isProject(each)).map(shown),
    };
  }
}

function shown({ command, asks, example }: Count & { readonly command: string }): OwnCommand {
  return { command, asks, example };
}

/** A program that runs at least two known ones, and nothing else, behind its name. */
function isRunner(
  name: string,
  all: readonly (Count & { readonly command: string })[],
): boolean {
  const subs = all.filter((each) => each.name === name).map(({ sub }) => sub);
  return subs.length > 1 && !name.includes("/") && isKnownProgram(name) === undefined &&
    subs.every((sub) => sub !== undefined && PROGRAMS.has(sub));
}

/** The program without a table that a command runs, with its first word if that may be a sub-command. */
function keyOf({ kind, name, traits, operands = [] }: Effect): readonly string[] {
  if (kind !== "command" || name === undefined || traits?.().isDescribed !== false) return [];
  if (!/^[\w@%+./-]{1,60}$/.test(name) || name.startsWith("/")) return [];
  const first = operands[0]?.text;
  return [first !== undefined && /^[a-z][\w:.-]{0,40}$/.test(first) ? `${name} ${first}` : name];
}
