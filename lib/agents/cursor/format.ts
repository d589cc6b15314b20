import type { Format } from "../convert/format.ts";
import { readCursor } from "./import.ts";
import { writeCursor } from "./export.ts";

/** Cursor's command line: `permissions` in `cli-config.json` or `.cursor/cli.json`. */
export const CURSOR: Format = {
  name: "cursor",
  title: "Cursor CLI cli.json",
  caveat:
    "Cursor compares the first word of a command and its arguments, and asks about what nothing names",
  detect: (path, text) =>
    /\.cursor[\\/]cli[\w-]*\.json$/.test(path) ||
    /^\s*[{/]/.test(text) && /"(?:Shell|Mcp)\(/.test(text),
  read: readCursor,
  write: writeCursor,
};
