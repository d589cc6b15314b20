import type { Runtime } from "../../io/runtime/runtime.ts";
import { EXIT } from "../exit_status.ts";
import { SCHEMAS, schemaText } from "./text.ts";
import type { Invocation } from "../verb.ts";

/** Prints the schema. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [word] = invocation.operands;
  const name = SCHEMAS.find((each) => each === word) ?? "permissions";
  await runtime.write("stdout", await schemaText(name));
  return EXIT.ok;
}
