import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";

/** The settings of `[shell]`, as people are told them. */
const LISTS = ["wrappers", "variables", "repositories", "classes of commands"];

/** The differences between two policies' settings that matter for verdicts and decisions. */
export interface SettingsApart {
  /** True if the same rules may match differently. */
  readonly rereads: boolean;
  /** Differences that no call shows. */
  readonly unknown: readonly string[];
}

/** Compares the settings of two policies. */
export function settingsApart(old: CompiledPolicy, now: CompiledPolicy): SettingsApart {
  const before = old.settings;
  const after = now.settings;
  const unknown: string[] = [];
  const compare = (what: string, [was, is]: readonly [string, string]) => {
    if (was !== is) unknown.push(`${what}: was ${was}, now ${is}`);
  };
  const modes = [before, after].map(({ defaultMode }) => defaultMode?.value ?? "default");
  compare(
    "the start mode, which can answer questions",
    modes as unknown as readonly [string, string],
  );
  compare("the refusal of bypass (enforce)", [
    String(before.enforce?.value ?? false),
    String(after.enforce?.value ?? false),
  ]);
  const own = [before, after].map(({ wrappers, variables, repositories, classes }) => [
    JSON.stringify(wrappers),
    JSON.stringify(variables),
    JSON.stringify(repositories),
    JSON.stringify(classes, ["name", "command", "source", "kind"]),
  ]);
  for (const [at, name] of LISTS.entries()) {
    compare(name, [own[0]![at]!, own[1]![at]!]);
  }
  const rereads = before.shell !== after.shell || `${own[0]}` !== `${own[1]}` ||
    toolsText(old) !== toolsText(now) ||
    JSON.stringify(old.context) !== JSON.stringify(now.context);
  return { rereads, unknown };
}

function toolsText({ sources }: CompiledPolicy): string {
  return JSON.stringify([...sources.tools].sort(([a], [b]) => a < b ? -1 : 1));
}
