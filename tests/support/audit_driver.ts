/**
 * A process that writes an audit log, for tests with many of them: `append FILE NAME COUNT FULL` appends that many entries,
 * numbered, to a log that is full at so many bytes. It prints every warning.
 */
import process from "node:process";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { openAuditLog } from "../../lib/io/audit/audit_log.ts";
import { entryOf } from "./audit_entries.ts";

async function drive([verb, path = "", name = "", count = "0", full = "0"]: readonly string[]) {
  if (verb !== "append") throw new RangeError(`Cannot drive "${verb}": it is not a verb`);
  const runtime = await chooseRuntime();
  const log = openAuditLog(runtime, { path, full: Number(full) });
  for (let index = 0; index < Number(count); index++) {
    const warning = await log.append(entryOf(`${name} ${index}`, runtime.now()));
    if (warning !== undefined) console.log(warning);
  }
}

const args = process.argv.slice(2);
if (args.length > 0 && import.meta.main) await drive(args);
