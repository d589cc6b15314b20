import type { CallFault } from "../report/decision_text.ts";
import type { Request } from "../policy/compile/facts.ts";

/** What is wrong with the URL that is a call's first argument, and how it is written; undefined when it is well-formed. */
export function urlFault(request: Request): CallFault | undefined {
  const { first } = request;
  if (first.state !== "text") return undefined;
  const url = request.url(first.text);
  if (url.ok) return undefined;
  const whole = `https://${first.text}`;
  const isHost = !first.text.includes(":") && request.url(whole).ok;
  return {
    what: `the URL is malformed: ${url.detail}`,
    advice: `write it as ${isHost ? whole : "https://example.com/path"}`,
  };
}
