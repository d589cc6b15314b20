import type { Runtime } from "../runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { schemaText } from "../../policy/schema/schema_text.ts";

const NAME = "permissions.schema.json";

/**
 * Writes the JSON Schema beside a policy file, where the `#:schema` line of a new one looks for it, and returns its path.
 * `within` is the policy's workspace, or null for one of the person's own; with `replace` it overwrites a schema that is
 * there. Throws FileError.
 */
export async function writeSchema(
  { path: policyPath, within }: { readonly path: string; readonly within: string | null },
  { platform, replace }: { platform: Runtime["platform"]; replace?: true },
): Promise<string> {
  const style = pathStyle(platform);
  const { root, segments } = style.split(policyPath);
  const path = style.build({ root, segments: [...segments.slice(0, -1), NAME] });
  const schema = await schemaText("permissions");
  const { editFile } = await import("./edit_file.ts");
  await editFile(path, (text) => text === undefined || replace ? schema : undefined, { within });
  return path;
}
