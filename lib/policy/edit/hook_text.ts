import type { HookEventName, WrittenHook } from "../../model/hook.ts";
import { tomlString } from "../../text/toml_text.ts";

/** A hook as a table of a permissions.toml, ending in a newline. */
export function hookBlock({ event, matcher, command }: WrittenHook): string {
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
