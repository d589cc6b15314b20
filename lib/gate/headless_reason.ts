import { decide } from "../engine/decide.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import { modeNamed } from "../modes/registry.ts";
import { suggestRules } from "../suggest/suggest_rules.ts";
import { isAboutVeryCall } from "./question.ts";
import type { Scene } from "./stage.ts";

/** With more rules than this a remedy is none that anybody reads. */
const MOST_RULES = 3;

/** Why a call is denied where nobody can be asked, and what would allow it; nothing would where a person must see it. */
export function headlessReason(
  call: ToolCall,
  { decision, scene: { policy } }: { readonly decision: Decision; readonly scene: Scene },
): string {
  const reason = `nobody can be asked (headless); ${decision.reason}`;
  if (isAboutVeryCall(decision)) return reason;
  const { verdict } = decision;
  const acceptEdits = modeNamed("acceptEdits");
  const isEdit = acceptEdits !== undefined &&
    decide(policy, verdict, { mode: acceptEdits }).decision === "allow";
  const rules = suggestRules(policy, call, verdict);
  const named = rules.map(({ pattern }) => `\`allow ${pattern}\``).join(" and ");
  const remedies = [
    ...(isEdit ? ["the mode acceptEdits"] : []),
    ...(rules.length === 0 || rules.length > MOST_RULES
      ? []
      : [rules.length === 1 ? `the rule ${named}` : `the rules ${named}`]),
  ];
  return remedies.length === 0 ? reason : `${reason}; ${remedies.join(" or ")} would allow it`;
}
