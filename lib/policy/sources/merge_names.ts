import type { CommandClass } from "../../model/call.ts";
import type { Located } from "../../model/problem.ts";
import type { Notice, OwnCommand, Settings, SourceEntry } from "../../model/rule.ts";
import {
  ignored,
  isUntrusted,
  isWorkspaceFile,
  onlyAboveWorkspace,
  sourceAt,
  untrusted,
  usableFile,
} from "./entry_text.ts";

/** The names of a list of `[shell]` that count, and what did not count. */
interface MergedNames {
  /** Those of the highest source first, each once. */
  readonly names: readonly string[];
  /** Notices about what did not count. */
  readonly notices: readonly Notice[];
}

/** A list of names in `[shell]`. */
type NameList = "wrappers" | "variables" | "classes" | "repositories";

/** Adds up a list of all entries, which stand highest first. A wrapper or variable loosens, as an allow rule does. */
export function mergeNames(
  entries: readonly SourceEntry[],
  { key, managedOnly }: Pick<Settings, "managedOnly"> & {
    readonly key: Exclude<NameList, "classes">;
  },
): MergedNames {
  const names = new Set<string>();
  const notices: Notice[] = [];
  for (const entry of entries) {
    const written = usableFile(entry)?.settings[key];
    if (written === undefined || written.value.length === 0) continue;
    const notice = namesObjection(entry, { key, written, managedOnly });
    if (notice !== undefined) notices.push(notice);
    else for (const { value } of written.value) names.add(value);
  }
  return { names: [...names], notices };
}

function namesObjection(
  entry: SourceEntry,
  { key, written, managedOnly }: {
    readonly key: NameList;
    readonly written: Located<unknown>;
    readonly managedOnly: boolean;
  },
): Notice | undefined {
  const source = sourceAt(entry, written.span);
  const what = key === "classes" ? "the [shell.classes]" : `the [shell] ${key}`;
  if (managedOnly && entry.kind !== "managed") {
    return ignored(what, { source, why: "a managed file sets managed_only" });
  }
  if (key === "repositories") return onlyAboveWorkspace(what)(entry, { value: written, source });
  return isUntrusted(entry) ? untrusted(what, source) : undefined;
}

/** The classes that a file of the workspace may give. */
const WORKSPACE_CLASSES: readonly CommandClass[] = ["read", "project", "service-read"];

/** Adds up `[shell.classes]` of all entries, which stand highest first. */
export function mergeClasses(
  entries: readonly SourceEntry[],
  { managedOnly }: Pick<Settings, "managedOnly">,
): { readonly commands: readonly OwnCommand[]; readonly notices: readonly Notice[] } {
  const commands: OwnCommand[] = [];
  const notices: Notice[] = [];
  for (const entry of entries) {
    const written = usableFile(entry)?.settings.classes;
    if (written === undefined || written.value.length === 0) continue;
    const notice = namesObjection(entry, { key: "classes", written, managedOnly });
    if (notice !== undefined) {
      notices.push(notice);
      continue;
    }
    for (const { name, command } of written.value) {
      const source = sourceAt(entry, command.span);
      const why = whyNoClass({ name, command: command.value }, entry);
      if (why === undefined) commands.push({ name, command: command.value, source });
      else {
        notices.push(ignored(`[shell.classes] ${name} "${command.value}"`, { source, why }));
      }
    }
  }
  return { commands, notices };
}

/** The reason why a file cannot give a command a class. */
function whyNoClass(
  { name, command }: Pick<OwnCommand, "name" | "command">,
  { kind }: SourceEntry,
): string | undefined {
  if (isWorkspaceFile(kind)) {
    return WORKSPACE_CLASSES.includes(name)
      ? undefined
      : `a workspace's file gives the classes ${WORKSPACE_CLASSES.join(", ")} only`;
  }
  return command.split(" ")[0]!.includes("/")
    ? "a path counts in a file of its own workspace only"
    : undefined;
}
