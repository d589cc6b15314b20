import { ADD } from "./verbs/add.ts";
import { AUDIT } from "./verbs/audit.ts";
import { AUTO_EVAL } from "./verbs/auto_eval.ts";
import { CHECK } from "./verbs/check.ts";
import { COMPLETIONS } from "./verbs/completions.ts";
import { EXPLAIN } from "./verbs/explain.ts";
import { EXPORT } from "./verbs/export.ts";
import { HOOK_TRY } from "./verbs/hook_try.ts";
import { INIT } from "./verbs/init.ts";
import { LIST } from "./verbs/list.ts";
import { REMOVE } from "./verbs/remove.ts";
import { SCHEMA } from "./verbs/schema.ts";
import { TRUST } from "./verbs/trust.ts";
import type { Verb } from "./verb.ts";

/** Every verb, in the order of help and of the README. */
export const VERBS: readonly Verb[] = [
  CHECK,
  EXPLAIN,
  LIST,
  ADD,
  REMOVE,
  EXPORT,
  AUDIT,
  INIT,
  TRUST,
  AUTO_EVAL,
  HOOK_TRY,
  SCHEMA,
  COMPLETIONS,
];
