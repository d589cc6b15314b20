import type { PolicyFile } from "../../model/rule.ts";
import { decodeDocument } from "./decode_document.ts";
import { decodeFast } from "./decode_fast.ts";
import { decodeTests } from "./decode_tests.ts";
import { parseToml } from "../../text/toml_tree.ts";

/**
 * Reads the text of a permissions.toml, without its byte order mark. Total: `problems` has everything that is wrong, in the
 * order of the text. Patterns are parsed only when a policy is compiled.
 *
 * @example
 * ```ts
 * const file = decodePolicy('[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n');
 * file.rules[0]?.pattern.value; // "Bash:git *"
 * ```
 */
export function decodePolicy(text: string): PolicyFile {
  // The tree of a long file takes ten times the time and memory.
  return decodeFast(text) ?? decodeFully(text);
}

/** The same by the full parser alone, for a text that `decodeFast` does not take. */
export function decodeFully(text: string): PolicyFile {
  return decodeDocument(parseToml(text), decodeTests);
}
