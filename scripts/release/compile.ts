/** Makes one program of the command line for this machine: `deno task compile [FILE]`, `dist/caliban` when it names none. */
import { compileInto } from "./compile_into.ts";

const file = Deno.args[0] ?? "dist/caliban";
compileInto(file);
console.log(`Wrote ${file}`);
