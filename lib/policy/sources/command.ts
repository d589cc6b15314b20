import type { Source } from "./source.ts";

/** Rules that a command or skill carries for its own run. */
export const command: Source = {
  kind: "command",
  writable: "memory",
  title: "rules that a command or skill carries for its own run",
  where: "in memory (library only)",
  places({ options }) {
    return options.command.length === 0
      ? []
      : [{ kind: "rules", path: "command", rules: options.command }];
  },
};
