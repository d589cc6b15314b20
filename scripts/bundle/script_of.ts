/** The first line of `hot.js`: all that is a module's alone, so that the rest can be a script, too. */
export const HEAD = "var __load=(name)=>import(name),__here=import.meta.url;\n";

/** The last statement of `hot.js`. */
const EXPORTS = /export\{([\w$, ]*)\};?\s*$/;

/** The most characters of that statement. */
const MOST = 8_192;

/**
 * A script for the text of `hot.js`: its value is a function of what `HEAD` declares, which returns the exports. Undefined for another
 * text.
 */
export function scriptOf(text: string): string | undefined {
  const tail = Math.max(0, text.length - MOST);
  const found = EXPORTS.exec(text.slice(tail));
  if (found === null || !text.startsWith(HEAD)) return undefined;
  const body = text.slice(HEAD.length, tail + found.index);
  const names = found[1]!.replace(/([\w$]+) as ([\w$]+)/g, "$2:$1");
  return `(function(__load,__here){"use strict";${body}\nreturn{${names}}})`;
}
