import type { Runtime } from "../../io/runtime/runtime.ts";
import { EXIT } from "../errors/errors.ts";
import { SCHEMAS, schemaText } from "../../policy/schema/schema_text.ts";
import type { Invocation } from "../args/verb.ts";

export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [word] = invocation.operands;
  const name = SCHEMAS.find((each) => each === word) ?? "permissions";
  await runtime.write("stdout", await schemaText(name));
  return EXIT.ok;
}
