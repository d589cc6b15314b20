#!/usr/bin/env -S deno run --no-prompt --allow-read --allow-env
// INVARIANT: only a verdict ends in 0, 1 or 2. The status is 70 until run() answers, and everything is loaded inside the
// try, so that a module that cannot be loaded, too, ends in 70; in an agent's hook in 2, by which agents stop the call. A run()
// that waits for what never comes keeps no process alive: the runtime tells when nothing is left to do, and the end has its sentence.
// A Node that is too old gets as far as saying so, even where it takes the bundle for a script: this file imports nothing by
// itself, awaits nothing at its top level, and has no syntax that is newer than `import()`.
const OLDEST_NODE = 20;
const TURNS = 200;
const isDeno = "Deno" in globalThis;
const exitAs = isDeno ? Deno : process;
const args = isDeno ? Deno.args : process.argv.slice(2);
const isHook = args[0] === "hook" && !/^(?:try|install|update|uninstall)$/.test(args[1] || "");
const failed = isHook ? 2 : 70;
let isAnswered = false;
exitAs.exitCode = failed;
if (!isDeno) process.on("beforeExit", endUnanswered);
void start();

async function start() {
  try {
    const { node } = isDeno ? { node: "" } : process.versions;
    if (!isDeno && Number(node.split(".")[0]) < OLDEST_NODE) {
      const why = `it needs Node ${OLDEST_NODE} or later, and this is Node ${node}`;
      return stop(why, "install a later Node, or start caliban with Deno or Bun");
    }
    // From source, a list names all modules first: Deno parses the source map of each module that is the first to name another one. Bundles have no such lines.
    if (isDeno && args[0] === "check") await import("./lib/cli/check/preload.ts");
    if (isDeno && isHook) await import("./lib/cli/hook/preload.ts");
    const { chooseRuntime } = await import("./lib/io/runtime/choose_runtime.ts");
    const { run } = await import("./lib/cli/run.ts");
    const runtime = await chooseRuntime();
    const running = run(args, runtime);
    if (isDeno) void watchEnd();
    const status = await running;
    isAnswered = true;
    runtime.exit(status);
  } catch (error) {
    if (isDeno && !mayReadItself()) {
      const flag = "run with --allow-read";
      return stop(
        `Deno may not read its files: ${flag}`,
        "add the flag to the line that starts caliban",
        64,
      );
    }
    const [line] = String(error instanceof Error ? error.message : error).split("\n");
    const next = isHook ? "run: caliban doctor" : "install caliban again";
    stop(`it cannot be loaded: ${plain(line || "")}`, next);
  }
}

/** True if Deno may load files on demand that stand beside this one. */
function mayReadItself(): boolean {
  // The bundle is a script of CommonJS, too, which has no import.meta.
  const path = new URL(".", Deno.mainModule);
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

/**
 * Has Deno tell when nothing is left to do. To listen takes it half a millisecond, and a check answers within some thirty turns of
 * promises: nothing ends as long as these are taken.
 */
async function watchEnd() {
  for (let turn = 0; turn < TURNS && !isHook; turn++) {
    if (isAnswered) return;
    await undefined;
  }
  addEventListener("beforeunload", endUnanswered);
}

function endUnanswered() {
  if (isAnswered) return;
  const next = isHook
    ? "run: caliban doctor"
    : "run the command again, and report the bug if it ends so again";
  stop("it ended without an answer", next);
}

/** Ends with one sentence, which a model reads in a hook: without colours and stacks. */
function stop(why: string, next: string, status = failed) {
  console.error(
    isHook
      ? `caliban failed, so the call is stopped: ${why}. A person can ${next}`
      : `error: Cannot run caliban: ${why}\nhint: ${next[0]!.toUpperCase()}${next.slice(1)}`,
  );
  exitAs.exit(isHook ? failed : status);
}

function plain(text: string): string {
  const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");
  return text.replace(colours, "").replace(/[^\x20-\x7e]/g, "?").slice(0, 300).replace(
    /[.\s]+$/,
    "",
  );
}
