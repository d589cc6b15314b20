import type { PolicyLocation } from "../../io/load/policy_location.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { EditOptions } from "../../io/write/edit_file.ts";
import type { writeSchema } from "../../io/write/write_schema.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import type { EditResult } from "../../policy/edit/edit_rules.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { commandLine } from "../../text/quote.ts";
import { WriteError } from "../errors/errors.ts";
import { warn } from "../output/print.ts";

/**
 * Edits a file under its lock. Throws WriteError when it cannot be written; what `edit` throws goes on and leaves the
 * file as it was.
 */
export async function writeFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
  options: EditOptions,
): Promise<"written" | "unchanged"> {
  const { editFile } = await import("../../io/write/edit_file.ts");
  try {
    return await editFile(path, edit, options);
  } catch (error) {
    throw asWriteError(error);
  }
}

/** Runs a write, and turns a FileError into a WriteError. */
export function writing<T>(write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw asWriteError(error);
  }
}

/** Waits for a write, and turns a FileError into a WriteError. */
export async function recording(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw asWriteError(error);
  }
}

/** Writes the schema beside a policy file, as `writeSchema` does. Throws WriteError. */
export async function writeSchemaFile(
  ...[policyFile, options]: Parameters<typeof writeSchema>
): Promise<string> {
  const { writeSchema } = await import("../../io/write/write_schema.ts");
  try {
    return await writeSchema(policyFile, options);
  } catch (error) {
    throw asWriteError(error);
  }
}

function asWriteError(error: unknown): unknown {
  return error instanceof FileError ? new WriteError(error.message, { cause: error }) : error;
}

/** A policy file that is edited. */
export interface WrittenPolicy extends Required<Pick<EditOptions, "newFolders" | "within">> {
  /** Its absolute path. */
  readonly path: string;
}

/** The machine and the workspace of a policy file that is edited. */
export interface PolicyWriting {
  readonly location: PolicyLocation;
  readonly runtime: Runtime;
}

/**
 * Edits a policy file; a byte order mark stays where it is, and `edit` does not see it. It is its user's own act, so that the
 * workspace stays trusted, or becomes it with its first file; what stands in the way of that is printed on stderr.
 */
export async function writePolicyFile(
  { path, newFolders, within }: WrittenPolicy,
  edit: (text: string | undefined) => string | undefined,
  { location, runtime }: PolicyWriting,
): Promise<"written" | "unchanged"> {
  let warning: string | undefined;
  const outcome = await writeFile(path, (whole) => {
    const mark = whole?.startsWith("\ufeff") ? "\ufeff" : "";
    const text = edit(whole?.slice(mark.length));
    return text === undefined ? undefined : mark + text;
  }, {
    newFolders,
    within,
    written: async (change) => {
      const { keepTrust } = await import("../../io/write/trust_record.ts");
      warning = await keepTrust(runtime, { location, path, ...change });
    },
  });
  if (warning !== undefined) await warn(runtime, { label: "note:", message: warning });
  return outcome;
}

/** The error for a file that cannot be edited; for a file of an older shape its hint has the commands that convert it. */
export function editRefused(
  { problem, about }: Extract<EditResult, { ok: false }>,
  path: string,
): PolicyError {
  const { shape, problems } = decodePolicy(about);
  const older = problems.length === 0 && (shape === "buckets" || shape === "rule-array");
  const help = problem.hint === undefined && older
    ? { hint: "Convert it (comments are lost):", command: conversion(path) }
    : {};
  return new PolicyError([{ ...problem, ...help, path, text: about }]);
}

function conversion(path: string): string {
  const next = `${path}.new`;
  const [exported, target] = [
    commandLine(["caliban", "perms", "export", path]),
    commandLine([next]),
  ];
  return `${exported} > ${target} && ${commandLine(["mv", next, path])}`;
}

/** The workspace that a named file (absolute path) belongs to, whose links must not lead out of it; null for none. */
export function boundOf(
  path: string,
  { platform, workspace, workspaceReal }: Pick<
    PolicyLocation,
    "platform" | "workspace" | "workspaceReal"
  >,
): string | null {
  const style = pathStyle(platform);
  const { root, segments } = style.split(path);
  const holds = (folder: string) => {
    const outer = style.split(folder);
    return outer.root === root &&
      outer.segments.every((segment, index) => segment === segments[index]);
  };
  return [workspace, workspaceReal].find(holds) ?? null;
}
