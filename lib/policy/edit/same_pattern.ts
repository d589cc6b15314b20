import type { Action } from "../../model/action.ts";
import { parsePattern } from "../../pattern/parse_pattern.ts";
import { parseSpecifier } from "../../pattern/parse_spec.ts";
import { onlyText } from "../../pattern/glob.ts";
import { patternOf, printPattern } from "../../pattern/print_pattern.ts";
import type { ToolProfiles } from "../compile/profiles.ts";

/** What a rule says, and until when. */
export interface RuleMeaning {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** When it ends, in ms since 1970-01-01T00:00Z. */
  readonly expiresAt?: number | undefined;
}

/** Whether another rule says the same for as long; what it tells people and the model may differ. */
export function sameAs(
  wanted: RuleMeaning,
  profiles: ToolProfiles,
): (rule: RuleMeaning) => boolean {
  const pattern = canonicalPattern(wanted.pattern, profiles);
  return (rule) =>
    rule.action === wanted.action && rule.expiresAt === wanted.expiresAt &&
    canonicalPattern(rule.pattern, profiles) === pattern;
}

/** One text for every spelling of the same pattern: `Bash(git *)` and `Bash:git *` are one. */
export function canonicalPattern(text: string, profiles: ToolProfiles): string {
  const pattern = parsePattern(text);
  if (!pattern.ok) return text;
  const name = onlyText(pattern.value.tool);
  const spec = name === undefined ? undefined : parseSpecifier(pattern.value, profiles.get(name));
  return printPattern(
    spec?.ok
      ? patternOf(pattern.value.tool, spec.value)
      : { ...pattern.value, form: formOf(pattern.value) },
  );
}

/** Where several tools are meant, only the prefix form tells the two forms apart. */
function formOf(
  { spec, form }: { readonly spec?: string; readonly form: "colon" | "paren" },
): "colon" | "paren" {
  return form === "paren" && spec?.endsWith(":*") ? "paren" : "colon";
}
