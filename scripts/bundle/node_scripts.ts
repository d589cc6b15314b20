/** The two files of a bundle with which a start under Node begins. */
export interface FirstFiles {
  /** The text of `caliban.js`, or of `caliban.cjs`. */
  readonly main: string;
  /** The text of `start.js`, or of `start.cjs`. */
  readonly start: string;
}

/** The import of the second file by the first. */
const IMPORT = 'import("./start.js")';

/** The last statements of `start.js`: its exports, by the names that `caliban.js` asks for. */
const LAST =
  /var(\{[^}]*\})=await (\w+)\((\(*\)=>import\("\.\/hot\.js"\)\)*)\);export\{([\w,]+)\};\s*$/;

/**
 * `caliban.cjs` and `start.cjs`, made of `caliban.js` and `start.js`: scripts of CommonJS that do the same. A start of them loads no module, and Node
 * needs a sixth of an empty program's time to prepare for the first one. Throws Error for other texts.
 */
export function scriptsForNode({ main, start }: FirstFiles): FirstFiles {
  const last = LAST.exec(start);
  if (last === null || !main.includes(IMPORT) || main.includes("import.meta")) {
    throw new Error("Cannot bundle caliban.cjs: caliban.js or start.js is written differently");
  }
  const [, names, begin, load, own] = last;
  const body = start.slice(0, last.index)
    .replaceAll("import.meta.url", 'require("node:url").pathToFileURL(__filename).href');
  if (/\bimport\.meta\b|\bexport\b/.test(body)) {
    throw new Error("Cannot bundle start.cjs: start.js has what only a module has");
  }
  return {
    main: main.replace(/^#!.*\n/, '#!/usr/bin/env node\n"use strict";')
      .replaceAll(IMPORT, 'require("./start.cjs")'),
    start: `"use strict";${body}module.exports=${begin}(${load}).then((${names})=>({${own}}));\n`,
  };
}
