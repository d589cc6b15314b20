import { decodePolicy } from "../lib/policy/decode/decode_policy.ts";

/** The presets, in the order of help: `caliban init --preset NAME` writes defaults/presets/NAME.toml. */
export const PRESET_NAMES: readonly string[] = [
  "read-only",
  "developer",
  "ci",
  "paranoid",
  "three-gate",
  "guard",
];

/** The text of defaults/presets.json: every preset with its text. Throws Error for one that does not load. */
export function presetsJson(read: (path: string) => string): string {
  const presets = PRESET_NAMES.map((name) => {
    const text = read(`defaults/presets/${name}.toml`);
    const [problem] = decodePolicy(text).problems;
    if (problem) throw new Error(`Cannot use the preset ${name}: ${problem.message}`);
    return { name, text };
  });
  return JSON.stringify({ presets }, null, 2) + "\n";
}
