import { printedJson } from "../../text/printed_json.ts";
import type { Rule } from "../../model/rule.ts";
import type { ActionAndRule, Bounded, ChangeGroup } from "../../suite/replay_report.ts";
import { effectOf } from "../diff/diff_report.ts";
import type { ReplaySummary } from "./replay_summary.ts";

/** The replay as one JSON object, ending in a newline. */
export function replayJson({ report, read, mode, against, command }: ReplaySummary): string {
  const { all, decisions, rules, unused, classes, asks, changes, since } = report;
  const changesJson = ({ groups, others }: Bounded<ChangeGroup>) => ({
    groups: groups.map(({ was, now, calls, inexact, example }) => ({
      effect: effectOf(was.action, now.action),
      was: sideJson(was),
      now: sideJson(now),
      calls,
      inexact,
      ...(example === undefined ? {} : { example, command: command(example) }),
    })),
    others,
  });
  const whole = {
    mode,
    ...(against === undefined ? {} : { against }),
    read,
    calls: all.calls,
    inexact: all.inexact,
    decisions,
    rules: rules.map(({ rule, ...use }) => ({ rule: rule && ruleJson(rule), ...use })),
    unused: unused.map(ruleJson),
    classes,
    asks: {
      groups: asks.groups.map(({ pattern, calls, inexact, example }) => ({
        pattern: pattern ?? null,
        calls,
        inexact,
        ...(example === undefined ? {} : { example, command: command(example) }),
      })),
      others: asks.others,
    },
    ...(changes === undefined ? {} : { changes: changesJson(changes) }),
    ...(since === undefined ? {} : { since: changesJson(since) }),
  };
  return printedJson(whole, { indent: 2 }) + "\n";
}

function sideJson({ action, rule }: ActionAndRule) {
  return { action, ...(rule === undefined ? {} : { rule: rule && ruleJson(rule) }) };
}

function ruleJson({ pattern, action, source: { path, line, column } }: Rule) {
  return { pattern, action, source: { path, line, column } };
}
