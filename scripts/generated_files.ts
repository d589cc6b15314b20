import { aboutJson } from "./about_json.ts";
import { agentDocs } from "./agent_docs.ts";
import { agentsJson, hookRunnersJson } from "./agents_json.ts";
import { autoModeJson } from "./auto_mode_json.ts";
import { classList } from "./class_list.ts";
import { besideDocs, compareDocs } from "./compare_docs.ts";
import { permissionsJson, toolsJson } from "./defaults_json.ts";
import { preloads } from "./preloads.ts";
import { presetsJson } from "./presets_json.ts";
import { protectedJson } from "./protected_json.ts";
import { autoModeKeys, settingKeys } from "./key_tables.ts";
import { lintDocs } from "./lint_docs.ts";
import { BLOCKS, filledBlocks } from "./doc_blocks.ts";
import { performanceBlocks } from "./performance/blocks.ts";
import { performancePictures } from "./performance/pictures.ts";
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

/** The pages with generated blocks. */
const PAGES = [
  "README.md",
  ...["agents", "auto-mode", "classes", "cli", "compare", "performance", "policy"].map((name) =>
    `docs/${name}.md`
  ),
];

/** The figures of one run of the benches, which `deno task bench:figures` records. */
const FIGURES = "bench/figures.json";

/** The generated blocks of the pages: their names and what makes them. */
function docBlocks(
  read: (path: string) => string,
  schemas: ReadonlyMap<string, string>,
): ReadonlyMap<string, () => string> {
  const agentRuns = () =>
    agentDocs({
      facts: read("tests/cases/agents/hook_facts.json"),
      profiles: agentsJson(read("defaults/agents.toml")),
      offered: read("tests/cases/agents/offered_tools.json"),
    });
  return new Map([
    ...BLOCKS,
    ["agent-runs", agentRuns],
    ["beside", () => besideDocs(read("tests/cases/compare.json"))],
    ["comparison", () => compareDocs(read("tests/cases/compare.json"))],
    ["settings", () => settingKeys(schemas.get("schema/permissions.schema.json")!)],
    ["auto-mode-keys", () => autoModeKeys(schemas.get("schema/auto-mode.schema.json")!)],
    ...performanceBlocks(() => JSON.parse(read(FIGURES))),
    ["classes", () => classList(read("defaults/shell.toml"))],
  ]);
}

/**
 * Every generated file: its path from the repository's root and its whole text. `read` gives the text of a file by such
 * a path. Throws Error when a file that it is made of is wrong.
 */
export async function generatedFiles(
  read: (path: string) => string,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, convert] of DEFAULTS) files.set(`${path}.json`, convert(read(`${path}.toml`)));
  files.set("defaults/hook-runners.json", hookRunnersJson(read("defaults/agents.toml")));
  files.set("defaults/presets.json", presetsJson(read));
  for (const [path, text] of preloads(read)) files.set(path, text);
  const { schemaFiles } = await import("./update_schemas.ts");
  const schemas = schemaFiles();
  for (const [path, text] of schemas) files.set(path, text);
  files.set("docs/lint.md", lintDocs());
  for (const [path, svg] of performancePictures(JSON.parse(read(FIGURES)))) files.set(path, svg);
  const blocks = docBlocks(read, schemas);
  for (const path of PAGES) files.set(path, filledBlocks(read(path), blocks));
  return files;
}
