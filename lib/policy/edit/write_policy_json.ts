import type { PolicyFile } from "../../model/settings.ts";
import { hooksObject } from "./hook_text.ts";
import { settingPairs, shellPairs, toolPairs, writtenPairs } from "../schema/policy_pairs.ts";
import { testPairs } from "../schema/test_pairs.ts";

/**
 * What `file` says as one JSON object with the keys of permissions.toml, its text ending in a newline. Throws RangeError for
 * a rule that expires outside of the years 0 to 9999.
 */
export function writePolicyJson(
  { settings, rules, tests = [], tools, hooks = [] }: PolicyFile,
): string {
  const permissions = {
    ...Object.fromEntries(settingPairs(settings)),
    rules: rules.map((rule) => Object.fromEntries(writtenPairs(rule))),
    ...(tests.length === 0
      ? {}
      : { tests: tests.map((test) => Object.fromEntries(testPairs(test))) }),
  };
  const tables = [...tools].map(([name, { value }]) => {
    return [name, Object.fromEntries(toolPairs(value))] as const;
  });
  const shell = Object.fromEntries(shellPairs(settings));
  const whole = {
    permissions,
    ...(Object.keys(shell).length === 0 ? {} : { shell }),
    ...(tables.length === 0 ? {} : { tools: Object.fromEntries(tables) }),
    ...(hooks.length === 0 ? {} : { hooks: hooksObject(hooks) }),
  };
  return JSON.stringify(whole, null, 2) + "\n";
}
