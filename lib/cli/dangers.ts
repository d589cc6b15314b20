import type { DecideOptions } from "../engine/decide.ts";
import type { Runtime } from "../io/runtime.ts";

/** What the flags of the line do to a decision, one sentence each; empty for none. */
export function flagEffects(options: DecideOptions): readonly string[] {
  return [
    ...(options.mode.name === "disabled"
      ? ["--no-permissions: every call runs, whatever the rules say"]
      : []),
    ...(options.autoAllow ? ["--auto-allow: ask becomes allow, but for safety checks"] : []),
    ...(options.headless ? ["--headless: ask becomes deny"] : []),
  ];
}

/** Says loudly on stderr that questions are answered, or rules switched off, by a flag. */
export async function warnOfDangers(options: DecideOptions, runtime: Runtime): Promise<void> {
  const name = runtime.env("CALIBAN_AUTO_ALLOW") === "1" ? "CALIBAN_AUTO_ALLOW=1" : "--auto-allow";
  const loud = options.mode.name === "disabled"
    ? "--no-permissions: the rules are switched off, every call is allowed"
    : options.autoAllow
    ? `${name} is dangerous: ask is allow, safety checks apart`
    : undefined;
  if (loud === undefined) return;
  const { warn } = await import("./warn.ts");
  await warn(runtime, { message: loud });
}
