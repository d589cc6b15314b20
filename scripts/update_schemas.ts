import { z } from "zod";
import { autoModeSchema } from "../lib/gate/auto/auto_mode_schema.ts";
import { decisionSchema } from "../lib/policy/schema/decision_schema.ts";
import { permissionsSchema, testFileSchema } from "../lib/policy/schema/permissions_schema.ts";
import { shellSchema } from "../lib/policy/schema/shell_schema.ts";

/** The text of every generated JSON Schema (2020-12), by its path from the root of the repository. */
export function schemaFiles(): Map<string, string> {
  return new Map([
    ["schema/auto-mode.schema.json", schemaText(autoModeSchema)],
    ["schema/permissions.schema.json", schemaText(permissionsSchema)],
    ["schema/decision.schema.json", schemaText(decisionSchema)],
    ["schema/shell.schema.json", schemaText(shellSchema)],
    ["schema/tests.schema.json", schemaText(testFileSchema)],
  ]);
}

function schemaText(schema: z.ZodType): string {
  const json = z.toJSONSchema(schema, { target: "draft-2020-12", io: "input", reused: "inline" });
  return `${JSON.stringify(json, null, 2)}\n`;
}
