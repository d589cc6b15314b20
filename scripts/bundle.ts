/**
 * Makes `dist/caliban.js`: `deno task bundle [FOLDER]`. All that `check` and `hook` run is in one file, `hot.js`, with its
 * functions compiled ahead (`warm_functions.ts`); what a setting adds is in `setting.js`, the other verbs are in `rest.js`. What uses `node:` modules stands in files
 * of its own, since a bundler hoists such an import to the start of the file that holds it, and loading Deno's Node layer
 * takes longer than a whole decision.
 */
import { bundleInto } from "./bundle_into.ts";

const folder = Deno.args[0] ?? "dist";
bundleInto(folder);
console.log(`Wrote ${folder}/caliban.js`);
