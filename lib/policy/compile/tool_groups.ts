import { visibleName } from "../../pattern/unicode.ts";
import type { ToolProfile } from "../../model/call.ts";
import type { Effect } from "../../shell/effect.ts";
import type { CompiledRule, ToolRule } from "./compiled_policy.ts";
import type { ToolProfiles } from "./profiles.ts";
import type { Request } from "./request.ts";
import { RuleIndex } from "./rule_index.ts";
import type { NamedTool } from "./request_options.ts";
import { hashed } from "./rule_keys.ts";
import { isPlainTool, writtenTool } from "./sound_pattern.ts";

/** The rules of a policy by the tools that their patterns name, so that no pattern of another tool is parsed for a call. */
export class ToolGroups {
  readonly #named = new Map<string, CompiledRule[]>();
  /** Rules that may name any tool. */
  readonly #others: CompiledRule[] = [];

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      const name = writtenTool(rule.pattern);
      const group = this.#named.get(name);
      if (group !== undefined) group.push(rule);
      else if (isPlainTool(name)) this.#named.set(name, [rule]);
      else this.#others.push(rule);
    }
  }

  /** The rules that may speak of a tool, in their order: those left out do not. */
  rulesFor(profile: ToolProfile, profiles: ToolProfiles): readonly CompiledRule[] {
    const names = new Set([
      profile.name,
      ...(profile.aliasOf === undefined ? [] : [profile.aliasOf]),
      ...(touchesFiles(profile) ? fileTools(profile, profiles) : []),
    ]);
    const groups = [...names].map((name) => this.#named.get(name) ?? []);
    return groups.reduce(inOrder, this.#others);
  }
}

/** The rules of two lists that are in order, in order. */
function inOrder(
  some: readonly CompiledRule[],
  others: readonly CompiledRule[],
): readonly CompiledRule[] {
  if (others.length === 0) return some;
  const all: CompiledRule[] = [];
  let at = 0;
  for (const rule of others) {
    while (at < some.length && some[at]!.index < rule.index) all.push(some[at++]!);
    all.push(rule);
  }
  while (at < some.length) all.push(some[at++]!);
  return all;
}

/** The tools whose deny and ask rules for paths hold for a tool that touches files, too. */
function fileTools(profile: ToolProfile, profiles: ToolProfiles): readonly string[] {
  const some = profiles.known.filter((other) =>
    other.class === profile.class && other.kind === "path"
  );
  return some.map(({ name }) => name);
}

/** True for a tool for which the paths of deny and ask rules of other tools of its class hold too. */
export function touchesFiles(profile: ToolProfile): boolean {
  if (profile.class !== "edit" && profile.class !== "read") return false;
  return profile.kind === "path" || profile.searches !== undefined;
}

/** The most tools that are remembered; an agent may call tools under any name. */
const MAX_TOOLS = 256;

/** The first places of their table, a power of two; half of them stay empty. */
const PLACES = 8;

type RulesFor = (profile: ToolProfile) => readonly ToolRule[];

/** The tools that were called, each with its profile and its rules. */
export class CalledTools {
  readonly #profiles: ToolProfiles;
  readonly #rulesFor: RulesFor;
  /** Each at the place of its hash, or at the next that was free. A map takes twice as long for a tool that was not called for a while. */
  #places: (CalledTool | undefined)[] = new Array(PLACES).fill(undefined);
  #size = 0;
  /** The tool that was asked for last: a call asks for its own again and again. */
  #last: CalledTool | undefined;

  constructor(profiles: ToolProfiles, rulesFor: RulesFor) {
    this.#profiles = profiles;
    this.#rulesFor = rulesFor;
  }

  /** The tool of a profile. */
  of(profile: ToolProfile): CalledTool {
    const last = this.#last;
    return last !== undefined && last.profile === profile ? last : this.named(profile.name);
  }

  /** The tool of that name, which may be no text in a malformed call. */
  named(name: string): CalledTool {
    const last = this.#last;
    if (last !== undefined && last.name === name) return last;
    const hash = typeof name === "string" ? hashed(name) : 0;
    const places = this.#places;
    const end = places.length - 1;
    let place = hash & end;
    let tool = places[place];
    while (tool !== undefined && (tool.hash !== hash || tool.name !== name)) {
      place = place + 1 & end;
      tool = places[place];
    }
    return this.#last = tool ?? this.#add(name, hash);
  }

  #add(name: string, hash: number): CalledTool {
    if (this.#size >= MAX_TOOLS) {
      this.#places.fill(undefined);
      this.#size = 0;
    }
    if (2 * ++this.#size > this.#places.length) this.#widen();
    const tool = new CalledTool(hash, this.#profiles.get(name), this.#rulesFor);
    this.#put(tool);
    return tool;
  }

  #put(tool: CalledTool): void {
    const places = this.#places;
    const end = places.length - 1;
    let place = tool.hash & end;
    while (places[place] !== undefined) place = place + 1 & end;
    places[place] = tool;
  }

  #widen(): void {
    const tools = this.#places;
    this.#places = new Array(2 * tools.length).fill(undefined);
    for (const tool of tools) if (tool !== undefined) this.#put(tool);
  }
}

/** A tool that was called. Its rules are compiled for the first call that they are tried on. */
class CalledTool implements NamedTool {
  readonly name: string;
  readonly hash: number;
  readonly profile: ToolProfile;
  readonly isCommand: boolean;
  readonly hasVisibleName: boolean;
  readonly isUndescribed: boolean;
  /** All rules, if they are so few that each is tried. */
  #few: readonly ToolRule[] | undefined;
  readonly #rulesFor: RulesFor;
  #rules: readonly ToolRule[] | undefined;
  #written: readonly ToolRule[] | undefined;
  #index: RuleIndex | undefined;
  /** The rules that the index found for commands of lines that come again. */
  #kept: WeakMap<Effect, readonly ToolRule[]> | undefined;

  constructor(hash: number, profile: ToolProfile, rulesFor: RulesFor) {
    const { name, kind, firstArg, fields, searches } = profile;
    this.name = name;
    this.hash = hash;
    this.profile = profile;
    this.isCommand = kind === "command";
    this.hasVisibleName = typeof name === "string" && visibleName(name) === name;
    this.isUndescribed = kind === "text" && firstArg === undefined && fields.length === 0 &&
      searches === undefined;
    this.#rulesFor = rulesFor;
  }

  /** Every rule that speaks of the tool, in order. */
  get rules(): readonly ToolRule[] {
    return this.#rules ??= this.#rulesFor(this.profile);
  }

  /** Those that are not built in. */
  get writtenRules(): readonly ToolRule[] {
    return this.#written ??= this.rules.filter(({ rule }) => rule.source.kind !== "builtin");
  }

  /** The rules that may fit a call, in order. */
  candidates(request: Request): readonly ToolRule[] {
    if (this.#few !== undefined) return this.#few;
    const index = this.#index ??= new RuleIndex(this.rules, { kind: this.profile.kind });
    if (index.isSmall) {
      // Most tools that nobody described have none, and share them.
      return this.#few = this.rules.length === 0 ? NO_RULES : this.rules;
    }
    const { part } = request;
    // An unknown effect may have been made for this call alone.
    const isKept = part?.line.isKept === true && part.effect.kind !== "opaque";
    if (isKept && part.rules?.from !== index) {
      const kept = this.#kept ??= new WeakMap();
      const found = kept.get(part.effect);
      if (found !== undefined) part.rules = { from: index, found };
      else kept.set(part.effect, index.candidates(request));
    }
    return index.candidates(request);
  }
}

const NO_RULES: readonly ToolRule[] = [];
