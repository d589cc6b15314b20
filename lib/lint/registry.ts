import type { Check } from "./check.ts";
import { agentGap } from "./checks/agent_gap.ts";
import { allowsExec } from "./checks/allows_exec.ts";
import { bareMissed } from "./checks/bare_missed.ts";
import { broadAllow } from "./checks/broad_allow.ts";
import { contradiction } from "./checks/contradiction.ts";
import { denyEvadable } from "./checks/deny_evadable.ts";
import { duplicate } from "./checks/duplicate.ts";
import { exampleFails } from "./checks/example_fails.ts";
import { expired } from "./checks/expired.ts";
import { expiresSoon } from "./checks/expires_soon.ts";
import { leakyPrefix } from "./checks/leaky_prefix.ts";
import { mcpName } from "./checks/mcp_name.ts";
import { neverMatches } from "./checks/never_matches.ts";
import { notAnalysed } from "./checks/not_analysed.ts";
import { oneOff } from "./checks/one_off.ts";
import { orderTrap } from "./checks/order_trap.ts";
import { redundant } from "./checks/redundant.ts";
import { schema } from "./checks/schema.ts";
import { secretReadable } from "./checks/secret_readable.ts";
import { selfModifying } from "./checks/self_modifying.ts";
import { shadowed } from "./checks/shadowed.ts";
import { trailingSpace } from "./checks/trailing_space.ts";
import { unknownTool } from "./checks/unknown_tool.ts";
import { wrapperBlind } from "./checks/wrapper_blind.ts";

/** Every check, in the order of the docs; findings at one place stand in this order. */
export const CHECKS: readonly Check[] = [
  schema,
  neverMatches,
  shadowed,
  orderTrap,
  redundant,
  contradiction,
  duplicate,
  broadAllow,
  allowsExec,
  bareMissed,
  leakyPrefix,
  denyEvadable,
  wrapperBlind,
  expired,
  expiresSoon,
  unknownTool,
  mcpName,
  trailingSpace,
  oneOff,
  secretReadable,
  selfModifying,
  notAnalysed,
  exampleFails,
  agentGap,
];
