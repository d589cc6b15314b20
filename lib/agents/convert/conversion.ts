import type { Loss } from "../../model/loss.ts";
import type { PolicyFile, WrittenRule } from "../../model/settings.ts";
import type { FormatReading, FormatRule } from "./format.ts";
import { lossOf } from "./parts.ts";

/** The policy file that says what was read. */
export function fileOfReading({ rules, defaultMode, hooks }: FormatReading): PolicyFile {
  const none = { start: 0, end: 0, line: 1, column: 1 };
  return {
    shape: "canonical",
    rules: rules.map(({ pattern, span = none, ...rule }) => ({
      ...rule,
      pattern: { value: pattern, span },
      span,
    })),
    settings: defaultMode === undefined || defaultMode === "default"
      ? {}
      : { defaultMode: { value: defaultMode, span: none } },
    tools: new Map(),
    ...(hooks === undefined ? {} : { hooks }),
    problems: [],
  };
}

/** The rules of a policy file, as formats write them. An allow that ends would be one for ever there, so it is left out. */
export function rulesOfFile(
  { rules, settings }: PolicyFile,
): { readonly rules: readonly FormatRule[]; readonly losses: readonly Loss[] } {
  const ends = settings.enforceExpiry?.value === true;
  const said = rules.map(formatRule);
  const left = (rule: FormatRule) =>
    ends && rule.action === "allow" && rule.expiresAt !== undefined;
  return {
    rules: said.filter((rule) => !left(rule)),
    losses: said.filter(left).map((rule) => lossOf({ rule }, "dropped", "there it would not end")),
  };
}

function formatRule({ pattern, action, comment, reason, expiresAt }: WrittenRule): FormatRule {
  return {
    pattern: pattern.value,
    action,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}
