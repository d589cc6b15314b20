/**
 * Makes a release: `deno task release [FOLDER] [--only=PLATFORM,…]`, `dist/release` when it names none. A platform whose program
 * cannot be made here is said, and the task fails: a release without it is not complete.
 */
import "../../lib/shell/parse/loaded_parser.ts";
import { releaseInto } from "./release_into.ts";
import { TARGETS } from "./targets.ts";

const names = TARGETS.map(({ name }) => name);
const flag = "--only=";
const words = Deno.args.filter((arg) => !arg.startsWith(flag));
const only = Deno.args.find((arg) => arg.startsWith(flag))?.slice(flag.length).split(",") ?? names;
const unknown = [...only.filter((name) => !names.includes(name)), ...words.slice(1)];
if (unknown.length > 0 || words[0]?.startsWith("-")) {
  console.error(
    `Unknown argument "${unknown[0] ?? words[0]}"; the platforms are ${names.join(", ")}`,
  );
  Deno.exit(64);
}
const folder = words[0] ?? "dist/release";
const { files, missing } = await releaseInto(
  folder,
  TARGETS.filter(({ name }) => only.includes(name)),
);
for (const file of files) console.log(`Wrote ${folder}/${file}`);
for (const [name, why] of missing) console.error(`Cannot make the program of ${name}: ${why}`);
if (missing.size > 0) Deno.exit(1);
