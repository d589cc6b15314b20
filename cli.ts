#!/usr/bin/env -S deno run --no-prompt --allow-read --allow-env
// INVARIANT: only a verdict ends in 0, 1 or 2. The status is 70 until run() answers, and everything is loaded inside the
// try, so that a module that cannot be loaded, too, ends in 70.
const isDeno = "Deno" in globalThis;
const exitAs = isDeno ? Deno : process;
exitAs.exitCode = 70;
try {
  const { chooseRuntime } = await import("./lib/io/choose_runtime.ts");
  const { run } = await import("./lib/cli/run.ts");
  const runtime = await chooseRuntime();
  runtime.exit(await run(isDeno ? Deno.args : process.argv.slice(2), runtime));
} catch (error) {
  console.error("error: caliban has a bug:", error);
  exitAs.exit(70);
}
