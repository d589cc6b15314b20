import { aboutJson } from "./about_json.ts";
import { agentDocs } from "./agent_docs.ts";
import { agentsJson } from "./agents_json.ts";
import { autoModeJson } from "./auto_mode_json.ts";
import { classList } from "./class_list.ts";
import { permissionsJson, toolsJson } from "./defaults_json.ts";
import { presetsJson } from "./presets_json.ts";
import { protectedJson } from "./protected_json.ts";
import { lintDocs } from "./lint_docs.ts";
import { filledBlocks } from "./readme_blocks.ts";
import { secretsJson } from "./secrets_json.ts";
import { shellJson } from "./shell_json.ts";

/** The file that each file in defaults/ becomes. */
const DEFAULTS: ReadonlyMap<string, (toml: string) => string> = new Map([
  ["defaults/about", aboutJson],
  ["defaults/agents", agentsJson],
  ["defaults/auto-mode", autoModeJson],
  ["defaults/permissions", permissionsJson],
  ["defaults/protected", protectedJson],
  ["defaults/secrets", secretsJson],
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
  files.set("defaults/presets.json", presetsJson(read));
  const { schemaFiles } = await import("./update_schemas.ts");
  for (const [path, text] of schemaFiles()) files.set(path, text);
  files.set("docs/lint.md", lintDocs());
  files.set(
    "docs/agents.md",
    agentDocs({
      facts: read("tests/cases/agents/hook_facts.json"),
      profiles: agentsJson(read("defaults/agents.toml")),
      offered: read("tests/cases/agents/offered_tools.json"),
    }),
  );
  files.set("README.md", filledBlocks(read("README.md")));
  const classes = new Map([["classes", () => classList(read("defaults/shell.toml"))]]);
  files.set("docs/shell.md", filledBlocks(read("docs/shell.md"), classes));
  return files;
}
