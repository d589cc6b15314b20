import type { Runtime } from "../../io/runtime.ts";
import { EXIT } from "../exit_status.ts";
import { schemaText } from "../schema_text.ts";
import type { SchemaName } from "../schema_text.ts";
import type { Invocation } from "../verb.ts";

/** Prints the schema. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const name: SchemaName = invocation.operands[0] === "decision" ? "decision" : "permissions";
  await runtime.write("stdout", await schemaText(name));
  return EXIT.ok;
}
