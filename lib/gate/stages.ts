import { askClassifier } from "./ask_classifier.ts";
import { askHooks } from "./ask_hooks.ts";
import { askMode } from "./ask_mode.ts";
import { askPerson } from "./ask_person.ts";
import { askRules } from "./ask_rules.ts";
import { askTool } from "./ask_tool.ts";
import { askToolInput } from "./ask_tool_input.ts";
import { checkInput } from "./check_input.ts";
import type { Stage } from "./stage.ts";

/** The stages of the gate. INVARIANT: this order is the order in which a call passes them, and nothing else is. */
export const STAGES: readonly Stage[] = [
  checkInput,
  askToolInput,
  askHooks,
  askRules,
  askTool,
  askMode,
  askClassifier,
  askPerson,
];
