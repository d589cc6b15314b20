import {
  BASE_URL_PATTERN,
  type ClassifierSettings,
  LONGEST_MODEL,
  TIMEOUT,
} from "../../gate/auto/auto_mode_file.ts";
import type { Classifier } from "../../gate/auto/model_answer.ts";
import { evalReport, type EvalSample } from "../../gate/auto/eval_report.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import { classifierFor, openAutoMode } from "../../io/load/load_auto_mode.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { placeText } from "../../report/place_text.ts";
import { problemText } from "../../report/problem_text.ts";
import { colorFor } from "../output/choose_color.ts";
import { UsageError } from "../errors/errors.ts";
import { EXIT } from "../errors/exit_status.ts";
import { flagValue, hasFlag } from "../args/invocation.ts";
import { openPolicyFor, policyOptions } from "../input/open_policy.ts";
import type { Invocation } from "../args/verb.ts";
import { warn, writeJson } from "../output/print.ts";
import { type LabelledCall, readLabelledCalls } from "./input.ts";
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
      const message = refused.replace(/^./, (letter) => letter.toUpperCase());
      throw new FileError(message, { path: "network", fault: "missing-flag" });
    }
    classified.push({ line, expect, opinion, ms, requests: asking.requests - requests });
  }
  return classified;
}

/** Counts the requests to a model, and remembers that the runtime refused one. */
class Counting {
  requests = 0;
  refused: string | undefined;

  around(classifier: Classifier | undefined): Classifier | undefined {
    if (!classifier) return undefined;
    return {
      ask: async (question, options) => {
        this.requests++;
        const reply = await classifier.ask(question, options);
        if (reply.kind === "fallback" && reply.fault) this.refused = reply.reason;
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
