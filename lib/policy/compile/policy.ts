import type { ToolCall } from "../../model/call.ts";
import type { MergedSources, Settings } from "../../model/source_entry.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import { Request } from "./facts.ts";
import type { ToolProfiles } from "./profiles.ts";
import { ProgramCatalog } from "../../shell/programs/programs.ts";
import { readLine } from "../../shell/read_line.ts";
import type { CommandLine } from "../../shell/unit.ts";
import { RuleIndex } from "./rule_index.ts";
import { type CompiledRule, type ToolRule, toolRulesFor } from "./rule_table.ts";

/** How many tools' rules are kept ready; an agent may call tools under any name. */
const MAX_TOOLS = 256;

/** What a policy is made of. */
export interface PolicyParts {
  /** All rules, highest first. */
  readonly rules: readonly CompiledRule[];
  /** The sources that they come from. */
  readonly merged: MergedSources;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
  /** What paths are measured against. */
  readonly context: PathContext;
  /** The folder of calls that name none. */
  readonly cwd: string;
  /** Compiles other sources for the same surroundings; undefined when they have an error. */
  readonly recompile: (merged: MergedSources) => Policy | undefined;
}

interface ToolRuleSet {
  readonly rules: readonly ToolRule[];
  written?: readonly ToolRule[];
  readonly index: RuleIndex;
}

/** All rules of all sources in one ordered list, compiled. What it says never changes. */
export class Policy {
  /** All rules, highest first; each rule's `index` is its place here. */
  readonly rules: readonly CompiledRule[];
  /** The settings that count. */
  readonly settings: Settings;
  /** What was read, and what of it did not count. */
  readonly sources: MergedSources;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
  /** What paths are measured against. */
  readonly context: PathContext;
  readonly #parts: PolicyParts;
  readonly #tools = new Map<string, ToolRuleSet>();
  #knowledge: ProgramCatalog | undefined;
  #line: CommandLine | undefined;

  /** Made by `compilePolicy`. */
  constructor(parts: PolicyParts) {
    this.rules = parts.rules;
    this.settings = parts.merged.settings;
    this.sources = parts.merged;
    this.profiles = parts.profiles;
    this.context = parts.context;
    this.#parts = parts;
  }

  /** What rules ask about a call. */
  request(call: ToolCall): Request {
    return new Request(call, {
      profile: this.profiles.get(call.tool),
      cwd: call.cwd ?? this.#parts.cwd,
      context: this.#parts.context,
    });
  }

  /** The call's command line, taken apart; undefined where it has none, or is read as one string. */
  line({ profile, first }: Request): CommandLine | undefined {
    if (profile.kind !== "command" || profile.shell === "other" || first.state !== "text") {
      return undefined;
    }
    if (this.settings.shell === "literal") return undefined;
    // The verdict and what comes behind it ask about the same line.
    if (this.#line?.text === first.text) return this.#line;
    const { wrappers } = this.settings;
    this.#knowledge ??= wrappers.length === 0 ? undefined : new ProgramCatalog(wrappers);
    return this.#line = readLine(first.text, this.#knowledge ? { catalog: this.#knowledge } : {});
  }

  /** The policy of other sources for the same surroundings; undefined when they have an error. */
  with(sources: MergedSources): Policy | undefined {
    return this.#parts.recompile(sources);
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
  candidates(facts: Request): readonly ToolRule[] {
    return this.#rulesOf(facts.profile.name).index.candidates(facts);
  }

  #rulesOf(tool: string): ToolRuleSet {
    const known = this.#tools.get(tool);
    if (known) return known;
    const entries = toolRulesFor(this.rules, {
      profile: this.profiles.get(tool),
      profiles: this.profiles,
      shell: this.settings.shell,
      context: this.#parts.context,
    });
    if (this.#tools.size >= MAX_TOOLS) this.#tools.clear();
    const rules: ToolRuleSet = { rules: entries, index: new RuleIndex(entries) };
    this.#tools.set(tool, rules);
    return rules;
  }
}
