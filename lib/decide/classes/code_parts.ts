import type { CommandClass } from "../../model/call.ts";
import type { LineEffect } from "../../policy/compile/request_options.ts";
import type { EvalContext } from "../unit_result.ts";
import { classesNow, namesClass } from "./class_search.ts";
import { mayName, objectorsTo } from "./named_in_code.ts";

const CODE: readonly CommandClass[] = ["code"];
const CODE_OR_MORE: readonly CommandClass[] = ["code", "unknown"];

/**
 * The request for an unknown part of a line, with a search for its class where that is the code of an interpreter. A rule that
 * allows `code` covers a script, and code in the line that names nothing of the deny and ask rules.
 */
export function codeRequest(context: EvalContext): EvalContext["request"] {
  const { rules, request } = context;
  const { part } = request;
  if (part === undefined || !namesClass(rules.candidates(request))) return request;
  const classes = classesOfPart(part, context);
  if (classes === undefined) return request;
  const search = { name: classes.at(-1)!, classes, whyOpen: () => undefined };
  return request.of({ ...part, search });
}

function classesOfPart(
  { effect, line }: LineEffect,
  context: EvalContext,
): readonly CommandClass[] | undefined {
  const { of, code, isOrdinaryScript, isScript, unknownFileAccess } = effect;
  const owner = of === undefined ? undefined : line.effects[of];
  if (owner?.traits?.().isInterpreter !== true || unknownFileAccess) return undefined;
  const classes = classesNow(owner, context.request.of({ effect: owner, line }));
  if (!classes.includes("code")) return undefined;
  const isPlain = !classes.includes("unknown") &&
    (code ? !mayName(code, objectorsTo(context)) : (isOrdinaryScript ?? isScript) === true);
  return isPlain ? CODE : CODE_OR_MORE;
}
