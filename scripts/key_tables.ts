/** The part of a JSON Schema that a table of keys is made of. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** A table of keys: its name in TOML, and the schema of the table. */
type KeyTable = readonly [name: string, schema: Schema];

/** The keys of a permissions.toml, a Markdown table for each table of it. Throws Error where a key has no description. */
export function settingKeys(json: string): string {
  const schema = JSON.parse(json) as Schema;
  const defined = (name: string) => schema.$defs![name]!;
  const at = (name: string) => schema.properties![name]!;
  return written([
    ["[permissions]", at("permissions")],
    ["[[permissions.rules]]", defined("writtenRule")],
    ["[[permissions.tests]]", defined("writtenTest")],
    ["[tools.NAME]", at("tools").additionalProperties as Schema],
    ["[shell]", at("shell")],
    ["[[hooks.EVENT]]", Object.values(at("hooks").properties!)[0]!.items!],
    ["hooks of [[hooks.EVENT]]", defined("writtenHook")],
  ]);
}

/** The keys of an auto-mode.toml, likewise. */
export function autoModeKeys(json: string): string {
  const schema = JSON.parse(json) as Schema;
  return written([["auto-mode.toml", schema], ["[classifier]", schema.properties!["classifier"]!]]);
}

function written(tables: readonly KeyTable[]): string {
  return tables.map(([name, schema]) => {
    const rows = Object.entries(schema.properties!).flatMap(([key, value]) => {
      if (value.deprecated) return [];
      if (value.description === undefined) throw new Error(`${name} ${key} has no description`);
      return [`| \`${key}\` | ${typeOf(value)} | ${escaped(value.description)} |\n`];
    });
    return `\`${name}\`\n\n| key | value | meaning |\n| --- | --- | --- |\n${rows.join("")}`;
  }).join("\n");
}

function typeOf({ enum: words, type, items }: Schema): string {
  if (words !== undefined) return words.map((word) => `\`"${word}"\``).join(", ");
  if (type === "array") return items?.type === "string" ? "list of strings" : "list of tables";
  return type === "object" ? "table" : type ?? "string or table";
}

/** Text in a cell: its `|` and placeholders in angle brackets are shown as they are. */
function escaped(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("<", "\\<");
}
