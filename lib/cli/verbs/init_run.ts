import { findFacts } from "../../io/find_facts.ts";
import type { Runtime } from "../../io/runtime.ts";
import { visible } from "../../report/visible.ts";
import { pathStyle } from "../../sources/path_style.ts";
import { UsageError } from "../errors.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue, hasFlag } from "../invocation.ts";
import { schemaText } from "../schema_text.ts";
import { scopeFile } from "../scope.ts";
import { STARTER } from "../starter.ts";
import type { Invocation } from "../verb.ts";
import { writeFile } from "../write_file.ts";
import { writeJson } from "../write_json.ts";

const SCHEMA_NAME = "permissions.schema.json";

/** Writes the starter policy, unless there is one, and the schema beside it. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const facts = findFacts(runtime, named === undefined ? {} : { workspace: named });
  const file = scopeFile(runtime, { facts, scope: flagValue(invocation, "scope") });
  const schema = await schemaText("permissions");
  await writeFile(file.path, (text) => {
    if (text === undefined) return STARTER;
    throw new UsageError(`Cannot write a starter policy: "${file.path}" is there already`, {
      hint: 'Edit it, or add to it with "caliban perms add"; to start anew, move it away first',
    });
  }, { newFolders: file.newFolders });
  const schemaPath = beside(file.path, { name: SCHEMA_NAME, platform: facts.platform });
  await writeFile(schemaPath, () => schema);
  if (hasFlag(invocation, "json")) {
    const { scope, path } = file;
    await writeJson(runtime, { done: "written", scope, path, schema: schemaPath });
    return EXIT.ok;
  }
  const lines = [`Wrote ${visible(file.path)}`, `Wrote ${visible(schemaPath)}`];
  if (file.scope === "local") lines.push("Keep the first out of git: it is yours alone");
  await runtime.write("stdout", lines.join("\n") + "\n");
  return EXIT.ok;
}

/** The path of a file in the same folder. */
function beside(
  path: string,
  { name, platform }: { name: string; platform: Runtime["platform"] },
): string {
  const style = pathStyle(platform);
  const { root, segments } = style.split(path);
  return style.build({ root, segments: [...segments.slice(0, -1), name] });
}
