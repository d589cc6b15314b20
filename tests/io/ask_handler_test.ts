import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { FileError, type Keys, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { terminalAsk, type TerminalAskOptions } from "../../lib/io/runtime/terminal_ask.ts";
import { questionOf } from "../unit/prompt/questions.ts";

const real = await chooseRuntime();
const PUSH = questionOf("git push", { suggestion: "Bash(git push:*)" });
const ALLOWED = { kind: "allow-once" } as const;
const DENIED = { kind: "deny-once" } as const;

/** A terminal on which this is typed, in these pieces, and then nothing more. */
interface Terminal extends Runtime {
  /** The text that was shown. */
  shown: string;
  /** The number of times that the terminal was taken and given back. */
  readonly taken: { times: number; returned: number };
}

function terminalOf(
  pieces: readonly (string | Uint8Array)[],
  more: Partial<Runtime> = {},
): Terminal {
  const typed = pieces.map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece
  );
  const taken = { times: 0, returned: 0 };
  const terminal: Terminal = {
    ...real,
    shown: "",
    taken,
    env: () => undefined,
    cwd: () => "/w",
    columns: () => 80,
    isTerminal: () => true,
    write(_stream, text) {
      terminal.shown += text;
      return Promise.resolve(true);
    },
    keys(): Promise<Keys> {
      taken.times++;
      return Promise.resolve({
        read: () => Promise.resolve(typed.shift()),
        close: () => void taken.returned++,
      });
    },
    ...more,
  };
  return terminal;
}

function answerOn(terminal: Runtime, options: TerminalAskOptions = {}) {
  return terminalAsk(terminal, { settle: 0, ...options }).ask(PUSH, {});
}

const failing = (fault: FileError["fault"]) =>
  new FileError("Cannot read", { path: "standard input", fault });

test("the end of input denies once, and the terminal is given back", async () => {
  for (const pieces of [[], ["a"], ["a", "\r"], ["\x1b[20"]]) {
    const terminal = terminalOf(pieces);
    assert.deepEqual(await answerOn(terminal), DENIED);
    assert.deepEqual(terminal.taken, { times: 1, returned: 1 });
    assert.ok(terminal.shown.endsWith("Bash is denied\x1b[22m\r\n"), terminal.shown);
  }
});

test("a terminal that cannot be read or set denies once", async () => {
  const broken: Keys = { read: () => Promise.reject(failing("other")), close: () => {} };
  const denied = { ...DENIED, comment: "nobody could be asked: the terminal cannot be read" };
  assert.deepEqual(await answerOn(terminalOf([], { keys: () => Promise.resolve(broken) })), denied);
  const none = () => Promise.reject(failing("permission"));
  assert.deepEqual(await answerOn(terminalOf(["y"], { keys: none })), denied);
});

test("where the question cannot be shown nobody is asked", async () => {
  const write = () => Promise.resolve(false);
  assert.deepEqual(await answerOn(terminalOf(["y"], { write })), DENIED);
  for (const stream of ["stdin", "stderr"]) {
    const terminal = terminalOf(["y"], { isTerminal: (each) => each !== stream });
    const comment = "nobody could be asked: there is no terminal";
    assert.deepEqual(await answerOn(terminal), { ...DENIED, comment });
    assert.equal(terminal.taken.times, 0);
  }
  const missing = () => {
    throw failing("missing-flag");
  };
  assert.deepEqual(await answerOn(terminalOf(["y"], { env: missing })), ALLOWED);
});

test("characters and keys that come in pieces are put together", async () => {
  const euro = new TextEncoder().encode("€");
  const pieces = ["n", euro.subarray(0, 1), euro.subarray(1), "\x1b", "[D", "a\r"];
  assert.deepEqual(await answerOn(terminalOf(pieces)), { ...DENIED, comment: "a€" });
});

test("a bug is no answer, gives the terminal back, and does not stop the next question", async () => {
  const terminal = terminalOf(["a", "\r", "y"]);
  const asker = terminalAsk(terminal, {
    settle: 0,
    check: () => {
      throw new RangeError("a bug");
    },
  });
  await assert.rejects(asker.ask(PUSH, {}), RangeError);
  assert.deepEqual(terminal.taken, { times: 1, returned: 1 });
  assert.deepEqual(await asker.ask(PUSH, {}), ALLOWED);
});

test("a signal that is aborted already asks nobody", async () => {
  const terminal = terminalOf(["y"]);
  const answer = await terminalAsk(terminal).ask(PUSH, { signal: AbortSignal.abort() });
  assert.deepEqual(answer, DENIED);
  assert.equal(terminal.taken.times, 0);
});

test("the pattern of “always” is checked by the tools that caliban knows", async () => {
  const terminal = terminalOf(["a", "\x15", "Bash(", "\r", "\x1b[C", "x:*)", "\r", "\r", "\r"]);
  const answer = await answerOn(terminal);
  assert.equal(answer.pattern, "Bash(x:*)");
  assert.ok(terminal.shown.includes('missing ")"'), terminal.shown);
});
