import type { ClassifierSettings } from "../../gate/auto/auto_mode_file.ts";
import type { Classifier } from "../../gate/auto/model_answer.ts";
import { createAutoMode } from "../../gate/auto/create_auto_mode.ts";
import { evaluateCall } from "../../decide/evaluate.ts";
import { placesOf as placesIn } from "../../gate/call_places.ts";
import { decodeAutoMode } from "../../gate/auto/decode_auto_mode.ts";
import { environmentLines } from "../../gate/auto/model_question.ts";
import { listMatcher, listProblems } from "../../gate/auto/list_matcher.ts";
import {
  type AutoModeEntry,
  type AutoModeSettings,
  mergeAutoMode,
} from "../../gate/auto/merge_auto_mode.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import type { ToolCall } from "../../model/call.ts";
import { type FileProblem, inOrder } from "../../model/problem.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { NO_OPTIONS, POLICY_FOLDER, type Surroundings } from "../../policy/sources/source.ts";
import { userConfigFolder } from "../../policy/sources/source_order.ts";
import { switchOf } from "../../text/switch_text.ts";
import { gitState } from "../git/repository.ts";
import { isLinkedOut, unquotedProblems } from "./linked_out.ts";
import type { LoadedPolicy } from "./load_policy.ts";
import { FileError, LoadError, type Runtime } from "../runtime/runtime.ts";
import { readPlace, WORKSPACE_BOUND } from "./read_places.ts";
import { isTrustRecorded } from "./trust_files.ts";

/** Options of `openAutoMode`. */
export interface AutoModeOptions {
  /** The policy whose asks are classified. */
  readonly policy: LoadedPolicy;
  /** A further file (`--auto-mode-config`), relative to the current directory; it must be there. */
  readonly config?: string;
  /** `off` is `--disable-auto-mode`. */
  readonly state?: "on" | "off";
  /** Sources to leave out (`--no-user`, `--no-project`). */
  readonly off?: readonly string[];
  /** `given`: the workspace is trusted in this run (`--trust`). */
  readonly trust?: "recorded" | "given";
  /** Creates a classifier from the merged `[classifier]` settings, instead of its model. */
  readonly classifier?: (
    settings: ClassifierSettings | undefined,
  ) => Promise<Classifier | undefined>;
  /** `measure`: denials are not counted, so that the model is asked for every call. */
  readonly purpose?: "decide" | "measure";
  /** `skipped`: the static lists are not used, to measure a model. */
  readonly lists?: "used" | "skipped";
}

/** Auto mode as configured by files and environment. */
export interface LoadedAutoMode {
  readonly mode: AutoMode;
  /** The merged settings, with the parts that were ignored. */
  readonly settings: AutoModeSettings;
  /** The reason why it is off; absent if it is on. */
  readonly disabled?: string;
  /** Non-fatal problems in its files. */
  readonly warnings: readonly FileProblem[];
}

/** The name of the file, in the workspace's policy folder and in the user's. */
const FILE = "auto-mode.toml";

/**
 * Reads auto-mode.toml of the project and of the user. Throws PolicyError if one has an error, LoadError if one cannot be
 * read. Loads the cache and the model's client only if they are needed.
 */
export async function openAutoMode(
  runtime: Runtime,
  options: AutoModeOptions,
): Promise<LoadedAutoMode> {
  const { policy, location } = options.policy;
  const settings = mergeAutoMode(await readEntries(runtime, options));
  const problems = inOrder([...settings.problems, ...listProblems(policy, settings.written)]);
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  const disabled = whyDisabled(runtime, { settings, state: options.state });
  const chosen = options.classifier ?? ((found) => classifierFor(runtime, found));
  const classifier = disabled === undefined ? await chosen(settings.classifier?.value) : undefined;
  const { opinionCache } = await import("../../gate/auto/opinion_cache.ts");
  const mode = createAutoMode({
    matchesList: options.lists === "skipped"
      ? () => ({ fits: "no" })
      : listMatcher(policy, { lists: settings.lists, now: () => runtime.now() }),
    ...(classifier && { classifier }),
    cache: opinionCache(),
    digest: (text) => runtime.sha256(text),
    salt: () => crypto.randomUUID(),
    placesOf: (call) => placesIn(evaluateCall(policy, call), policy),
    classesOf: (call) => {
      const { units } = evaluateCall(policy, call).verdict;
      return [...new Set(units.flatMap(({ classes }) => classes))];
    },
    environment(call: ToolCall) {
      const cwd = call.cwd ?? policy.cwd;
      const { workspace } = location;
      return environmentLines(settings.environment, { workspace, cwd, ...gitState(runtime, cwd) });
    },
    ...(disabled === undefined ? {} : { disabled }),
    circuitBreaker: options.purpose === "measure" ? "never" : "after-denials",
  });
  return { mode, settings, ...(disabled === undefined ? {} : { disabled }), warnings: problems };
}

/** The classifier of `[classifier]`, with the key from its variable; undefined if there is none. */
export async function classifierFor(
  runtime: Runtime,
  settings: ClassifierSettings | undefined,
): Promise<Classifier | undefined> {
  if (settings === undefined) return undefined;
  const key = settings.apiKeyEnv === undefined ? "" : runtime.env(settings.apiKeyEnv)?.trim() ?? "";
  const { openClassifier } = await import("../classifier/classifier.ts");
  return openClassifier({ settings, ...(key === "" ? {} : { key }) });
}

function whyDisabled(
  runtime: Runtime,
  { settings, state }: { settings: AutoModeSettings; state: AutoModeOptions["state"] },
): string | undefined {
  if (state === "off") return "auto mode is switched off (--disable-auto-mode)";
  // A value that is neither on nor off switches it off, too.
  if (switchOf(runtime.env("CALIBAN_DISABLE_AUTO_MODE")) !== "off") {
    return "auto mode is switched off (CALIBAN_DISABLE_AUTO_MODE)";
  }
  const { disabled } = settings;
  return disabled && `auto mode is switched off (${disabled.path}:${disabled.line})`;
}

type Found = Omit<AutoModeEntry, "file" | "trusted">;

async function readEntries(
  runtime: Runtime,
  options: AutoModeOptions,
): Promise<readonly AutoModeEntry[]> {
  const surroundings = surroundingsOf(runtime, options.policy);
  try {
    const raw = placesOf(surroundings, options).flatMap(({ path, kind }) => {
      const bound = kind === "project" ? { most: WORKSPACE_BOUND.bytes } : {};
      const text = readPlace(runtime, { path, named: kind === "flag", ...bound });
      return text === undefined ? [] : [{ kind, path, text }];
    });
    const texts = new Map(raw.map(({ path, text }) => [path, text]));
    const found = raw.map(({ text, ...rest }): Found => ({
      ...rest,
      text: text.replace(/^\ufeff/, ""),
    }));
    const asked = found.some(({ kind }) => kind === "project") && options.trust !== "given";
    const trusted = !asked ||
      await isTrustRecorded(runtime, { location: options.policy.location, texts });
    return found.map((entry) => {
      const file = decodeAutoMode(entry.text);
      const isTrusted = entry.kind !== "project" || trusted;
      if (!isLinkedOut(runtime, entry.path, options.policy.location)) {
        return { ...entry, file, trusted: isTrusted };
      }
      const problems = unquotedProblems(file.problems);
      return { ...entry, text: "", file: { ...file, problems }, trusted: isTrusted };
    });
  } catch (error) {
    throw error instanceof FileError ? new LoadError([error]) : error;
  }
}

function placesOf(
  surroundings: Surroundings,
  { config, off = [] }: AutoModeOptions,
): readonly { readonly kind: AutoModeEntry["kind"]; readonly path: string }[] {
  const { platform, workspace, cwd } = surroundings;
  const { join, absolute } = pathStyle(platform);
  const folder = userConfigFolder(surroundings);
  return [
    ...(config === undefined ? [] : [{ kind: "flag", path: absolute(config, cwd) } as const]),
    ...(off.includes("project")
      ? []
      : [{ kind: "project", path: join(workspace, POLICY_FOLDER, FILE) } as const]),
    ...(off.includes("user") || folder === undefined
      ? []
      : [{ kind: "user", path: join(folder, FILE) } as const]),
  ];
}

function surroundingsOf(runtime: Runtime, { location }: LoadedPolicy): Surroundings {
  const { platform, workspace, cwd, home } = location;
  const env = (name: string) => runtime.env(name);
  return { platform, workspace, cwd, home, env, options: NO_OPTIONS };
}
