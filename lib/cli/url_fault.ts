import type { CallFault } from "../report/decision_text.ts";
import type { Facts } from "../tools/facts.ts";

/** What is wrong with the URL that is a call's first argument, and how it is written; undefined when it is well-formed. */
export function urlFault(facts: Facts): CallFault | undefined {
  const { first } = facts;
  if (first.state !== "text") return undefined;
  const url = facts.url(first.text);
  if (url.ok) return undefined;
  const whole = `https://${first.text}`;
  const isHost = !first.text.includes(":") && facts.url(whole).ok;
  return {
    what: `the URL is malformed: ${url.detail}`,
    advice: `write it as ${isHost ? whole : "https://example.com/path"}`,
  };
}
