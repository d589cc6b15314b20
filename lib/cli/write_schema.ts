import type { Runtime } from "../io/runtime/runtime.ts";
import { pathStyle } from "../policy/sources/path_style.ts";
import { schemaText } from "./schema/text.ts";
import { writeFile } from "./write_file.ts";

const NAME = "permissions.schema.json";

/**
 * Writes the JSON Schema beside a policy file, where the `#:schema` line of a new one looks for it, and gives its path.
 * `within` is the policy's workspace, or null for one of the person's own; `replace` writes the schema anew; without it one that stands there stays.
 */
export async function writeSchema(
  { path: policyPath, within }: { readonly path: string; readonly within: string | null },
  { platform, replace }: { platform: Runtime["platform"]; replace?: true },
): Promise<string> {
  const style = pathStyle(platform);
  const { root, segments } = style.split(policyPath);
  const path = style.build({ root, segments: [...segments.slice(0, -1), NAME] });
  const schema = await schemaText("permissions");
  await writeFile(path, (text) => text === undefined || replace ? schema : undefined, { within });
  return path;
}
