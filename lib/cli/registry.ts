import { ADD } from "./add/table.ts";
import { AUDIT } from "./audit/table.ts";
import { AUTO_EVAL } from "./auto_eval/table.ts";
import { CHECK } from "./check/table.ts";
import { COMPLETIONS } from "./completions/table.ts";
import { DIFF } from "./diff/table.ts";
import { DOCTOR } from "./doctor/table.ts";
import { EXPLAIN } from "./explain/table.ts";
import { EXPORT } from "./export/table.ts";
import { FMT } from "./fmt/table.ts";
import { HOOK } from "./hook/table.ts";
import { HOOK_INSTALL } from "./hook_install/table.ts";
import { HOOK_TRY } from "./hook_try/table.ts";
import { HOOK_UPDATE } from "./hook_update/table.ts";
import { HOOK_UNINSTALL } from "./hook_uninstall/table.ts";
import { IMPORT } from "./import/table.ts";
import { INIT } from "./init/table.ts";
import { LINT } from "./lint/table.ts";
import { LIST } from "./list/table.ts";
import { MCP } from "./mcp/table.ts";
import { MCP_TRUST } from "./mcp_trust/table.ts";
import { REMOVE } from "./remove/table.ts";
import { REPLAY } from "./replay/table.ts";
import { SCHEMA } from "./schema/table.ts";
import { SUGGEST } from "./suggest/table.ts";
import { TEST } from "./test_policy/table.ts";
import { TRUST } from "./trust/table.ts";
import type { Verb } from "./args/verb.ts";

/** Every verb, in the order of help and of docs/cli.md. */
export const VERBS: readonly Verb[] = [
  CHECK,
  EXPLAIN,
  LIST,
  ADD,
  REMOVE,
  IMPORT,
  EXPORT,
  FMT,
  LINT,
  TEST,
  DIFF,
  REPLAY,
  SUGGEST,
  AUDIT,
  INIT,
  TRUST,
  AUTO_EVAL,
  HOOK,
  HOOK_INSTALL,
  HOOK_UPDATE,
  HOOK_UNINSTALL,
  HOOK_TRY,
  MCP,
  MCP_TRUST,
  DOCTOR,
  SCHEMA,
  COMPLETIONS,
];
