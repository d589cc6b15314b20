import type { Action } from "../model/action.ts";
import { onlyText, printGlob } from "../pattern/glob.ts";
import type { ValueTest } from "../pattern/pattern.ts";
import { urlParts } from "../pattern/url_pattern.ts";

type UrlTest = Extract<ValueTest, { kind: "url" | "domain" }>;

/**
 * How all hosts that a test fits end, backwards, with a mark behind a whole one; empty where that cannot be told, as for a
 * deny whose wildcards may also stand for a part of the path.
 */
export function hostEnd(test: UrlTest, action: Action): string {
  if (test.kind === "domain") return backwards(test.host);
  const parts = urlParts(printGlob(test.glob));
  if (!parts.ok || !parts.value) return "";
  const { scheme, host, labels } = parts.value;
  const whole = onlyText(host);
  if (whole !== undefined) {
    const isFixed = action === "allow" || onlyText(scheme) !== undefined;
    return isFixed ? `${backwards(whole)}\u0000` : "";
  }
  if (action !== "allow") return "";
  let end = "";
  for (const label of labels.toReversed()) {
    const text = label.kind === "label" ? onlyText(label.glob) : undefined;
    if (text === undefined) return end;
    end += `${backwards(text)}.`;
  }
  return end.replace(/\.$/, "\u0000");
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}
