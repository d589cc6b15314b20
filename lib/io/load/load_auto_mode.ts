import type { ClassifierSettings } from "../../gate/auto/auto_mode_file.ts";
import type { Classifier } from "../../gate/auto/classifier.ts";
import { createAutoMode } from "../../gate/auto/create_auto_mode.ts";
import { decodeAutoMode } from "../../gate/auto/decode_auto_mode.ts";
import { environmentLines } from "../../gate/auto/environment_lines.ts";
import { listMatcher, listProblems } from "../../gate/auto/list_matcher.ts";
import {
  type AutoModeEntry,
  type AutoModeSettings,
  mergeAutoMode,
} from "../../gate/auto/merge_auto_mode.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import type { FileProblem } from "../../model/problem.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { NO_OPTIONS, type Surroundings } from "../../policy/sources/source.ts";
import { isTrusted, trustPath } from "../../policy/sources/trust.ts";
import { userFolder } from "../../policy/sources/user_folder.ts";
import { POLICY_FOLDER } from "../../policy/sources/workspace.ts";
import { notFound } from "../runtime/file_fault.ts";
import { gitFacts } from "../git/git_facts.ts";
import { isDangling } from "../runtime/dangling.ts";
import { LoadError } from "./load_error.ts";
import type { LoadedPolicy } from "./load_policy.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { hashTrustFiles, readTrust } from "./trust_files.ts";

/** What loading auto mode may be told; all but the policy can be left out. */
export interface AutoModeOptions {
  /** The policy whose asks are judged. */
  readonly policy: LoadedPolicy;
  /** A further file (`--auto-mode-config`), relative to the current directory; it must be there. */
  readonly config?: string;
  /** `off` is `--disable-auto-mode`. */
  readonly state?: "on" | "off";
  /** Sources to leave out (`--no-user`, `--no-project`). */
  readonly off?: readonly string[];
  /** `given`: the workspace is trusted in this run (`--trust`). */
  readonly trust?: "recorded" | "given";
  /** What is asked instead of the model of `[classifier]`, made of what counts there. */
  readonly classifier?: (
    settings: ClassifierSettings | undefined,
  ) => Promise<Classifier | undefined>;
  /** `measure`: for measuring a model; denials are not counted, so that it is asked to the end. */
  readonly purpose?: "decide" | "measure";
  /** `skipped`: the static lists say nothing; only to measure a model with. */
  readonly lists?: "used" | "skipped";
}

/** Auto mode as files and environment say it is. */
export interface LoadedAutoMode {
  /** It. */
  readonly mode: AutoMode;
  /** What counts, and what of the files did not count. */
  readonly settings: AutoModeSettings;
  /** Why it is switched off; absent when it is on. */
  readonly disabled?: string;
  /** What is odd in the files, but no error. */
  readonly warnings: readonly FileProblem[];
}

/** The name of the file, in the workspace's policy folder and in the user's. */
const FILE = "auto-mode.toml";

/**
 * Reads auto-mode.toml of the project and of the user. Throws PolicyError when one has an error, LoadError when one
 * cannot be read. Neither the cache nor the model's client is loaded before auto mode is.
 */
export async function openAutoMode(
  runtime: Runtime,
  options: AutoModeOptions,
): Promise<LoadedAutoMode> {
  const { policy } = options.policy;
  const settings = mergeAutoMode(await readEntries(runtime, options));
  const problems = inOrder([...settings.problems, ...listProblems(policy, settings.written)]);
  if (problems.some(({ severity }) => severity === "error")) throw new PolicyError(problems);
  const disabled = whyDisabled(runtime, { settings, state: options.state });
  const chosen = options.classifier ?? ((found) => classifierFor(runtime, found));
  const classifier = disabled === undefined ? await chosen(settings.classifier?.value) : undefined;
  const { opinionCache } = await import("../../gate/auto/opinion_cache.ts");
  const cwdOf = (call: Parameters<typeof policy.request>[0]) => policy.request(call).cwd;
  const mode = createAutoMode({
    matchesList: options.lists === "skipped"
      ? () => ({ fits: "no" })
      : listMatcher(policy, { lists: settings.lists, now: () => runtime.now() }),
    ...(classifier && { classifier }),
    cache: opinionCache(),
    digest: (text) => runtime.sha256(text),
    salt: () => crypto.randomUUID(),
    cwdOf,
    environment(call) {
      const cwd = cwdOf(call);
      return environmentLines(settings.environment, { cwd, ...gitFacts(runtime, cwd) });
    },
    classOf: (tool) => policy.profiles.get(tool).class,
    ...(disabled === undefined ? {} : { disabled }),
    stepsBack: options.purpose === "measure" ? "never" : "after-denials",
  });
  return { mode, settings, ...(disabled === undefined ? {} : { disabled }), warnings: problems };
}

/** File by file as they were read, and within each in the order of its text. */
function inOrder(problems: readonly FileProblem[]): readonly FileProblem[] {
  const paths = [...new Set(problems.map(({ path }) => path))];
  return paths.flatMap((path) =>
    problems.filter((problem) => problem.path === path)
      .toSorted((a, b) => a.span.start - b.span.start)
  );
}

/** The model of `[classifier]`, with the key that its variable holds; undefined when there is none. */
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
  // Whoever sets it to "true" wants it off as well.
  const variable = (runtime.env("CALIBAN_DISABLE_AUTO_MODE") ?? "").trim().toLowerCase();
  if (!["", "0", "false", "no", "off"].includes(variable)) {
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
      const text = textAt(runtime, { path, isNamed: kind === "flag" });
      return text === undefined ? [] : [{ kind, path, text }];
    });
    const texts = new Map(raw.map(({ path, text }) => [path, text]));
    const found = raw.map(({ text, ...rest }): Found => ({
      ...rest,
      text: text.replace(/^\ufeff/, ""),
    }));
    const asked = found.some(({ kind }) => kind === "project") && options.trust !== "given";
    const trusted = !asked || await isRecorded(runtime, { options, surroundings, texts });
    return found.map((entry) => ({
      ...entry,
      file: decodeAutoMode(entry.text),
      trusted: entry.kind !== "project" || trusted,
    }));
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
  const folder = platform === "windows"
    ? userFolder(surroundings, { variable: "APPDATA", below: ["AppData", "Roaming"] })
    : userFolder(surroundings, { variable: "XDG_CONFIG_HOME", below: [".config"] });
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

function textAt(
  runtime: Runtime,
  { path, isNamed }: { readonly path: string; readonly isNamed: boolean },
): string | undefined {
  if (runtime.stat(path) !== undefined) return runtime.readText(path);
  if (isDangling(runtime, path)) {
    const message = `Cannot read "${path}": it is or goes through a link that leads nowhere`;
    throw new FileError(message, { path, fault: isNamed ? "not-found" : "other" });
  }
  if (isNamed) throw notFound(path, "read");
  return undefined;
}

async function isRecorded(
  runtime: Runtime,
  { options, surroundings, texts }: {
    readonly options: AutoModeOptions;
    readonly surroundings: Surroundings;
    readonly texts: ReadonlyMap<string, string>;
  },
): Promise<boolean> {
  const path = trustPath(surroundings);
  if (path === undefined) return false;
  const { workspace, workspaceReal } = options.policy.facts;
  const record = readTrust(runtime, path);
  if (!record.has(workspaceReal)) return false;
  const hashes = await hashTrustFiles(runtime, { workspace, texts });
  return isTrusted(record, { workspace: workspaceReal, hashes });
}

function surroundingsOf(runtime: Runtime, { facts }: LoadedPolicy): Surroundings {
  const { platform, workspace, cwd, home } = facts;
  const env = (name: string) => runtime.env(name);
  return { platform, workspace, cwd, home, env, options: NO_OPTIONS };
}
