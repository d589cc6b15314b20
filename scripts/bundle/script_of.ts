import { ALL, LINK } from "./link.ts";

/** The first line of `hot.js` while it is made: all that is a module's alone, so that the rest can be a script, too. */
export const HEAD = "var __load=(name)=>import(name),__here=import.meta.url;\n";

/** The last statement of `hot.js` while it is made. */
const EXPORTS = /export\{([\w$, ]*)\};?\s*$/;

/**
 * The text of `hot.js` as a module and a script alike, so that Node runs it as it is read: it takes what `HEAD` declares from the link
 * and puts its exports there: those in `first`, and a function for all, which few calls need. Throws Error for another text.
 */
export function scriptOf(text: string, first: readonly string[] = []): string {
  const found = EXPORTS.exec(text);
  if (found === null || !text.startsWith(HEAD)) {
    throw new Error("Cannot bundle hot.js: it is no module with a head and exports");
  }
  const names = found[1]!.replace(/([\w$]+) as ([\w$]+)/g, "$2:$1");
  const own = names.split(",").filter((name) => first.includes(name.split(":", 1)[0]!));
  const body = text.slice(HEAD.length, found.index);
  return `(function(__link){"use strict";var __load=__link.load,__here=__link.here;${body}\n` +
    `__link.hot={${
      [...own, `${ALL}:()=>({${names}})`].join(",")
    }}})(globalThis[Symbol.for("${LINK}")]);\n`;
}
