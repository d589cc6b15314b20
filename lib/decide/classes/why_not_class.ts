import type { Action, CommandClass } from "../../model/call.ts";
import { classesOf } from "../../policy/compile/class_matcher.ts";
import type { Request } from "../../policy/compile/request.ts";
import { whyUnknownNow } from "./class_search.ts";
import { inBackticks } from "../../text/quote.ts";

/** Why a rule about a class does not match a command. */
export function whyNotClass(
  name: CommandClass,
  { action, request }: { readonly action: Action; readonly request: Request },
): string {
  const { part } = request;
  if (part === undefined) return "the line is not analysed";
  const { search, effect } = part;
  if (effect.kind === "opaque") {
    return `${inBackticks(effect.text)} cannot be analysed: ${effect.why}`;
  }
  const classes = search?.classes ?? classesOf(effect);
  if (action === "allow" && search?.name === name) {
    return search.whyOpen() ?? "it is for commands";
  }
  const why = classes.some((each) => each === "unknown" || each === "code")
    ? whyUnknownNow(effect, request)
    : undefined;
  const names = classes.map((each) => `@${each}`).join(", ");
  return `the command is ${names}${why === undefined ? "" : `: ${why}`}`;
}
