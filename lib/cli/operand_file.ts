import type { Runtime } from "../io/runtime/runtime.ts";
import { readPolicyJson } from "../agents/convert/read_policy_json.ts";
import type { PolicyFile } from "../model/settings.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import { decodePolicy } from "../policy/decode/decode_policy.ts";

/** A file as a policy of its own. Throws FileError. */
export function fileEntry(path: string, runtime: Runtime): SourceEntry {
  return entryOfText(runtime.readText(path), path);
}

/** A text as a policy of its own: of the highest kind, so that every setting in it counts. */
export function entryOfText(text: string, path: string): SourceEntry {
  const body = text.replace(/^\ufeff/, "");
  return {
    kind: "managed",
    path,
    state: "read",
    text: body,
    file: fileOfText(body),
    trusted: true,
  };
}

/** What a text without its byte order mark says: JSON as `export --format json` prints it, else TOML. */
function fileOfText(text: string): PolicyFile {
  return /^\s*\{/.test(text) ? readPolicyJson(text) : decodePolicy(text);
}
