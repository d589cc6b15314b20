import type { ClassifierSettings } from "../../gate/auto/auto_mode_file.ts";
import { BASE_URL_PATTERN, LONGEST_MODEL, TIMEOUT } from "../../gate/auto/auto_mode_keys.ts";
import type { Classifier } from "../../gate/auto/classifier.ts";
import { evalReport, type EvalSample } from "../../gate/auto/eval_report.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import { classifierFor, openAutoMode } from "../../io/load/load_auto_mode.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { placeText } from "../../report/place_text.ts";
import { problemText } from "../../report/problem_text.ts";
import { chooseColor } from "../choose_color.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { openFor, policyOptions } from "../policy_flags.ts";
import type { Invocation } from "../verb.ts";
import { warn } from "../warn.ts";
import { writeJson } from "../write_json.ts";
import { type LabelledCall, readLabelledCalls } from "./input.ts";
import { evalText } from "./text.ts";

/** A labelled call, judged. */
export interface JudgedCall extends EvalSample {
  /** Its line in the file, from 1. */
  readonly line: number;
}

/** Judges every call of the file and tells how well that went. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [file = "-"] = invocation.operands;
  const calls = await readLabelledCalls(file, runtime);
  const asking = new Counting();
  const policy = await openFor(invocation, runtime);
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
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stderr" });
  for (const each of warnings) await runtime.write("stderr", problemText(each, { color }));
  for (const { message, source } of settings.notices) {
    const place = placeText(source, policy.facts);
    await warn(runtime, { label: "note:", message: `${message} (${place})` });
  }
  if (disabled !== undefined) throw new UsageError(`There is nothing to measure: ${disabled}`);
  const asked = chosenModel(settings.classifier?.value, invocation) ?? missingModel(invocation);
  const judged = await judgeAll(mode, { calls, runtime, asking });
  const results = { model: asked.model, baseUrl: asked.baseUrl, ...evalReport(judged) };
  if (hasFlag(invocation, "json")) {
    await writeJson(runtime, { ...results, mistakes: mistakesIn(judged).map(mistakeJson) });
  } else await runtime.write("stdout", evalText(results, mistakesIn(judged)));
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
    throw new UsageError("--base-url is no URL of a server", {
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
  throw new UsageError(`No ${named} to ask is named`, {
    hint: "Give --base-url and --model, or write [classifier] into auto-mode.toml; " +
      "a project's counts only when it is trusted",
  });
}

interface Judging {
  readonly calls: readonly LabelledCall[];
  readonly runtime: Runtime;
  readonly asking: Counting;
}

async function judgeAll(
  mode: AutoMode,
  { calls, runtime, asking }: Judging,
): Promise<readonly JudgedCall[]> {
  const judged: JudgedCall[] = [];
  for (const { call, expect, line } of calls) {
    const { requests } = asking;
    const start = runtime.now();
    const opinion = await mode.judge({ call });
    const ms = Math.max(0, runtime.now() - start);
    const { refused } = asking;
    if (refused) {
      const message = refused.replace(/^./, (letter) => letter.toUpperCase());
      throw new FileError(message, { path: "network", fault: "missing-flag" });
    }
    judged.push({ line, expect, opinion, ms, requests: asking.requests - requests });
  }
  return judged;
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

function mistakesIn(judged: readonly JudgedCall[]): readonly JudgedCall[] {
  return judged.filter(({ expect, opinion }) => opinion.decision !== expect);
}

function mistakeJson({ line, expect, opinion }: JudgedCall): object {
  return { line, expect, ...opinion };
}
