import {
  BASE_URL_PATTERN,
  type ClassifierSettings,
  LONGEST_MODEL,
  TIMEOUT,
} from "../../gate/auto/auto_mode_file.ts";
import { InstallationError } from "../errors/load_failure.ts";
import { evalReport, type EvalSample } from "../../gate/auto/eval_report.ts";
import type { Classifier } from "../../gate/auto/model_answer.ts";
import type { AutoMode, OpinionDecision } from "../../gate/auto/opinion.ts";
import { classifierFor, openAutoMode } from "../../io/load/load_auto_mode.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import type { JsonObject, ToolCall } from "../../model/call.ts";
import { placeText } from "../../report/place_text.ts";
import { problemText } from "../../report/problem_text.ts";
import { jsonLines } from "../../text/json_lines.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { EXIT, InputError, UsageError } from "../errors/errors.ts";
import { readNamedFile } from "../input/named_file.ts";
import { openPolicyFor, policyOptions } from "../input/open_policy.ts";
import { colorFor } from "../output/choose_color.ts";
import { warn, writeJson } from "../output/print.ts";
import { evalText } from "./text.ts";

/** A labelled call with its classification. */
export interface ClassifiedCall extends EvalSample {
  /** Its line in the file, from 1. */
  readonly line: number;
}

/** Classifies every call of the file and reports the accuracy. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [file = "-"] = invocation.operands;
  const calls = await readLabelledCalls(file, runtime);
  const asking = new Counting();
  const policy = await openPolicyFor(invocation, runtime);
  const { off = [], trust } = policyOptions(invocation);
  const config = flagValue(invocation, "auto-mode-config");
  const { mode, disabled, warnings, settings } = await openAutoMode(runtime, {
    policy,
    off,
    purpose: "measure",
    lists: hasFlag(invocation, "no-lists") ? "skipped" : "used",
    ...(trust && { trust }),
    ...(config === undefined ? {} : { config }),
    async classifier(found) {
      return asking.around(await classifierFor(runtime, chosenModel(found, invocation)));
    },
  });
  const color = colorFor(invocation, runtime, "stderr");
  for (const each of warnings) await runtime.write("stderr", problemText(each, { color }));
  for (const { message, source } of settings.notices) {
    const place = placeText(source, policy.location);
    await warn(runtime, { label: "note:", message: `${message} (${place})` });
  }
  if (disabled !== undefined) throw new UsageError(`Cannot measure anything: ${disabled}`);
  const asked = chosenModel(settings.classifier?.value, invocation) ?? missingModel(invocation);
  const classified = await classifyAll(mode, { calls, runtime, asking });
  const results = { model: asked.model, baseUrl: asked.baseUrl, ...evalReport(classified) };
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { ...results, mistakes: mistakesIn(classified).map(mistakeJson) });
  } else await runtime.write("stdout", evalText(results, mistakesIn(classified)));
  return EXIT.ok;
}

/** The model of `[classifier]`, or what the flags name instead; undefined when they leave something open. */
function chosenModel(
  found: ClassifierSettings | undefined,
  invocation: Invocation,
): ClassifierSettings | undefined {
  const model = flagValue(invocation, "model") ?? found?.model;
  const url = flagValue(invocation, "base-url");
  if (url !== undefined && (!new RegExp(BASE_URL_PATTERN).test(url) || !URL.canParse(url))) {
    throw new UsageError("--base-url is not the URL of a server", {
      hint: "For example http://127.0.0.1:11434/v1",
    });
  }
  if (model === undefined) return undefined;
  if (model.length > LONGEST_MODEL) throw new UsageError("--model is too long for a name");
  if (url === undefined) return found && { ...found, model };
  // The key of the configured server is not for another one.
  return { baseUrl: url, model, timeoutMs: found?.timeoutMs ?? TIMEOUT.default };
}

function missingModel(invocation: Invocation): never {
  const named = flagValue(invocation, "model") === undefined ? "model" : "server";
  throw new UsageError(`No ${named} is configured`, {
    hint: "Give --base-url and --model, or write [classifier] into auto-mode.toml; " +
      "a project's counts only if it is trusted",
  });
}

interface Judging {
  readonly calls: readonly LabelledCall[];
  readonly runtime: Runtime;
  readonly asking: Counting;
}

async function classifyAll(
  mode: AutoMode,
  { calls, runtime, asking }: Judging,
): Promise<readonly ClassifiedCall[]> {
  const classified: ClassifiedCall[] = [];
  for (const { call, expect, line } of calls) {
    const { requests } = asking;
    const start = runtime.now();
    const opinion = await mode.classify({ call });
    const ms = Math.max(0, runtime.now() - start);
    const { refused } = asking;
    if (refused) {
      const { reason, fault } = refused;
      const message = reason.replace(/^./, (letter) => letter.toUpperCase());
      throw fault === "missing-flag"
        ? new FileError(message, { path: "network", fault })
        : new InstallationError(message, { hint: LIBRARY });
    }
    classified.push({ line, expect, opinion, ms, requests: asking.requests - requests });
  }
  return classified;
}

const LIBRARY =
  "Install it in the folder of caliban; from source Deno fetches it: check the network";

/** The reason why no call can be asked about. */
interface Refusal {
  readonly reason: string;
  readonly fault: "missing-flag" | "not-loaded";
}

/** Counts the requests to a model, and remembers that none can be made. */
class Counting {
  requests = 0;
  refused: Refusal | undefined;

  around(classifier: Classifier | undefined): Classifier | undefined {
    if (!classifier) return undefined;
    return {
      ask: async (question, options) => {
        this.requests++;
        const reply = await classifier.ask(question, options);
        if (reply.kind === "fallback" && reply.fault) {
          this.refused = { reason: reply.reason, fault: reply.fault };
        }
        return reply;
      },
    };
  }
}

function mistakesIn(classified: readonly ClassifiedCall[]): readonly ClassifiedCall[] {
  return classified.filter(({ expect, opinion }) => opinion.decision !== expect);
}

function mistakeJson({ line, expect, opinion }: ClassifiedCall): object {
  return { line, expect, ...opinion };
}

/** A call and the opinion that is right about it. */
interface LabelledCall {
  /** Its line, from 1. */
  readonly line: number;
  readonly call: ToolCall;
  /** The opinion that is right. */
  readonly expect: OpinionDecision;
}

/** The labels; the actions of rules are accepted as synonyms. */
const LABELS: ReadonlyMap<string, OpinionDecision> = new Map([
  ["allow", "allow"],
  ["soft_deny", "soft_deny"],
  ["hard_deny", "hard_deny"],
  ["ask", "soft_deny"],
  ["deny", "hard_deny"],
]);

/** The number of bad lines that are named. */
const SHOWN = 5;

/** The labelled calls of a file, or of standard input for `-`. Throws InputError for a bad line and for an empty file. */
async function readLabelledCalls(
  file: string,
  runtime: Runtime,
): Promise<readonly LabelledCall[]> {
  const calls: LabelledCall[] = [];
  const faults: string[] = [];
  for await (const line of jsonLines(chunksOf(file, runtime))) {
    const read = line.ok ? labelledCall(line.value) : line.detail;
    if (typeof read === "string") faults.push(`line ${line.number}: ${read}`);
    else calls.push({ ...read, line: line.number });
  }
  const name = file === "-" ? "standard input" : `"${file}"`;
  if (faults.length > 0) {
    const more = faults.length > SHOWN ? `; and ${faults.length - SHOWN} more` : "";
    throw new InputError(`Cannot read ${name}: ${faults.slice(0, SHOWN).join("; ")}${more}`, {
      hint: "Each line is an object such as:",
      command: '{"tool": "Bash", "input": {"command": "ls"}, "expect": "allow"}',
    });
  }
  if (calls.length === 0) throw new InputError(`Cannot read ${name}: it contains no calls`);
  return calls;
}

function chunksOf(file: string, runtime: Runtime): AsyncIterable<Uint8Array> {
  if (file === "-") return runtime.stdin();
  const bytes = new TextEncoder().encode(readNamedFile(file, runtime).text);
  return once(bytes);
}

async function* once(bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes);
}

/** The labelled call of a line, or what is wrong with it. */
function labelledCall(value: JsonObject): Omit<LabelledCall, "line"> | string {
  const { tool, input, expect: label, cwd } = value;
  if (typeof tool !== "string" || tool === "") return '"tool" is missing or not a string';
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return '"input" is missing or not an object';
  }
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) return '"cwd" is not a path';
  const expect = typeof label === "string" ? LABELS.get(label) : undefined;
  if (expect === undefined) return '"expect" is not allow, soft_deny or hard_deny';
  return {
    call: { tool, input: input as JsonObject, ...(cwd === undefined ? {} : { cwd }) },
    expect,
  };
}
