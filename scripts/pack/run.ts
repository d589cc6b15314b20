/** Makes the npm package: `deno task pack [FOLDER]`, `dist/npm` when it names none. */
import "../../lib/shell/parse/loaded_parser.ts";
import { packInto } from "./pack_into.ts";

const folder = Deno.args[0] ?? "dist/npm";
await packInto(folder);
console.log(`Wrote ${folder}; publish it with: npm publish ${folder}`);
