import { decodePolicy } from "../lib/policy/decode/decode_policy.ts";
import { readTestFile } from "../lib/suite/test_file.ts";

/** The presets, in the order of help: `caliban init --preset NAME` writes defaults/presets/NAME.toml. */
export const PRESET_NAMES: readonly string[] = [
  "read-only",
  "developer",
  "ci",
  "paranoid",
  "three-gate",
  "guard",
];

/** The text of defaults/presets.json: every preset with its text and its tests. Throws Error for one that does not load. */
export function presetsJson(read: (path: string) => string): string {
  const presets = PRESET_NAMES.map((name) => {
    const text = read(`defaults/presets/${name}.toml`);
    const [problem] = decodePolicy(text).problems;
    if (problem) throw new Error(`Cannot use the preset ${name}: ${problem.message}`);
    const tests = testsOf(name, read);
    return { name, text, tests };
  });
  return JSON.stringify({ presets }, null, 2) + "\n";
}

/** The tests of a preset, under a comment for those who use it. */
function testsOf(name: string, read: (path: string) => string): string {
  const path = `defaults/presets/${name}.perms.toml`;
  const text = read(path);
  const { file, problems: [problem] } = readTestFile(text, path);
  if (problem) throw new Error(`Cannot use ${path}: ${problem.message}`);
  const [first] = file.tests;
  if (first === undefined) throw new Error(`Cannot use ${path}: it holds no test`);
  const head =
    `# What the preset ${name} promises; "caliban test" tries it. Change it together with the policy.`;
  return `${head}\n\n${text.slice(first.span.start)}`;
}
