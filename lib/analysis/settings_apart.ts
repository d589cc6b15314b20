import type { ToolOverride } from "../model/tool_profile.ts";
import type { Policy } from "../policy/policy.ts";

/** How the settings of two policies differ, as far as verdicts or decisions go. */
export interface SettingsApart {
  /** Whether the same rules may say something else. */
  readonly rereads: boolean;
  /** What no call shows. */
  readonly unknown: readonly string[];
}

/** Compares settings. */
export function settingsApart(old: Policy, now: Policy): SettingsApart {
  const before = old.settings;
  const after = now.settings;
  const unknown: string[] = [];
  const tell = (what: string, [was, is]: readonly [string, string]) => {
    if (was !== is) unknown.push(`${what}: was ${was}, now ${is}`);
  };
  const modes = [before, after].map(({ defaultMode }) => defaultMode?.value ?? "default");
  tell(
    "the start mode, by which questions are answered",
    modes as unknown as readonly [string, string],
  );
  tell("whether bypass is refused (enforce)", [
    String(before.enforce?.value ?? false),
    String(after.enforce?.value ?? false),
  ]);
  const wrappers = [JSON.stringify(before.wrappers), JSON.stringify(after.wrappers)] as const;
  tell("wrappers", wrappers);
  const rereads = before.shell !== after.shell || wrappers[0] !== wrappers[1] ||
    toolsText(old) !== toolsText(now) ||
    JSON.stringify(old.context) !== JSON.stringify(now.context);
  return { rereads, unknown };
}

function toolsText({ sources }: Policy): string {
  const tools = [...sources.tools].map((
    [name, tool],
  ): readonly [string, ToolOverride] => [name, tool]);
  return JSON.stringify(tools.sort(([a], [b]) => a < b ? -1 : 1));
}
