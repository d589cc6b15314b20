import { ADD } from "./verbs/add.ts";
import { AUDIT } from "./verbs/audit.ts";
import { AUTO_EVAL } from "./verbs/auto_eval.ts";
import { CHECK } from "./verbs/check.ts";
import { COMPLETIONS } from "./verbs/completions.ts";
import { DIFF } from "./verbs/diff.ts";
import { DOCTOR } from "./verbs/doctor.ts";
import { EXPLAIN } from "./verbs/explain.ts";
import { EXPORT } from "./verbs/export.ts";
import { HOOK } from "./verbs/hook.ts";
import { HOOK_INSTALL } from "./verbs/hook_install.ts";
import { HOOK_TRY } from "./verbs/hook_try.ts";
import { HOOK_UNINSTALL } from "./verbs/hook_uninstall.ts";
import { IMPORT } from "./verbs/import.ts";
import { INIT } from "./verbs/init.ts";
import { LINT } from "./verbs/lint.ts";
import { LIST } from "./verbs/list.ts";
import { REMOVE } from "./verbs/remove.ts";
import { REPLAY } from "./verbs/replay.ts";
import { SCHEMA } from "./verbs/schema.ts";
import { SUGGEST } from "./verbs/suggest.ts";
import { TEST } from "./verbs/test_policy.ts";
import { TRUST } from "./verbs/trust.ts";
import type { Verb } from "./verb.ts";

/** Every verb, in the order of help and of the README. */
export const VERBS: readonly Verb[] = [
  CHECK,
  EXPLAIN,
  LIST,
  ADD,
  REMOVE,
  IMPORT,
  EXPORT,
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
  HOOK_UNINSTALL,
  HOOK_TRY,
  DOCTOR,
  SCHEMA,
  COMPLETIONS,
];
