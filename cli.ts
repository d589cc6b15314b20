#!/usr/bin/env -S deno run --no-prompt --allow-read --allow-env
// INVARIANT: only a verdict ends in 0, 1 or 2. The status is 70 until run() answers, and everything is loaded inside the
// try, so that a module that cannot be loaded, too, ends in 70; in an agent's hook in 2, by which agents stop the call.
const isDeno = "Deno" in globalThis;
const exitAs = isDeno ? Deno : process;
const args = isDeno ? Deno.args : process.argv.slice(2);
const failed = args[0] === "hook" && !/^(?:try|install|update|uninstall)$/.test(args[1] ?? "")
  ? 2
  : 70;
exitAs.exitCode = failed;
try {
  const { chooseRuntime } = await import("./lib/io/runtime/choose_runtime.ts");
  const { run } = await import("./lib/cli/run.ts");
  const runtime = await chooseRuntime();
  runtime.exit(await run(args, runtime));
} catch (error) {
  // The model reads the answer of a hook: one sentence, without colours and stacks.
  if (failed === 2) {
    const [detail = ""] = String(error instanceof Error ? error.message : error).split("\n");
    const reason = detail.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 300).replace(/[.\s]+$/, "");
    console.error(
      `caliban failed, so the call is stopped: ${reason}. A person can run: caliban doctor`,
    );
  } else console.error("error: caliban has a bug:", error);
  exitAs.exit(failed);
}
