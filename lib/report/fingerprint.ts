import type { Finding } from "../model/finding.ts";

/**
 * A fingerprint of each finding, in their order: sixteen hexadecimal digits of what it is about, wherever that stands in
 * its file, then `:` and its number among those that are alike.
 */
export function fingerprints(
  findings: readonly Finding[],
  fileOf: (finding: Finding) => string,
): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const hash = hashOf([finding.id, fileOf(finding), ...subjectOf(finding)]);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  });
}

/** The rule, without its line; what is about no rule is told by its sentence, and the numbers in that are mostly lines. */
function subjectOf({ rule, message }: Finding): readonly string[] {
  return rule === null ? [message.replaceAll(/\d+/g, "#")] : [rule.action, rule.pattern];
}

const PRIME = 0x100000001b3n;
const BASIS = 0xcbf29ce484222325n;

/** FNV-1a of 64 bits, over UTF-16 code units; it tells findings apart and keeps no secret. */
function hashOf(parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  let hash = BASIS;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}
