import type { HookEventName, ToolOverride } from "../../model/call.ts";
import type { FileSettings, PolicyFile, WrittenHook } from "../../model/rule.ts";
import type { Located } from "../../model/problem.ts";
import { tomlKey, tomlPair, tomlString } from "../../text/toml_text.ts";
import {
  classPairs,
  type Pair,
  settingPairs,
  shellPairs,
  testBlock,
  testPairs,
  toolPairs,
  writtenPairs,
} from "./policy_pairs.ts";

/** Additions to the canonical text. */
export interface PrintOptions {
  /** Lines for the top of the file; a line without `#` becomes a comment. */
  readonly header?: string;
}

/**
 * The canonical permissions.toml of `file`: settings, rules, tests, tools, hooks. Decoding it returns the same. Throws
 * RangeError for a rule that expires outside of the years 0 to 9999.
 */
export function printPolicy(file: PolicyFile, options: PrintOptions = {}): string {
  const parts = [
    headerText(options.header),
    settingsText(file.settings),
    ...file.rules.map((rule) => table("[[permissions.rules]]", writtenPairs(rule))),
    ...(file.tests ?? []).map(testBlock),
    ...[...file.tools].map(([name, tool]) => toolText(name, tool)),
    ...(file.hooks ?? []).map(hookBlock),
  ];
  return parts.filter((part) => part !== "").join("\n");
}

function headerText(header: string | undefined): string {
  if (header === undefined || header === "") return "";
  const lines = header.replace(/\r?\n$/, "").split(/\r?\n/);
  const shown = lines.map((line) => line.replace(/(?!\t)[\p{Cc}\p{Surrogate}]/gu, "\uFFFD"));
  return shown.map((line) => line.startsWith("#") ? `${line}\n` : `# ${line}`.trimEnd() + "\n")
    .join("");
}

function settingsText(settings: FileSettings): string {
  const permissions = settingPairs(settings);
  const shell = shellPairs(settings);
  const classes = classPairs(settings);
  return [
    ...(permissions.length === 0 ? [] : [table("[permissions]", permissions)]),
    ...(shell.length === 0 ? [] : [table("[shell]", shell)]),
    ...(classes.length === 0 ? [] : [table("[shell.classes]", classes)]),
  ].join("\n");
}

function toolText(name: string, { value }: Located<ToolOverride>): string {
  return table(`[tools.${tomlKey(name)}]`, toolPairs(value));
}

function table(
  header: string,
  pairs: readonly Pair<string | boolean | readonly string[]>[],
): string {
  return [header, ...pairs.map(tomlPair), ""].join("\n");
}

/**
 * The contents of `file` as one JSON object with the keys of permissions.toml; the text ends in a newline. Throws
 * RangeError for a rule that expires outside of the years 0 to 9999.
 */
export function printPolicyJson(
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
  const classes = Object.fromEntries(classPairs(settings));
  const shell = {
    ...Object.fromEntries(shellPairs(settings)),
    ...(Object.keys(classes).length === 0 ? {} : { classes }),
  };
  const whole = {
    permissions,
    ...(Object.keys(shell).length === 0 ? {} : { shell }),
    ...(tables.length === 0 ? {} : { tools: Object.fromEntries(tables) }),
    ...(hooks.length === 0 ? {} : { hooks: hooksObject(hooks) }),
  };
  return JSON.stringify(whole, null, 2) + "\n";
}

/** A hook as a table of a permissions.toml, ending in a newline. */
function hookBlock({ event, matcher, command }: WrittenHook): string {
  return [
    `[[hooks.${event}]]`,
    ...(matcher?.value ? [`matcher = ${tomlString(matcher.value)}`] : []),
    `hooks = [{ type = "command", command = ${tomlString(command.value)} }]`,
    "",
  ].join("\n");
}

/** One entry of an event's list in JSON. */
interface HookGroup {
  readonly matcher: string;
  readonly hooks: readonly { readonly type: "command"; readonly command: string }[];
}

/** Hooks as the `hooks` object of a JSON file, one entry each, in their order. */
export function hooksObject(
  hooks: readonly WrittenHook[],
): Readonly<Partial<Record<HookEventName, readonly HookGroup[]>>> {
  const events = new Map<HookEventName, HookGroup[]>();
  for (const { event, matcher, command } of hooks) {
    const groups = events.get(event) ?? [];
    events.set(event, groups);
    groups.push({
      matcher: matcher?.value ?? "",
      hooks: [{ type: "command", command: command.value }],
    });
  }
  return Object.fromEntries(events);
}
