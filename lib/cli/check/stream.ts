import { printedJson } from "../../text/printed_json.ts";
import type { AutoMode } from "../../gate/auto/opinion.ts";
import { evaluateCall } from "../../decide/evaluate.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { RememberedLooks } from "../../io/load/remembered_looks.ts";
import type { Json, JsonObject, ToolCall } from "../../model/call.ts";
import { type Mode, modeNamed } from "../../decide/modes.ts";
import { decisionJson } from "../../report/decision_json.ts";
import { decideCall, headlessWays } from "../input/decide_with_model.ts";
import { trustWarnings } from "../input/open_policy.ts";
import { EXIT } from "../errors/errors.ts";
import { jsonLines, type Line } from "../../text/json_lines.ts";
import type { ModeSettings } from "../input/start_mode.ts";

interface Stream {
  readonly policy: LoadedPolicy;
  readonly start: ModeSettings;
  readonly auto: () => Promise<AutoMode>;
}

/** The most characters of results that wait to be written, and the most ms for which a look at a file holds. */
const MOST_WAITING = 262_144;
const LONGEST_BLOCK = 100;

/**
 * Decides one call a line, in order, one result a line; waits for the reader, so memory stays constant. 0, or 65 after a
 * line that cannot be read.
 *
 * Lines that came in together are a block: their results are written together, and each file is looked at once for all of them.
 * INVARIANT: no result of a block is out while a look of the block still holds, so that no call can have run that changed what it
 * saw; and it holds for a tenth of a second at most.
 */
export async function checkStream(looks: RememberedLooks, stream: Stream): Promise<number> {
  const block = new Block(looks);
  let status: number = EXIT.ok;
  for await (const line of jsonLines(inBlocks(looks.runtime.stdin(), block))) {
    block.begin();
    const { result, asksModel } = await resultOf(line, { ...stream, looks });
    if ("error" in result) status = EXIT.badInput;
    block.add(printedJson(result));
    if ((asksModel || block.isFull()) && !await block.end()) return status;
  }
  await block.end();
  return status;
}

/** The chunks of input, with the end of a block before each that is waited for; none once the reader is gone. */
async function* inBlocks(
  chunks: AsyncIterable<Uint8Array>,
  block: Block,
): AsyncIterable<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk;
    if (!await block.end()) return;
  }
}

/** The results of lines that came in together. */
class Block {
  readonly #looks: RememberedLooks;
  #results: string[] = [];
  #size = 0;
  #began = 0;

  constructor(looks: RememberedLooks) {
    this.#looks = looks;
  }

  begin(): void {
    if (this.#results.length > 0) return;
    this.#looks.remember();
    this.#began = performance.now();
  }

  add(result: string): void {
    this.#results.push(result);
    this.#size += result.length;
  }

  isFull(): boolean {
    return this.#size > MOST_WAITING || performance.now() - this.#began > LONGEST_BLOCK;
  }

  /** Forgets what was seen, then writes the results; false if the reader is gone. */
  async end(): Promise<boolean> {
    this.#looks.forget();
    if (this.#results.length === 0) return true;
    const text = `${this.#results.join("\n")}\n`;
    this.#results = [];
    this.#size = 0;
    return await this.#looks.runtime.write("stdout", text);
  }
}

interface Result {
  readonly result: Record<string, unknown>;
  /** True if a model may have been asked, which takes its time. */
  readonly asksModel?: boolean;
}

async function resultOf(
  line: Line,
  { policy: loaded, start, auto, looks }: Stream & { readonly looks: RememberedLooks },
): Promise<Result> {
  const { policy } = loaded;
  if (!line.ok) return { result: { id: null, error: `line ${line.number}: ${line.detail}` } };
  const { value } = line;
  const id = value.id ?? null;
  const call = callOf(value);
  if (typeof call === "string") return { result: { id, error: `line ${line.number}: ${call}` } };
  const own = modeOf(value, start);
  if (typeof own === "string") return { result: { id, error: `line ${line.number}: ${own}` } };
  const now = looks.runtime.now();
  const mode = own === undefined ? {} : { mode: own };
  const evaluation = evaluateCall(policy, call, { now });
  const again = () => {
    looks.forget();
    return evaluateCall(policy, call, { now });
  };
  const decided = await decideCall(evaluation, { policy, start, auto, again, ...mode });
  const decision = decided.decidedBy === "headless"
    ? (await headlessWays(evaluation, { policy, now, mode: own ?? start.options.mode, decided }))
      .decision
    : decided;
  const warnings = [...decision.warnings, ...await trustWarnings(loaded, { call, now })];
  const result = {
    ...(value.id === undefined ? {} : { id }),
    ...decisionJson(call, { ...decision, warnings }),
  };
  return { result, asksModel: (own ?? start.options.mode).asksModel === true };
}

/** The call of a line, or what is wrong with it. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, ["tool", "tool_name"]);
  const input = either(value, ["input", "tool_input"]);
  if (tool === TWICE || input === TWICE) return "the call is given twice, with different values";
  if (typeof tool !== "string" || tool === "") return '"tool" is missing or not a string';
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    return '"input" is missing or not an object';
  }
  const { cwd } = value;
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) return '"cwd" is not a path';
  return { tool, input: input as JsonObject, ...(cwd === undefined ? {} : { cwd }) };
}

const TWICE = Symbol("two spellings that differ");

function either(value: JsonObject, names: readonly string[]): Json | undefined | typeof TWICE {
  const found = names.flatMap((name) => Object.hasOwn(value, name) ? [value[name]!] : []);
  const texts = new Set(found.map((each) => JSON.stringify(each)));
  return texts.size > 1 ? TWICE : found[0];
}

/**
 * A line's own mode, or its problem; undefined if the line names none, if a managed file sets the mode, and
 * where permissions are off.
 */
function modeOf(
  value: JsonObject,
  { options, isManaged, bypass }: ModeSettings,
): Mode | string | undefined {
  if (value.mode === undefined || isManaged || options.mode.name === "disabled") return undefined;
  const name = JSON.stringify(value.mode);
  const mode = typeof value.mode === "string" ? modeNamed(value.mode) : undefined;
  if (!mode) return `unknown mode ${name}`;
  if (mode.liftsDenials && bypass === "refused") {
    return `the mode ${name} needs --allow-dangerously-skip-permissions`;
  }
  return mode;
}
