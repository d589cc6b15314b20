import { noLooser } from "../../analysis/no_looser.ts";
import { decodeAutoMode } from "../../gate/auto/decode_auto_mode.ts";
import { LoadError, type Runtime } from "../../io/runtime/runtime.ts";
import type { SourceEntry } from "../../model/rule.ts";
import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import {
  LOCAL_FILE,
  POLICY_FOLDER,
  PROJECT_FILE,
  SourceError,
} from "../../policy/sources/source.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import type { DiffReport } from "../../report/diff/diff_report.ts";
import {
  compileSides,
  openScene,
  type OperandPolicy,
  type OperandScene,
  type Side,
} from "../input/policy_operand.ts";
import { policyDiff } from "../output/policy_diff.ts";

/** The texts of a workspace's files, by their path in it. */
export type Texts = ReadonlyMap<string, string>;

/** A host that auto mode sends calls to, once the workspace is trusted. */
export interface Host {
  readonly baseUrl: string;
  readonly model: string;
  /** The variable whose value is sent along; absent if none is. */
  readonly keyVariable?: string;
}

/** A command that runs, once the workspace is trusted. */
export interface HookCommand {
  readonly event: string;
  /** Empty for every tool. */
  readonly matcher: string;
  readonly command: string;
  /** Its file, relative to the workspace. */
  readonly file: string;
}

/** The contents of the files that a person is about to trust. */
export interface Review {
  /** The policy with the workspace trusted; undefined where a file of it cannot be used. */
  readonly policy?: OperandPolicy["policy"];
  readonly hooks: readonly HookCommand[];
  readonly hosts: readonly Host[];
  /** Patterns and lines of auto mode that loosen. */
  readonly auto: readonly string[];
  /** The differences from the texts trusted before; undefined without them. */
  readonly changes?: DiffReport;
  /** Why nothing can be shown or compared, one sentence without a full stop. */
  readonly fault?: string;
}

interface Reviewing {
  readonly runtime: Runtime;
  /** The workspace's folder. */
  readonly workspace: string;
  /** The texts that were trusted before. */
  readonly before: Texts | undefined;
}

/** Reads the effect that the texts of a workspace have once they are trusted. */
export async function reviewOf(texts: Texts, reviewing: Reviewing): Promise<Review> {
  const { runtime, workspace, before } = reviewing;
  const parts = { hooks: hooksIn(texts), ...autoIn(texts) };
  try {
    const scene = await openScene(runtime, { workspace });
    const now = ["now", sideOf(texts, reviewing)] as const;
    const [policy] = compileSides([now], scene);
    if (before === undefined) return { ...parts, policy: policy!.policy };
    const both = compileSides([["before", sideOf(before, reviewing)], now], scene);
    const { location: folders } = scene;
    const changes = policyDiff(both, { folders, time: runtime.now(), hooks: "compared" });
    return { ...parts, policy: policy!.policy, changes };
  } catch (error) {
    return { ...parts, fault: faultOf(error) };
  }
}

/**
 * The reason why the texts may answer some call more leniently than those trusted before; undefined if they are proven not
 * to, with the rules of this machine and without them.
 */
export async function whyLooser(
  texts: Texts,
  reviewing: Reviewing & { readonly before: Texts },
): Promise<string | undefined> {
  const { runtime, workspace, before } = reviewing;
  const other = [...new Set([...texts.keys(), ...before.keys()])]
    .find((file) => !POLICY_FILES.includes(file) && texts.get(file) !== before.get(file));
  if (other !== undefined) return `${other} differs`;
  try {
    const scene = await openScene(runtime, { workspace });
    const alone: OperandScene = {
      ...scene,
      entries: scene.entries.filter(({ kind }) => kind === "builtin"),
    };
    for (const each of [scene, alone]) {
      const [old, now] = compileSides([
        ["before", sideOf(before, reviewing)],
        ["now", sideOf(texts, reviewing)],
      ], each);
      const answer = noLooser(old!.policy, now!.policy, runtime.now());
      if (answer.kind === "unproven") return answer.why;
    }
    return undefined;
  } catch (error) {
    return faultOf(error);
  }
}

/** The message of an error in the files; throws every other error. */
function faultOf(error: unknown): string {
  if (error instanceof PolicyError) {
    const [first] = error.problems;
    return first === undefined
      ? error.message
      : `${first.path}:${first.span.line}: ${first.message}`;
  }
  if (error instanceof LoadError || error instanceof SourceError) return error.message;
  throw error;
}

const POLICY_FILES = [LOCAL_FILE, PROJECT_FILE].map((name) => `${POLICY_FOLDER}/${name}`);

function sideOf(texts: Texts, { runtime, workspace }: Reviewing): Side {
  const [local, project] = (["local", "project"] as const).map((kind, index): SourceEntry => {
    const file = POLICY_FILES[index]!;
    const path = pathStyle(runtime.platform).join(workspace, ...file.split("/"));
    const text = texts.get(file)?.replace(/^\ufeff/, "");
    return text === undefined
      ? { kind, path, state: "absent", trusted: true }
      : { kind, path, state: "read", text, file: decodePolicy(text), trusted: true };
  });
  return { kind: "workspace", folder: workspace, local: local!, project: project! };
}

function hooksIn(texts: Texts): readonly HookCommand[] {
  return POLICY_FILES.flatMap((file) =>
    (decodePolicy((texts.get(file) ?? "").replace(/^\ufeff/, "")).hooks ?? [])
      .map(({ event, matcher, command }) => ({
        event,
        matcher: matcher?.value ?? "",
        command: command.value,
        file,
      }))
  );
}

function autoIn(texts: Texts): Pick<Review, "hosts" | "auto"> {
  const text = texts.get(`${POLICY_FOLDER}/auto-mode.toml`);
  if (text === undefined) return { hosts: [], auto: [] };
  const { classifier, lists } = decodeAutoMode(text.replace(/^\ufeff/, ""));
  const listed = (name: "allow" | "environment") =>
    (lists.get(name)?.elements ?? []).map(({ value }) => `${name}: ${value}`);
  const { baseUrl, model, apiKeyEnv } = classifier?.value ?? {};
  return {
    hosts: baseUrl === undefined || model === undefined
      ? []
      : [{ baseUrl, model, ...(apiKeyEnv === undefined ? {} : { keyVariable: apiKeyEnv }) }],
    auto: [...listed("allow"), ...listed("environment")],
  };
}
