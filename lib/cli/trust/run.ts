import { findPolicyLocation, type PolicyLocation } from "../../io/load/policy_location.ts";
import { hashesOf, isOwnRecord, readTrust, recordPathOf } from "../../io/load/trust_files.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { isTrusted, type TrustedWorkspace, type TrustRecord } from "../../policy/sources/trust.ts";
import { withoutTrusted } from "../../policy/sources/trust_edit.ts";
import { visible } from "../../text/visible.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, InputError, UsageError, WriteError } from "../errors/errors.ts";
import { isConfirmed } from "../input/is_confirmed.ts";
import { colorFor } from "../output/choose_color.ts";
import { writeJson } from "../output/print.ts";
import { type Review, reviewOf, type Texts, whyLooser } from "./review.ts";
import { reviewJson, reviewText } from "./text.ts";

/** The exit status when the workspace is trusted no more than before. */
export const NOT_TRUSTED = 1;

/** Records the workspace's files as trusted, or takes the record back. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const path = recordPath(location, runtime);
  const common = { invocation, runtime, location, path };
  if (hasFlag(invocation, "remove")) {
    if (hasFlag(invocation, "if-not-looser")) {
      throw new UsageError("--remove and --if-not-looser exclude each other");
    }
    return await remove(common);
  }
  const { readTrustFiles, trustedTexts } = await import("../../io/write/trust_record.ts");
  const texts = readTrustFiles(runtime, location.workspace);
  if (texts.size === 0) {
    throw new UsageError(`Nothing to trust: ${location.workspace} has no policy file`, {
      hint: '"caliban init" creates one',
    });
  }
  const record = recordAt(path, runtime);
  const since = record.get(location.workspaceReal);
  const before = since && await trustedTexts(runtime, { path, files: since.files });
  const trusting: Trusting = { ...common, texts, record, since, before };
  return hasFlag(invocation, "if-not-looser") ? await trustProven(trusting) : await trust(trusting);
}

interface Common {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
  readonly location: PolicyLocation;
  /** The record's path. */
  readonly path: string;
}

interface Trusting extends Common {
  /** The files as they are now; exactly these are trusted. */
  readonly texts: Texts;
  readonly record: TrustRecord;
  /** The record of the workspace. */
  readonly since: TrustedWorkspace | undefined;
  /** The texts that were trusted; undefined where they are not kept. */
  readonly before: Texts | undefined;
}

async function remove({ invocation, runtime, location, path }: Common): Promise<number> {
  const { workspaceReal: workspace } = location;
  const { editTrust } = await import("../../io/write/trust_record.ts");
  await recording(() => editTrust(path, (record) => withoutTrusted(record, workspace)));
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { done: "removed", workspace, files: [], record: path });
  } else await runtime.write("stdout", `${visible(workspace)} is no longer trusted\n`);
  return EXIT.ok;
}

/** Shows what there is to trust, asks on a terminal, and trusts it. INVARIANT: without --yes only what a person said yes to. */
async function trust(trusting: Trusting): Promise<number> {
  const { invocation, runtime, location, texts, before } = trusting;
  const review = await reviewOf(texts, { runtime, workspace: location.workspace, before });
  const isShown = !hasFlag(invocation, "json");
  const text = isShown
    ? reviewText(review, { color: colorFor(invocation, runtime), folders: location })
    : "";
  if (hasFlag(invocation, "yes")) return await record(trusting, { review, text });
  await runtime.write("stdout", text === "" ? "" : `${text}\n`);
  if (!isShown || !runtime.isTerminal("stdin") || !runtime.isTerminal("stdout")) {
    return await refuse(trusting, { why: "nobody can be asked", next: UNASKED, review });
  }
  if (!await isConfirmed(runtime, "Trust these files?")) return await refuse(trusting, { review });
  return await record(trusting, { review });
}

const UNASKED = '"caliban trust" asks on a terminal, and "caliban trust --yes" asks nobody';

/** Trusts the files without a question if they are proven to be no looser than those that were trusted before. */
async function trustProven(trusting: Trusting): Promise<number> {
  const { runtime, location, texts, since, record: all, before } = trusting;
  const { workspace, workspaceReal } = location;
  if (since === undefined) return await refuse(trusting, { why: "it was never trusted" });
  const hashes = await hashesOf(runtime, texts);
  if (isTrusted(all, { workspace: workspaceReal, hashes })) return await record(trusting);
  if (before === undefined) {
    return await refuse(trusting, { why: "the files that were trusted are not kept" });
  }
  const why = await whyLooser(texts, { runtime, workspace, before });
  return why === undefined ? await record(trusting) : await refuse(trusting, { why });
}

async function record(
  trusting: Trusting,
  { review, text = "" }: { readonly review?: Review; readonly text?: string } = {},
): Promise<number> {
  const { invocation, runtime, location, path, texts, record: all } = trusting;
  const { workspaceReal: workspace } = location;
  const wasTrusted = isTrusted(all, { workspace, hashes: await hashesOf(runtime, texts) });
  const { recordTrust } = await import("../../io/write/trust_record.ts");
  await recording(() => recordTrust(runtime, { path, workspace, texts }));
  const files = [...texts.keys()];
  if (hasFlag(invocation, "json")) {
    const shown = review === undefined ? {} : reviewJson(review);
    await writeJson(runtime, { done: "trusted", workspace, files, record: path, ...shown });
    return EXIT.ok;
  }
  const lines = [
    ...(text === "" ? [] : [text]),
    wasTrusted
      ? `Already trusted in ${visible(workspace)}; nothing has changed:`
      : `Trusted in ${visible(workspace)}, in their current state:`,
    ...files.map((file) => `  ${file}`),
  ];
  await runtime.write("stdout", lines.join("\n") + "\n");
  return EXIT.ok;
}

async function refuse(
  { invocation, runtime, location, path }: Trusting,
  { why, next = UNPROVEN, review }: {
    readonly why?: string;
    /** The next step, for a reason. */
    readonly next?: string;
    readonly review?: Review;
  },
): Promise<number> {
  const { workspaceReal: workspace } = location;
  if (hasFlag(invocation, "json")) {
    const shown = review === undefined ? {} : reviewJson(review);
    const result = { done: "nothing", workspace, files: [], record: path, why, ...shown };
    await writeJson(runtime, result);
    return NOT_TRUSTED;
  }
  const detail = why === undefined ? "" : `: ${visible(why)}`;
  const step = why === undefined ? "" : `\n${next}`;
  await runtime.write(
    "stdout",
    `the trust in ${visible(workspace)} is unchanged${detail}${step}\n`,
  );
  return NOT_TRUSTED;
}

const UNPROVEN = '"caliban trust" shows the files and trusts them';

function recordPath(location: PolicyLocation, runtime: Runtime): string {
  const path = recordPathOf(runtime, location);
  if (path !== undefined && isOwnRecord(runtime, { path, location })) {
    throw new UsageError(`Cannot use the trust record "${path}": it is in the workspace`, {
      hint: "Set XDG_STATE_HOME to a folder elsewhere, or unset it",
    });
  }
  if (path !== undefined) return path;
  throw new UsageError("Cannot locate the trust record: the home folder is unknown", {
    hint: "Set HOME or XDG_STATE_HOME",
  });
}

function recordAt(path: string, runtime: Runtime): TrustRecord {
  try {
    return readTrust(runtime, path);
  } catch (error) {
    throw error instanceof FileError ? recordFault(error) : error;
  }
}

async function recording(write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    throw error instanceof FileError ? recordFault(error) : error;
  }
}

function recordFault(error: FileError): Error {
  if (!(error.cause instanceof SyntaxError)) return new WriteError(error.message, { cause: error });
  return new InputError(error.message, {
    hint: "Delete or rename it to start over; no workspace will be trusted",
    cause: error,
  });
}
