/** The schemas that caliban prints. */
export const SCHEMAS = ["permissions", "auto-mode", "tests", "decision"] as const;

/** The name of one of them. */
export type SchemaName = (typeof SCHEMAS)[number];

/** The text of a file in `schema/`, byte for byte: JSON with two blanks of indentation and a final newline. */
export async function schemaText(name: SchemaName): Promise<string> {
  const { default: schema } = await loaded(name);
  return JSON.stringify(schema, null, 2) + "\n";
}

function loaded(name: SchemaName): Promise<{ readonly default: unknown }> {
  switch (name) {
    case "permissions":
      return import("../../../schema/permissions.schema.json", { with: { type: "json" } });
    case "auto-mode":
      return import("../../../schema/auto-mode.schema.json", { with: { type: "json" } });
    case "tests":
      return import("../../../schema/tests.schema.json", { with: { type: "json" } });
    case "decision":
      return import("../../../schema/decision.schema.json", { with: { type: "json" } });
  }
}
