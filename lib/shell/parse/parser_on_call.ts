import type { ParseLineOptions, parseWithParser as Parse } from "./parse_with_parser.ts";
import type { ParsedLine } from "./tree.ts";

// The parser is a tenth of all that a decision loads, and most lines do without it (`plain_line.ts`). The command line loads it from source when
// a line needs it (`lib/cli/input/load_parser.ts`). Libraries, tests and tools import `loaded_parser.ts`. A bundle has neither file.

let parse: typeof Parse | undefined;
let load: () => typeof Parse = () => {
  throw new Error(
    "The parser of command lines is not loaded: import lib/shell/parse/loaded_parser.ts",
  );
};

/** Sets the function that loads the parser, for the first line that needs it. */
export function setParserLoader(loader: () => typeof Parse): void {
  load = loader;
}

/** Parses one line of any kind by the parser. Throws Error if the parser cannot be loaded. */
export function parseWithParser(text: string, options: ParseLineOptions): ParsedLine {
  parse ??= load();
  return parse(text, options);
}
