import { readPolicyJson } from "../../agents/convert/read_policy_json.ts";
import type { Revision } from "../../io/git/git_files.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { PolicyFile, SourceEntry } from "../../model/rule.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { LOCAL_FILE, POLICY_FOLDER, PROJECT_FILE } from "../../policy/sources/source.ts";
import { UsageError } from "../errors/errors.ts";
import type { OperandScene, Side } from "./policy_operand.ts";

/** Reads `git:REV`, the workspace's files in a revision, or `git:REV:PATH`, a folder or file of it. */
export async function gitSide(
  text: string,
  { runtime, scene }: { readonly runtime: Runtime; readonly scene: OperandScene },
): Promise<Side> {
  const { revision, path } = parts(text);
  // Loads the Node layer, which a bundle has in files of its own.
  const { openRevision } = await import("../../io/git/git_files.ts");
  const opened = await openRevision(runtime, { folder: scene.location.workspace, revision });
  const name = `git:${revision}`;
  if (path === undefined) {
    return await workspaceSide(opened, { name, folder: opened.prefix, shown: "" });
  }
  const kind = await opened.kind(path);
  if (kind === "file") {
    const file = await opened.text(path) ?? "";
    return { kind: "file", entry: entryOfText(file, `${name}:${path}`) };
  }
  if (kind === "folder") {
    const folder = path === "" ? "" : `${path}/`;
    return await workspaceSide(opened, { name, folder, shown: folder });
  }
  const message = `Cannot read "${text}": the revision has no such file or folder`;
  throw new FileError(message, { path: "git", fault: "not-found" });
}

/** The revision and the path from the repository's top; the path ends no line in slashes. */
function parts(text: string): { readonly revision: string; readonly path?: string } {
  const rest = text.slice("git:".length);
  const cut = rest.indexOf(":");
  const revision = cut < 0 ? rest : rest.slice(0, cut);
  if (revision === "") {
    throw new UsageError(`Cannot read "${text}": the revision is missing`, {
      hint: "For example:",
      command: "caliban perms diff git:HEAD .",
    });
  }
  if (cut < 0) return { revision };
  const segments = rest.slice(cut + 1).split("/").filter((each) => each !== "" && each !== ".");
  if (segments.includes("..")) {
    throw new UsageError(
      `Cannot read "${text}": the path is relative to the repository root, and has no ".."`,
    );
  }
  return { revision, path: segments.join("/") };
}

interface Tree {
  readonly name: string;
  /** The path of the workspace in the repository, ending in a slash or empty. */
  readonly folder: string;
  /** The part of it in the displayed path. */
  readonly shown: string;
}

async function workspaceSide(revision: Revision, tree: Tree): Promise<Side> {
  return {
    kind: "workspace",
    local: await entryOf(LOCAL_FILE, { kind: "local", revision, ...tree }),
    project: await entryOf(PROJECT_FILE, { kind: "project", revision, ...tree }),
  };
}

/** One policy file of a revision; absent where the revision has none. */
async function entryOf(
  file: string,
  { kind, revision, name, folder, shown }: Tree & {
    readonly kind: "local" | "project";
    readonly revision: Revision;
  },
): Promise<SourceEntry> {
  const own = `${POLICY_FOLDER}/${file}`;
  const text = await revision.text(`${folder}${own}`);
  const base = { kind, path: `${name}:${shown}${own}`, trusted: false };
  if (text === undefined) return { ...base, state: "absent" };
  const body = text.replace(/^\ufeff/, "");
  return { ...base, state: "read", text: body, file: decodePolicy(body) };
}

/** A file as a policy of its own. Throws FileError. */
export function fileEntry(path: string, runtime: Runtime): SourceEntry {
  return entryOfText(runtime.readText(path), path);
}

/** A text as a policy of its own: of the highest kind, so that every setting in it counts. */
export function entryOfText(text: string, path: string): SourceEntry {
  const body = text.replace(/^\ufeff/, "");
  return {
    kind: "managed",
    path,
    state: "read",
    text: body,
    file: fileOfText(body),
    trusted: true,
  };
}

/** Decodes a text without a byte order mark: JSON as `export --format json` prints it, else TOML. */
function fileOfText(text: string): PolicyFile {
  return /^\s*\{/.test(text) ? readPolicyJson(text) : decodePolicy(text);
}
