import type { ToolProfile } from "../../model/call.ts";
import type { CompiledRule } from "./compiled_policy.ts";
import type { ToolProfiles } from "./profiles.ts";
import { plainTool } from "./sound_pattern.ts";

/** The rules of a policy by the tools that their patterns name, so that no pattern of another tool is parsed for a call. */
export class ToolGroups {
  readonly #named = new Map<string, CompiledRule[]>();
  /** Rules that may name any tool. */
  readonly #others: CompiledRule[] = [];

  constructor(rules: readonly CompiledRule[]) {
    for (const rule of rules) {
      const name = plainTool(rule.pattern);
      if (name === undefined) this.#others.push(rule);
      else {
        const group = this.#named.get(name);
        if (group) group.push(rule);
        else this.#named.set(name, [rule]);
      }
    }
  }

  /** The rules that may speak of a tool, in their order: those left out do not. */
  rulesFor(profile: ToolProfile, profiles: ToolProfiles): readonly CompiledRule[] {
    const names = new Set([
      profile.name,
      ...(profile.aliasOf === undefined ? [] : [profile.aliasOf]),
      ...(touchesFiles(profile) ? fileTools(profile, profiles) : []),
    ]);
    const groups = [...names].flatMap((name) => this.#named.get(name) ?? []);
    return [...groups, ...this.#others].sort((a, b) => a.index - b.index);
  }
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
