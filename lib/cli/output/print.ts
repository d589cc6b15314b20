import { printedJson } from "../../text/printed_json.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { labelled } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";

/** Prints a message on stderr, with the label `warning:` or `note:`. */
export async function warn(
  runtime: Runtime,
  { label = "warning:", message }: {
    readonly label?: "warning:" | "note:";
    readonly message: string;
  },
): Promise<void> {
  const indent = label.length + 1;
  const lines = labelled(visible(message), { text: label, painted: label, indent });
  await runtime.write("stderr", lines.join("\n") + "\n");
}

/** Prints the result of a verb as one JSON object. */
export async function writeJson(runtime: Runtime, result: object): Promise<void> {
  await runtime.write("stdout", printedJson(result, { indent: 2 }) + "\n");
}
