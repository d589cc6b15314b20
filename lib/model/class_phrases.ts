import type { CommandClass } from "./call.ts";

/** A class of commands in words. */
export interface ClassPhrase {
  /** The end of “it …”, where nothing is named. */
  readonly does: string;
  /** The same in front of the files or URLs that the command names. */
  readonly to?: string;
  /** The accesses that it names. */
  readonly names?: "read" | "write" | "url";
}

/** The classes of commands in words. */
export const CLASS_PHRASES: Readonly<Record<CommandClass, ClassPhrase>> = {
  "read": { does: "only reads", to: "reads files:", names: "read" },
  "edit": { does: "changes files", to: "changes files:", names: "write" },
  "repository": { does: "changes the repository" },
  "project": { does: "runs the project's own code" },
  "fetch": { does: "fetches a URL", to: "fetches", names: "url" },
  "service-read": { does: "reads from a service" },
  "delete": { does: "removes files or uncommitted work", to: "removes files:", names: "write" },
  "install": { does: "installs packages or tools" },
  "process": { does: "starts or stops processes" },
  "code": { does: "runs other code" },
  "service": { does: "changes a service or reaches a host" },
  "secret": { does: "shows the environment or secrets" },
  "system": { does: "changes the system" },
  "unknown": { does: "is unknown" },
};
