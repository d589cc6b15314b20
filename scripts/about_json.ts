import { parse } from "smol-toml";
import { z } from "zod";
import { isOwnName } from "./about/forms.ts";

const FORM = /^(?:-[hVv]|--help|--version|-help|-version|help|version)$/;
const forms = z.string().refine((text) => text.split(" ").every((form) => FORM.test(form)));
const command = z.string().regex(/^[\w.+-]+(?: [a-z][\w.-]*){0,2}$/)
  .refine((text) => isOwnName(text.split(" ")[0]!), { message: "A name that others may have" });

const schema = z.record(forms, z.array(command).min(1));

/** The text of defaults/about.json for that of about.toml: the programs of each set of forms as one text, which costs least at a start. */
export function aboutJson(toml: string): string {
  const checked = schema.safeParse(parse(toml));
  if (!checked.success) throw new Error(`Cannot use about.toml: ${z.prettifyError(checked.error)}`);
  const seen = new Set<string>();
  for (const name of Object.values(checked.data).flat()) {
    if (seen.has(name)) throw new Error(`Cannot use about.toml: "${name}" stands in two lists`);
    seen.add(name);
  }
  const rows = Object.entries(checked.data).map(([key, names]) => [key, `,${names.join(",")},`]);
  return JSON.stringify(Object.fromEntries(rows), null, 1) + "\n";
}
