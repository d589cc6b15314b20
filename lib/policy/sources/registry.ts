import type { SourceKind } from "../../model/source.ts";
import { builtin } from "./builtin.ts";
import { cli } from "./cli.ts";
import { command } from "./command.ts";
import { flag } from "./flag.ts";
import { local } from "./local.ts";
import { managed } from "./managed.ts";
import { project } from "./project.ts";
import { session } from "./session.ts";
import type { Source } from "./source.ts";
import { user } from "./user.ts";

/** Every kind of source, highest first. INVARIANT: this order is the priority of rules, and nothing else is. */
export const SOURCES: readonly Source[] = [
  managed,
  session,
  command,
  cli,
  flag,
  local,
  project,
  user,
  builtin,
];

/** How low a kind of source stands: 0 for the highest. */
export function rankOf(kind: SourceKind): number {
  return SOURCES.findIndex((source) => source.kind === kind);
}
