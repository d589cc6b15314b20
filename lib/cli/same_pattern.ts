import { parsePattern } from "../pattern/parse_pattern.ts";
import { parseSpec } from "../pattern/parse_spec.ts";
import { onlyText } from "../pattern/glob.ts";
import { patternOf, printPattern } from "../pattern/print_pattern.ts";
import type { ToolProfiles } from "../tools/profiles.ts";

/** One text for every spelling of the same pattern: `Bash(git *)` and `Bash:git *` are one. */
export function canonicalPattern(text: string, profiles: ToolProfiles): string {
  const pattern = parsePattern(text);
  if (!pattern.ok) return text;
  const name = onlyText(pattern.value.tool);
  const spec = name === undefined ? undefined : parseSpec(pattern.value, profiles.get(name));
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
