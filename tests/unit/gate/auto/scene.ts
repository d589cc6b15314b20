import type {
  Classifier,
  ModelQuestion,
  ModelReply,
} from "../../../../lib/gate/auto/model_answer.ts";
import { type AutoModeParts, createAutoMode } from "../../../../lib/gate/auto/create_auto_mode.ts";
import { decodeAutoMode } from "../../../../lib/gate/auto/decode_auto_mode.ts";
import { listMatcher } from "../../../../lib/gate/auto/list_matcher.ts";
import { mergeAutoMode } from "../../../../lib/gate/auto/merge_auto_mode.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { placesOf } from "../../../../lib/gate/call_places.ts";
import { opinionCache } from "../../../../lib/gate/auto/opinion_cache.ts";
import type { AutoMode } from "../../../../lib/gate/auto/opinion.ts";
import { sha256 } from "../../../../lib/io/runtime/runtime_calls.ts";
import type { ToolCall } from "../../../../lib/model/call.ts";
import { policyOf } from "../../../support/policy.ts";

/** A model of a test: what it was asked, and how it answers. */
export interface TestModel extends Classifier {
  /** Every question so far. */
  readonly questions: ModelQuestion[];
  /** The number of requests that were aborted. */
  ended: number;
  /** The answer to the next request. */
  answer: (question: ModelQuestion, signal: AbortSignal) => Promise<ModelReply> | ModelReply;
}

/** A completion with that text as its answer. */
export function completion(content: unknown): ModelReply {
  const message = { role: "assistant", content };
  return { kind: "completion", completion: { choices: [{ finish_reason: "stop", message }] } };
}

/** A completion with an opinion. */
export function says(decision: string, reason = "because"): ModelReply {
  return completion(JSON.stringify({ decision, reason }));
}

/** A model that answers with that decision. */
export function model(decision: string): TestModel {
  const made: TestModel = {
    questions: [],
    ended: 0,
    answer: () => says(decision),
    async ask(question, { signal }) {
      made.questions.push(question);
      signal.addEventListener("abort", () => made.ended++);
      return await made.answer(question, signal);
    },
  };
  return made;
}

/** The user's auto-mode.toml without any list. */
export const NO_LISTS = "allow = []\nsoft_deny = []\nhard_deny = []\n";

/** Auto mode with real lists, cache and hash, and a model of the test's own. */
export function autoMode(
  classifier: Classifier | undefined,
  { text = NO_LISTS, ...parts }: Partial<AutoModeParts> & { readonly text?: string } = {},
): AutoMode {
  const policy = policyOf([]);
  const file = decodeAutoMode(text);
  const settings = mergeAutoMode([{ kind: "user", path: "user.toml", text, file, trusted: true }]);
  let salts = 0;
  return createAutoMode({
    matchesList: listMatcher(policy, settings),
    ...(classifier && { classifier }),
    cache: opinionCache(),
    digest: sha256,
    salt: () => `salt-${salts++}`,
    environment: () => ["x = 1"],
    placesOf: (call) => placesOf(evaluateCall(policy, call), policy),
    ...parts,
  });
}

/** A call of Bash. */
export function bash(command: string): ToolCall {
  return { tool: "Bash", input: { command } };
}
