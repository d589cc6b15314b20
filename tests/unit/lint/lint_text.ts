import assert from "node:assert/strict";
import type { SourceEntry } from "../../../lib/model/rule.ts";
import type { SourceKind } from "../../../lib/model/call.ts";
import { type LintResult, type LintScene, lintScene } from "../../../lib/lint/lint_scene.ts";
import type { Selection } from "../../../lib/lint/run_checks.ts";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";
import { builtinRules } from "../../../lib/policy/sources/source_order.ts";
import { CONTEXT } from "../../support/policy.ts";

/** The time of tests. */
export const NOW = Date.parse("2026-11-22T12:00:00Z");

/** The path of each kind of file in tests. */
const PATHS: Partial<Record<SourceKind, string>> = {
  managed: "/etc/caliban/permissions.toml",
  local: "/home/u/ws/.caliban/permissions.local.toml",
  project: "/home/u/ws/.caliban/permissions.toml",
  user: "/home/u/.config/caliban/permissions.toml",
};

/** The scene of these files, highest first, above the built-in rules. */
export function sceneOf(files: Partial<Record<SourceKind, string>>): LintScene {
  const kinds = (Object.keys(PATHS) as SourceKind[]).filter((kind) => files[kind] !== undefined);
  const entries: readonly SourceEntry[] = kinds.map((kind) => ({
    kind,
    path: PATHS[kind]!,
    state: "read",
    text: files[kind]!,
    file: decodePolicy(files[kind]!),
    trusted: true,
  }));
  const builtin: SourceEntry = {
    kind: "builtin",
    path: "defaults/permissions.toml",
    state: "read",
    rules: builtinRules("/home/u"),
    trusted: true,
  };
  return {
    entries: [...entries, builtin],
    paths: entries.filter(({ kind }) => kind !== "managed").map(({ path }) => path),
    surroundings: {
      context: { ...CONTEXT, isSystemProgram: () => true, gitRepository: () => "here" },
      cwd: CONTEXT.workspace[0]!,
    },
    now: NOW,
  };
}

/** The result of lint for the text of a project's file. */
export function lintText(text: string, selection: Selection = {}): LintResult {
  return lintScene(sceneOf({ project: text }), selection);
}

/** A permissions.toml with a rule a line, as `allow Bash:git *`; settings stand before them. */
export function tomlOf(rules: readonly string[], settings: readonly string[] = []): string {
  const blocks = rules.map((line) => {
    const [, action, pattern] = /^(allow|deny|ask) ([^]*)$/.exec(line) ?? [];
    assert.ok(action && pattern, line);
    return `\n[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`;
  });
  return ["[permissions]", ...settings, ""].join("\n") + blocks.join("");
}
