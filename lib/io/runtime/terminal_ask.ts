import { answerText, questionLines } from "../../prompt/question_text.ts";
import {
  afterKey,
  DENIED,
  initialPrompt,
  type PromptContext,
  type PromptState,
} from "../../prompt/prompt_state.ts";
import { promptScreen, type Screen } from "../../prompt/prompt_screen.ts";
import { abandonedKeys, type Key, PASTE_MARKS, readKeys } from "../../prompt/keys.ts";
import type { AskAnswer, AskHandler, AskQuestion } from "../../model/verdict.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import { ANSI, type Color, PLAIN } from "../../report/color.ts";
import type { Folders } from "../../report/place_text.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import { FileError, type Keys, type Runtime } from "./runtime.ts";
import { wantsColor } from "./wants_color.ts";

/** Options of a terminal's questions. */
export interface TerminalAskOptions {
  /** Returns the problem of a pattern, one sentence; by default by the built-in tools. */
  readonly check?: PromptContext["check"];
  /** The folders that paths are shown relative to; the current directory by default. */
  readonly folders?: Folders;
  /** The style; by default as the environment says. */
  readonly color?: Color;
  /** The time after a question appears in which keys can only deny, since they were meant for something else, in ms; 300. */
  readonly settle?: number;
}

/** The time to wait for the rest of a key, in ms; Escape begins every other special key. */
const REST_OF_KEY = 50;

/**
 * Asks on the terminal, one question after the other: the effects of the call, then four answers; “always” goes on
 * to the pattern, which can be changed, the scope and a comment. Questions are on standard error. `deny-once` if there
 * is no terminal, at the end of input, on Escape and Ctrl-C, and if `signal` is aborted.
 */
export function terminalAsk(runtime: Runtime, options: TerminalAskOptions = {}): AskHandler {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async ask(question, { signal }) {
      const answer = last.then(() => asked(question, { runtime, options, signal }));
      last = answer.catch(() => DENIED);
      const aborted = abortOf(signal);
      try {
        // A question that waits for its turn is abandoned at once.
        const first = await Promise.race([answer, aborted.promise]);
        return first === "aborted" ? DENIED : first;
      } finally {
        aborted.cancel();
      }
    },
  };
}

interface AskScene {
  readonly runtime: Runtime;
  readonly options: TerminalAskOptions;
  readonly signal: AbortSignal | undefined;
}

async function asked(question: AskQuestion, scene: AskScene): Promise<AskAnswer> {
  const { runtime, signal } = scene;
  if (signal?.aborted === true) return DENIED;
  if (!runtime.isTerminal("stdin") || !runtime.isTerminal("stderr")) {
    return { ...DENIED, comment: "nobody could be asked: there is no terminal" };
  }
  let keys: Keys | undefined;
  try {
    keys = await runtime.keys();
    return await converse(question, { ...scene, keys });
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { ...DENIED, comment: "nobody could be asked: the terminal cannot be read" };
  } finally {
    keys?.close();
  }
}

async function converse(
  question: AskQuestion,
  scene: AskScene & { readonly keys: Keys },
): Promise<AskAnswer> {
  const { runtime, options } = scene;
  const color = options.color ?? colorOf(runtime);
  const columns = Math.max(20, runtime.columns());
  const folders = options.folders ?? { workspace: runtime.cwd() };
  const context = { question, check: options.check ?? defaultCheck };
  const print = (text: string) => runtime.write("stderr", text);
  const screenOf = (asking: PromptState) => promptScreen(asking, { question, color, columns });
  let asking = initialPrompt(question);
  let screen = screenOf(asking);
  const lines = questionLines(question, { color, folders, columns });
  if (!await print(`\r\n${lines.join("\r\n")}\r\n${PASTE_MARKS.on}${drawn(screen)}`)) return DENIED;
  const ready = runtime.now() + (options.settle ?? 300);
  for await (const key of keysOf(scene)) {
    if (runtime.now() < ready && !denies(key)) continue;
    asking = afterKey(asking, key, context);
    const next = screenOf(asking);
    if (!await print(erased(screen) + drawn(next))) return DENIED;
    screen = next;
    if (asking.step === "answered") break;
  }
  const answer = asking.step === "answered" ? asking.answer : DENIED;
  const shown = color.bold(answerText(answer, { tool: question.call.tool }));
  await print(`${erased(screen)}${PASTE_MARKS.off}${shown}\r\n`);
  return answer;
}

/** Keys as they are typed, until the end of input or the signal. */
async function* keysOf({ keys, signal }: AskScene & { readonly keys: Keys }): AsyncIterable<Key> {
  const decoder = new TextDecoder();
  const aborted = abortOf(signal);
  let rest = "";
  let reading: Promise<Uint8Array | undefined> | undefined;
  try {
    while (true) {
      reading ??= keys.read();
      const pause = pauseOf(rest === "" ? undefined : REST_OF_KEY);
      const event = await Promise.race([reading, aborted.promise, pause.promise]);
      pause.cancel();
      if (event === "aborted") return;
      if (event === "pause") {
        yield* abandonedKeys(rest);
        rest = "";
        continue;
      }
      reading = undefined;
      if (event === undefined) return;
      const read = readKeys(rest + decoder.decode(event, { stream: true }));
      rest = read.rest;
      yield* read.keys;
    }
  } finally {
    aborted.cancel();
  }
}

/** A promise that can be abandoned. */
interface Waiting<T> {
  readonly promise: Promise<T>;
  cancel(): void;
}

function abortOf(signal: AbortSignal | undefined): Waiting<"aborted"> {
  let settle = () => {};
  const promise = new Promise<"aborted">((resolve) => settle = () => resolve("aborted"));
  signal?.addEventListener("abort", settle);
  if (signal?.aborted === true) settle();
  return { promise, cancel: () => signal?.removeEventListener("abort", settle) };
}

/** A pause of so many ms; endless without a number. */
function pauseOf(ms: number | undefined): Waiting<"pause"> {
  if (ms === undefined) return { promise: new Promise(() => {}), cancel: () => {} };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const promise = new Promise<"pause">((resolve) => {
    timer = setTimeout(() => resolve("pause"), ms);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}

function denies({ kind }: Key): boolean {
  return kind === "escape" || kind === "interrupt" || kind === "end-of-input";
}

/** Draws the lines and places the cursor. */
function drawn({ lines, row, column }: Screen): string {
  const up = lines.length - 1 - row;
  return `${lines.join("\r\n")}${up > 0 ? `\x1b[${up}A` : ""}\r${
    column > 0 ? `\x1b[${column}C` : ""
  }`;
}

/** Erases the lines. */
function erased({ row }: Screen): string {
  return `\r${row > 0 ? `\x1b[${row}A` : ""}\x1b[J`;
}

function colorOf(runtime: Runtime): Color {
  return wantsColor(runtime, () => true) ? ANSI : PLAIN;
}

function defaultCheck(
  pattern: string,
  action: Parameters<PromptContext["check"]>[1],
): string | undefined {
  const { error, warning } = checkPattern(pattern, { action, profiles: toolProfiles(new Map()) });
  return error?.detail ?? warning;
}
