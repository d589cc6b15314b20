import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createGate, type GateParts, policyFromToml } from "../../lib/core.ts";
import type { Gate } from "../../lib/core.ts";

const RULES = [["Bash(touch:*)", "allow"], ["Bash(touch denied:*)", "deny"], [
  "Bash(mkdir:*)",
  "ask",
]] as const;

/** A gate that allows `touch`, but for `touch denied`, and asks about `mkdir`. */
export function gateOf(parts: Partial<GateParts> = {}): Gate {
  const text = [RULES[1], RULES[0], RULES[2]].map(([pattern, action]) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`
  ).join("\n");
  return createGate({ policy: policyFromToml(text), ...parts });
}

/** An empty folder for the time of a test, and what stands in it. */
export async function withFolder(
  use: (folder: string, has: (name: string) => boolean) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "caliban-peer-"));
  try {
    await use(folder, (name) => existsSync(join(folder, name)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
