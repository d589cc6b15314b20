import type { Format } from "../../agents/convert/format.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Loss } from "../../model/problem.ts";
import { lossTexts } from "../../report/loss_text.ts";
import { colorFor } from "./choose_color.ts";
import { InputError } from "../errors/errors.ts";
import { hasFlag, type Invocation } from "../args/verb.ts";
import { warn } from "./print.ts";

/** Losses that are shown; of more, the number. */
const SHOWN = 200;

/** The result of a conversion. */
export interface Converted {
  readonly format: Format;
  readonly losses: readonly Loss[];
  /** The file that spans point into, as it was named. */
  readonly path?: string;
  /** A caveat that applies to every rule; absent if nothing was converted. */
  readonly caveat?: string;
}

/** Prints the losses of a conversion on stderr. With --strict, throws InputError if there are any. */
export async function reportLosses(
  { format, losses, path, caveat }: Converted,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Promise<void> {
  const color = colorFor(invocation, runtime, "stderr");
  const place = path === undefined ? {} : { path };
  const texts = lossTexts(losses, { color, ...place });
  const lines = texts.slice(0, SHOWN);
  if (texts.length > SHOWN) lines.push(`and ${texts.length - SHOWN} more\n`);
  if (lines.length > 0) await runtime.write("stderr", lines.join(""));
  if (losses.length > 0 && hasFlag(invocation, "strict")) {
    const count = losses.length === 1 ? "1 loss" : `${losses.length} losses`;
    throw new InputError(
      `Cannot convert exactly: ${count} between caliban and ${format.title}`,
      {
        hint: "Without --strict the rest is converted; the losses are listed above",
      },
    );
  }
  if (caveat !== undefined) await warn(runtime, { label: "note:", message: caveat });
}
