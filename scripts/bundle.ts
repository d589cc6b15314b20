/**
 * Makes `dist/caliban.js`: `deno task bundle [FOLDER]`. Everything that a decision needs is in one file. What uses `node:`
 * modules stands in files beside it, since a bundler hoists such an import to the start of the file that holds it, and
 * loading Deno's Node layer takes longer than a whole decision.
 */
import { bundleInto } from "./bundle_into.ts";

const folder = Deno.args[0] ?? "dist";
bundleInto(folder);
console.log(`Wrote ${folder}/caliban.js`);
