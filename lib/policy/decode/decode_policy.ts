import type { PolicyFile } from "../../model/settings.ts";
import { decodeDocument } from "./decode_document.ts";
import { decodeTests } from "./decode_tests.ts";
import { parseToml } from "../../text/toml_tree.ts";

/**
 * Reads the text of a permissions.toml, without its byte order mark. Total: whatever is wrong is told in `problems`, all
 * at once and in the order of the text. Patterns are taken as they are; only compiling a policy parses them.
 *
 * @example
 * ```ts
 * const file = decodePolicy('[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n');
 * file.rules[0]?.pattern.value; // "Bash:git *"
 * ```
 */
export function decodePolicy(text: string): PolicyFile {
  return decodeDocument(parseToml(text), decodeTests);
}
