import type { Runtime } from "../io/runtime/runtime.ts";
import type { Start } from "./start_mode.ts";

/** What the flags of the line do to a decision, one sentence each; empty for none. */
export function flagEffects({ options }: Start): readonly string[] {
  return [
    ...(options.mode.name === "disabled"
      ? ["--no-permissions: every call runs, whatever the rules say"]
      : []),
    ...(options.autoAllow ? ["--auto-allow: ask becomes allow, but for safety checks"] : []),
    ...(options.headless ? ["--headless: ask becomes deny"] : []),
  ];
}

/** Says loudly on stderr that questions are answered, or rules switched off, and what of the flags does not count. */
export async function warnOfDangers({ options, notes }: Start, runtime: Runtime): Promise<void> {
  const name = runtime.env("CALIBAN_AUTO_ALLOW") === "1" ? "CALIBAN_AUTO_ALLOW=1" : "--auto-allow";
  const loud = [
    ...(options.mode.name === "disabled"
      ? ["--no-permissions: the rules are switched off, every call is allowed"]
      : options.mode.liftsDenials
      ? [`the mode ${options.mode.name} lifts every rule: every call is allowed`]
      : options.autoAllow
      ? [`${name} is dangerous: ask is allow, safety checks apart`]
      : []),
    ...notes,
  ];
  if (loud.length === 0) return;
  const { warn } = await import("./warn.ts");
  for (const message of loud) await warn(runtime, { message });
}
