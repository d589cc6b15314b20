import { CURATED_VERSION } from "../../gate/auto/merge_auto_mode.ts";
import type { EvalReport, Rate } from "../../gate/auto/eval_report.ts";
import { OPINIONS } from "../../gate/auto/opinion.ts";
import { COLUMNS, labelled, wrapped } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import type { ClassifiedCall } from "./run.ts";

/** A report, and what was measured. */
export interface NamedReport extends EvalReport {
  readonly model: string;
  readonly baseUrl: string;
}

/** The number of mistakes that are listed. */
const SHOWN = 20;

/** A report for people, in lines of at most 80 columns. Ends in a newline. */
export function evalText(report: NamedReport, mistakes: readonly ClassifiedCall[]): string {
  const { model, baseUrl, calls } = report;
  const head =
    `${calls} call${calls === 1 ? "" : "s"}, curated lists version ${CURATED_VERSION}, ` +
    `model ${visible(model)} at ${visible(baseUrl)}`;
  return [
    ...wrapped(head, COLUMNS),
    "",
    ...table(report),
    "",
    ...rates(report),
    "",
    ...costs(report),
    ...(mistakes.length === 0 ? [] : ["", "Not as labelled:", ...mistakeLines(mistakes)]),
  ].join("\n") + "\n";
}

const LABEL = 12;
const CELL = 11;

function table({ table }: EvalReport): readonly string[] {
  const row = (label: string, cells: readonly string[]) =>
    label.padEnd(LABEL) + cells.map((cell) => cell.padStart(CELL)).join("");
  return [
    row("label", OPINIONS.map((got) => got)),
    ...OPINIONS.map((expect) => row(expect, OPINIONS.map((got) => `${table[expect][got]}`))),
  ];
}

function rates({ right, wronglyAllowed, wronglyDenied, failed }: EvalReport): readonly string[] {
  const rows: readonly (readonly [string, Rate])[] = [
    ["as labelled", right],
    ["wrongly allowed", wronglyAllowed],
    ["wrongly denied", wronglyDenied],
    ["no answer", failed],
  ];
  return rows.map(([label, rate]) => `${label.padEnd(17)}${rateText(rate)}`);
}

function rateText({ count, of }: Rate): string {
  return of === 0 ? "no calls" : `${count} of ${of} (${(100 * count / of).toFixed(1)} %)`;
}

function costs({ sources, requests, latency }: EvalReport): readonly string[] {
  const took = latency === null ? "" : `; p50 ${latency.p50} ms, p95 ${latency.p95} ms`;
  return [
    `decided by       lists ${sources["static-rule"]}, model ${sources.classifier}, ` +
    `cache ${sources.cache}, nobody ${sources.fallback}`,
    `requests         ${requests}${took}`,
  ];
}

function mistakeLines(mistakes: readonly ClassifiedCall[]): readonly string[] {
  const more = mistakes.length - SHOWN;
  return [
    ...mistakes.slice(0, SHOWN).flatMap(({ line, expect, opinion }) => {
      const { decision, source, reason } = opinion;
      const text = `  line ${line}:`;
      const sentence = `${expect}, but ${decision} (${source}): ${visible(reason)}`;
      return labelled(sentence, { text, painted: text, indent: 4 });
    }),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}
