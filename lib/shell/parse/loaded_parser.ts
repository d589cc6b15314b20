/**
 * Loads the parser of command lines with the program. Entries of the library that decide, and each test and tool that reads command lines, import it for
 * that effect.
 */
import { parseWithParser } from "./parse_with_parser.ts";
import { setParserLoader } from "./parser_on_call.ts";

setParserLoader(() => parseWithParser);
