import type { Format } from "../agents/convert/format.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import type { Loss } from "../model/loss.ts";
import { lossText } from "../report/loss_text.ts";
import { chooseColor } from "./choose_color.ts";
import { InputError } from "./errors.ts";
import { flagValue, hasFlag } from "./invocation.ts";
import type { Invocation } from "./verb.ts";
import { warn } from "./warn.ts";

/** Losses that are shown in full; of more, the number. */
const SHOWN = 200;

/** What was converted, and what it cost. */
export interface Converted {
  /** The other agent's format. */
  readonly format: Format;
  /** What was lost. */
  readonly losses: readonly Loss[];
  /** The file that spans point into, as it was named. */
  readonly path?: string;
  /** What no loss says because it holds for every rule; left out where nothing was converted. */
  readonly caveat?: string;
}

/** Says on stderr what a conversion lost. Throws InputError with --strict, when it lost anything. */
export async function reportLosses(
  { format, losses, path, caveat }: Converted,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<void> {
  const color = chooseColor(runtime, { flag: flagValue(invocation, "color"), stream: "stderr" });
  const place = path === undefined ? {} : { path };
  const lines = losses.slice(0, SHOWN).map((loss) => lossText(loss, { color, ...place }));
  if (losses.length > SHOWN) lines.push(`and ${losses.length - SHOWN} more\n`);
  if (lines.length > 0) await runtime.write("stderr", lines.join(""));
  if (losses.length > 0 && hasFlag(invocation, "strict")) {
    const what = losses.length === 1 ? "one thing is" : `${losses.length} things are`;
    throw new InputError(
      `Cannot convert exactly: ${what} lost between caliban and ${format.title}`,
      {
        hint: "Without --strict the rest is converted; the lines above say what is lost",
      },
    );
  }
  if (caveat !== undefined) await warn(runtime, { label: "note:", message: caveat });
}
