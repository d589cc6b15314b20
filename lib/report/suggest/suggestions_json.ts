import { printedJson } from "../../text/printed_json.ts";
import type { JsonObject } from "../../model/call.ts";
import type { OwnCommand } from "../../suggest/own_tools.ts";
import type { ShownCall, SuggestionsReport } from "./suggestions_report.ts";

/** The report as one JSON object. */
export function suggestionsJson(report: SuggestionsReport): string {
  const { calls, asks, answered, suggestions, refused, closed } = report;
  const whole = {
    calls,
    asks,
    answered,
    suggestions: suggestions.map(({ pattern, answers, examples, alsoAllows, command }) => ({
      pattern,
      action: "allow",
      answers,
      examples: examples.map(callJson),
      alsoAllows: alsoAllows.map(callJson),
      command,
    })),
    classes: report.classes.map(({ pattern, answers, examples, also, command }) => ({
      pattern,
      answers,
      examples: examples.map(callJson),
      alsoAllows: also,
      command,
    })),
    own: {
      wrappers: report.own.wrappers.map(ownJson),
      project: report.own.project.map(ownJson),
      others: report.own.others.map(ownJson),
    },
    notSuggested: refused.map(({ pattern, asks, id, why }) => ({ pattern, asks, id, why })),
    unanswerable: Object.fromEntries(closed),
    inexact: report.inexact,
    badLines: report.badLines,
    notKept: report.notKept,
    dropped: report.dropped,
  };
  return printedJson(whole, { indent: 2 }) + "\n";
}

function ownJson({ command, asks, example: { tool, input } }: OwnCommand): JsonObject {
  return { command, asks, example: { tool, input } };
}

function callJson({ call: { tool, input, cwd } }: ShownCall): JsonObject {
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}
