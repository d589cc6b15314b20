import defaults from "../../../defaults/tools.json" with { type: "json" };
import { onDemand } from "../../model/on_demand.ts";
import type { ToolOverride, ToolProfile } from "../../model/call.ts";

export interface ToolProfiles {
  /** The profile of that tool; for an unknown one a profile that knows nothing. Never throws. */
  get(name: string): ToolProfile;
  /** True for a tool of the defaults or of a policy. */
  has(name: string): boolean;
  /** All known tools: the defaults in their order, then those that only policies know. */
  readonly known: readonly ToolProfile[];
}

const DEFAULTS = defaults.tools as readonly ToolProfile[];

/** Names of the tools that `defaults/tools.toml` has. */
export const DEFAULT_TOOLS: ReadonlySet<string> = new Set(DEFAULTS.map((profile) => profile.name));

const defaultProfiles = onDemand((): ReadonlyMap<string, ToolProfile> =>
  new Map(DEFAULTS.map((profile) => [profile.name, profileOf(profile)]))
);

/** The default profiles, changed and added to by the `[tools.NAME]` tables of a policy. */
export function toolProfiles(overrides: ReadonlyMap<string, ToolOverride>): ToolProfiles {
  const profiles = overrides.size === 0 ? defaultProfiles() : changedProfiles(overrides);
  let known: readonly ToolProfile[] | undefined;
  return {
    get: (name) => profiles.get(name) ?? unknownTool(name),
    has: (name) => profiles.has(name),
    get known() {
      return known ??= [...profiles.values()];
    },
  };
}

function changedProfiles(
  overrides: ReadonlyMap<string, ToolOverride>,
): ReadonlyMap<string, ToolProfile> {
  const profiles = new Map(defaultProfiles());
  for (const [name, override] of overrides) {
    const base = profiles.get(name) ?? baseOf(name, override);
    profiles.set(name, profileOf(withOverride(base, override)));
  }
  return profiles;
}

/** The profile that an override of a tool without defaults changes: that of the tool that it is another name of. */
function baseOf(name: string, { aliasOf, isUntrusted }: ToolOverride): ToolProfile {
  const meant = DEFAULTS.find((profile) => profile.name === aliasOf);
  if (meant === undefined) return unknownTool(name);
  // By its class a mode could answer questions about it.
  const { class: toolClass, ...rest } = meant;
  const classed = isUntrusted || toolClass === undefined ? {} : { class: toolClass };
  return { ...rest, ...classed, name, aliasOf: meant.name };
}

function unknownTool(name: string): ToolProfile {
  return profileOf({ name, kind: "text", fields: NO_FIELDS });
}

const NO_FIELDS: readonly string[] = [];

/** A profile with every member, so that all have one shape: each call asks for them again and again. */
function profileOf(
  { name, firstArg, kind, class: ofClass, shell, fields, searches, aliasOf, isUntrusted }:
    ToolProfile,
): ToolProfile {
  return {
    name,
    firstArg,
    kind,
    class: ofClass,
    shell,
    fields,
    searches,
    aliasOf,
    isUntrusted,
  } as Required<ToolProfile>;
}

function withOverride({ shell, ...profile }: ToolProfile, override: ToolOverride): ToolProfile {
  const kind = override.kind ?? profile.kind;
  const own = override.shell ?? shell ?? "posix";
  return {
    ...profile,
    kind,
    ...(override.firstArg === undefined ? {} : { firstArg: [override.firstArg] }),
    ...(override.class === undefined ? {} : { class: override.class }),
    ...(kind === "command" && own !== "posix" ? { shell: own } : {}),
    ...(override.isUntrusted === undefined ? {} : { isUntrusted: override.isUntrusted }),
  };
}
