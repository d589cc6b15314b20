import { autoModeJson } from "./auto_mode_json.ts";
import { permissionsJson, toolsJson } from "./defaults_json.ts";
import { protectedJson } from "./protected_json.ts";
import { filledBlocks } from "./readme_blocks.ts";
import { shellJson } from "./shell_json.ts";

/** What each file in defaults/ becomes. */
const DEFAULTS: ReadonlyMap<string, (toml: string) => string> = new Map([
  ["defaults/auto-mode", autoModeJson],
  ["defaults/permissions", permissionsJson],
  ["defaults/protected", protectedJson],
  ["defaults/shell", shellJson],
  ["defaults/tools", toolsJson],
]);

/**
 * Every generated file: its path from the repository's root and its whole text. `read` gives the text of a file by such
 * a path. Throws Error when a file that it is made of is wrong.
 */
export async function generatedFiles(
  read: (path: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, convert] of DEFAULTS) files.set(`${path}.json`, convert(read(`${path}.toml`)));
  const { schemaFiles } = await import("./update_schemas.ts");
  for (const [path, text] of schemaFiles()) files.set(path, text);
  files.set("README.md", filledBlocks(read("README.md")));
  return files;
}
