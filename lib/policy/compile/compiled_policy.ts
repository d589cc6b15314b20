import type { ToolCall } from "../../model/call.ts";
import type { MergedSources, Settings } from "../../model/sources.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { Request } from "./request.ts";
import type { ToolProfiles } from "./profiles.ts";
import { ProgramCatalog } from "../../shell/programs/program_catalog.ts";
import { readLine, type ReadLineOptions } from "../../shell/read_line.ts";
import type { CommandLine } from "../../shell/effect.ts";
import { RuleIndex } from "./rule_index.ts";
import { type CompiledRule, type RuleSet, type ToolRule, toolRulesFor } from "./rule_table.ts";

/** The most tools whose rules are kept compiled; an agent may call tools under any name. */
const MAX_TOOLS = 256;

/** The parts of a compiled policy. */
export interface PolicyParts {
  /** All rules, highest first. */
  readonly rules: readonly CompiledRule[];
  /** The sources that they come from. */
  readonly merged: MergedSources;
  readonly profiles: ToolProfiles;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  /** The folder of calls that name none. */
  readonly cwd: string;
  /** Compiles other sources for the same surroundings; undefined when they have an error. */
  readonly recompile: (merged: MergedSources) => CompiledPolicy | undefined;
}

interface ToolRuleSet {
  readonly rules: readonly ToolRule[];
  written?: readonly ToolRule[];
  readonly index: RuleIndex;
}

/** All rules of all sources in one ordered list, compiled. It never changes. */
export class CompiledPolicy implements RuleSet {
  /** All rules, highest first; each rule's `index` is its place here. */
  readonly rules: readonly CompiledRule[];
  /** The settings that count. */
  readonly settings: Settings;
  /** The merged sources, with the parts that were ignored. */
  readonly sources: MergedSources;
  readonly profiles: ToolProfiles;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  /** The folder of calls that name none; absolute. */
  readonly cwd: string;
  readonly #parts: PolicyParts;
  readonly #tools = new Map<string, ToolRuleSet>();
  readonly #parse: (text: string) => CommandLine;
  readonly #derived = new Map<unknown, unknown>();

  /** Made by `compilePolicy`. */
  constructor(parts: PolicyParts) {
    this.rules = parts.rules;
    this.settings = parts.merged.settings;
    this.sources = parts.merged;
    this.profiles = parts.profiles;
    this.context = parts.context;
    this.cwd = parts.cwd;
    this.#parts = parts;
    this.#parse = lineParser(parts.merged.settings.wrappers);
  }

  /** A request of this policy: the call with its tool's profile, its folder and, where it has one, its command line. */
  request(call: ToolCall): Request {
    return new Request(call, {
      profiles: this.profiles,
      cwd: call.cwd ?? this.cwd,
      context: this.context,
      parse: this.#parse,
      shell: this.settings.shell,
    });
  }

  /** The policy of other sources for the same surroundings; undefined when they have an error. */
  with(sources: MergedSources): CompiledPolicy | undefined {
    return this.#parts.recompile(sources);
  }

  /** A value that depends on the policy alone; made on first use and kept. */
  derived<T>(make: (policy: CompiledPolicy) => T): T {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    return this.#derived.get(make) as T;
  }

  /** Every rule that speaks of the tool, in order. */
  toolRules(tool: string): readonly ToolRule[] {
    return this.#rulesOf(tool).rules;
  }

  /** Every rule that speaks of the tool and is not built in, in order. */
  writtenRules(tool: string): readonly ToolRule[] {
    const rules = this.#rulesOf(tool);
    return rules.written ??= rules.rules.filter(({ rule }) => rule.source.kind !== "builtin");
  }

  /** The rules that may fit the call, in order; what is left out does not fit. */
  candidates(request: Request): readonly ToolRule[] {
    return this.#rulesOf(request.profile.name).index.candidates(request);
  }

  #rulesOf(tool: string): ToolRuleSet {
    const known = this.#tools.get(tool);
    if (known) return known;
    const toolRules = toolRulesFor(this.rules, {
      profile: this.profiles.get(tool),
      profiles: this.profiles,
      shell: this.settings.shell,
      context: this.#parts.context,
    });
    if (this.#tools.size >= MAX_TOOLS) this.#tools.clear();
    const rules: ToolRuleSet = { rules: toolRules, index: new RuleIndex(toolRules) };
    this.#tools.set(tool, rules);
    return rules;
  }
}

/** The only parser of command lines: with the default programs and these wrappers, found when a line is first read. */
function lineParser(wrappers: readonly string[]): (text: string) => CommandLine {
  let options: ReadLineOptions | undefined;
  return (text) => {
    options ??= wrappers.length === 0 ? {} : { catalog: new ProgramCatalog(wrappers) };
    return readLine(text, options);
  };
}
