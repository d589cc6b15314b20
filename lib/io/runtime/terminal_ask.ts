import { answerText, questionLines } from "../../prompt/ask_text.ts";
import {
  type Asking,
  type AskingContext,
  beginAsking,
  DENIED,
  pressed,
} from "../../prompt/asking.ts";
import { askingScreen, type Screen } from "../../prompt/asking_text.ts";
import { abandonedKeys, type Key, PASTE_MARKS, readKeys } from "../../prompt/keys.ts";
import type { AskAnswer, AskHandler, AskQuestion } from "../../model/ask.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import { ANSI, type Color, PLAIN } from "../../report/color.ts";
import type { Folders } from "../../report/place_text.ts";
import { toolProfiles } from "../../policy/compile/profiles.ts";
import { FileError, type Keys, type Runtime } from "./runtime.ts";

/** How a terminal asks; all of it can be left out. */
export interface TerminalAskOptions {
  /** What is wrong with a pattern, in one sentence; by the tools that caliban knows when left out. */
  readonly check?: AskingContext["check"];
  /** What paths are shown relative to; the current directory when left out. */
  readonly folders?: Folders;
  /** The style; by NO_COLOR and TERM when left out. */
  readonly color?: Color;
  /** How long keys count for nothing but a deny after a question appears, in ms, for they were meant for something else; 300. */
  readonly settle?: number;
}

/** How long to wait for the rest of a key, in ms; Escape alone begins every other. */
const REST_OF_KEY = 50;

/**
 * Asks on the terminal, one question after the other: what the call does, unit by unit, then four answers; “always” goes on
 * to the pattern, which can be changed, the scope and a comment. Questions are on standard error. `deny-once` where there
 * is no terminal, at the end of input, at Escape and Ctrl-C, and when `signal` is aborted.
 */
export function terminalAsk(runtime: Runtime, options: TerminalAskOptions = {}): AskHandler {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async ask(question, { signal }) {
      const answer = last.then(() => asked(question, { runtime, options, signal }));
      last = answer.catch(() => DENIED);
      const aborted = abortOf(signal);
      try {
        // One that waits for its turn is given up at once.
        const first = await Promise.race([answer, aborted.promise]);
        return first === "aborted" ? DENIED : first;
      } finally {
        aborted.cancel();
      }
    },
  };
}

/** What one question needs. */
interface Scene {
  readonly runtime: Runtime;
  readonly options: TerminalAskOptions;
  readonly signal: AbortSignal | undefined;
}

async function asked(question: AskQuestion, scene: Scene): Promise<AskAnswer> {
  const { runtime, signal } = scene;
  if (signal?.aborted === true) return DENIED;
  if (!runtime.isTerminal("stdin") || !runtime.isTerminal("stderr")) return DENIED;
  let keys: Keys | undefined;
  try {
    keys = await runtime.keys();
    return await converse(question, { ...scene, keys });
  } catch (error) {
    if (error instanceof FileError) return DENIED;
    throw error;
  } finally {
    keys?.close();
  }
}

async function converse(
  question: AskQuestion,
  scene: Scene & { readonly keys: Keys },
): Promise<AskAnswer> {
  const { runtime, options } = scene;
  const color = options.color ?? colorOf(runtime);
  const columns = Math.max(20, runtime.columns());
  const folders = options.folders ?? { workspace: runtime.cwd() };
  const context = { question, check: options.check ?? defaultCheck };
  const print = (text: string) => runtime.write("stderr", text);
  const screenOf = (asking: Asking) => askingScreen(asking, { question, color, columns });
  let asking = beginAsking(question);
  let screen = screenOf(asking);
  const lines = questionLines(question, { color, folders, columns });
  if (!await print(`\r\n${lines.join("\r\n")}\r\n${PASTE_MARKS.on}${drawn(screen)}`)) return DENIED;
  const ready = runtime.now() + (options.settle ?? 300);
  for await (const key of keysOf(scene)) {
    if (runtime.now() < ready && !denies(key)) continue;
    asking = pressed(asking, key, context);
    const next = screenOf(asking);
    if (!await print(erased(screen) + drawn(next))) return DENIED;
    screen = next;
    if (asking.step === "answered") break;
  }
  const answer = asking.step === "answered" ? asking.answer : DENIED;
  const said = color.bold(answerText(answer, { tool: question.call.tool }));
  await print(`${erased(screen)}${PASTE_MARKS.off}${said}\r\n`);
  return answer;
}

/** Keys as they are typed, until the end of input or the signal. */
async function* keysOf({ keys, signal }: Scene & { readonly keys: Keys }): AsyncIterable<Key> {
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

/** Something to wait for that can be given up. */
interface Waiting<T> {
  readonly promise: Promise<T>;
  cancel(): void;
}

function abortOf(signal: AbortSignal | undefined): Waiting<"aborted"> {
  let tell = () => {};
  const promise = new Promise<"aborted">((resolve) => tell = () => resolve("aborted"));
  signal?.addEventListener("abort", tell);
  if (signal?.aborted === true) tell();
  return { promise, cancel: () => signal?.removeEventListener("abort", tell) };
}

/** A pause of that many ms; one that never ends when there is no number. */
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

/** The lines, the cursor then in its place. */
function drawn({ lines, row, column }: Screen): string {
  const up = lines.length - 1 - row;
  return `${lines.join("\r\n")}${up > 0 ? `\x1b[${up}A` : ""}\r${
    column > 0 ? `\x1b[${column}C` : ""
  }`;
}

/** Takes away what was drawn. */
function erased({ row }: Screen): string {
  return `\r${row > 0 ? `\x1b[${row}A` : ""}\x1b[J`;
}

function colorOf(runtime: Runtime): Color {
  try {
    const isPlain = (runtime.env("NO_COLOR") ?? "") !== "" || runtime.env("TERM") === "dumb";
    return isPlain ? PLAIN : ANSI;
  } catch (error) {
    if (error instanceof FileError) return PLAIN;
    throw error;
  }
}

function defaultCheck(
  pattern: string,
  action: Parameters<AskingContext["check"]>[1],
): string | undefined {
  const { error, warning } = checkPattern(pattern, { action, profiles: toolProfiles(new Map()) });
  return error?.detail ?? warning;
}
