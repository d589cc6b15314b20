import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ReportFormat } from "../../report/formats.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { UsageError } from "../errors/errors.ts";

/** The name of the format that `--format` or `--json` asks for. Throws UsageError where the two contradict each other. */
export function formatName(invocation: Invocation): string {
  const name = flagValue(invocation, "format");
  if (!hasFlag(invocation, "json")) return name ?? "text";
  if (name === undefined || name === "json") return "json";
  throw new UsageError(`--json and --format ${name} exclude each other`);
}

/** Renders a report in the named format and prints it. Throws RangeError for a format that is not in `formats`. */
export async function printReport<Report, Style>(
  report: Report,
  { formats, format, style, runtime }: {
    readonly formats: readonly ReportFormat<Report, Style>[];
    readonly format: string;
    readonly style: Style;
    readonly runtime: Runtime;
  },
): Promise<void> {
  const found = formats.find(({ name }) => name === format);
  if (found === undefined) throw new RangeError(`Unknown format "${format}"`);
  const render = await found.load();
  await runtime.write("stdout", render(report, style));
}
