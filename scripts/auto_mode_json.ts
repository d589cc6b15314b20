import { AUTO_LISTS, type CuratedList, ELEMENT_PATTERNS } from "../lib/gate/auto/auto_mode_file.ts";
import { checkPattern } from "../lib/policy/compile/compile_policy.ts";
import type { TomlTable } from "../lib/text/toml_node.ts";
import { parseToml } from "../lib/text/toml_tree.ts";
import { toolProfiles } from "../lib/policy/compile/profiles.ts";

interface CuratedElement {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** The text of defaults/auto-mode.json for that of auto-mode.toml. Throws Error on anything unexpected. */
export function autoModeJson(toml: string): string {
  const { root, problems } = parseToml(toml);
  const [problem] = problems;
  if (problem) throw new Error(`${problem.message} (line ${problem.span.line})`);
  const keys = ["version", "environment", ...AUTO_LISTS];
  const unknown = [...root.members.keys()].find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new Error(`Unknown key "${unknown}" in auto-mode.toml`);
  const json = {
    version: versionIn(root),
    environment: elements(root, "environment"),
    ...Object.fromEntries(AUTO_LISTS.map((name) => [name, patterns(root, name)])),
  };
  return JSON.stringify(json, null, 2) + "\n";
}

function versionIn(root: TomlTable): number {
  const value = root.members.get("version")?.value;
  if (value?.type === "number" && Number.isInteger(value.value) && value.value > 0) {
    return value.value;
  }
  throw new Error("Cannot read version: it is not a whole number above 0");
}

function patterns(root: TomlTable, name: (typeof AUTO_LISTS)[number]): readonly CuratedElement[] {
  const found = elements(root, name);
  const action = name === "allow" ? "allow" : "deny";
  const profiles = toolProfiles(new Map());
  const seen = new Set<string>();
  for (const { text, line } of found) {
    const { error, warning } = checkPattern(text, { action, profiles });
    const detail = error?.detail ?? warning;
    if (detail !== undefined) throw new Error(`Cannot use "${text}" (line ${line}): ${detail}`);
    if (seen.has(text)) throw new Error(`"${text}" (line ${line}) stands twice in ${name}`);
    seen.add(text);
  }
  return found;
}

function elements(root: TomlTable, name: CuratedList): readonly CuratedElement[] {
  const value = root.members.get(name)?.value;
  if (value?.type !== "array") throw new Error(`Cannot read ${name}: it is not an array`);
  return value.elements.map((item) => {
    const { line, column } = item.span;
    const isRead = item.type === "string" && new RegExp(ELEMENT_PATTERNS[name]).test(item.value);
    if (!isRead || item.value.startsWith("$defaults")) {
      throw new Error(`Cannot read an element of ${name} (line ${line})`);
    }
    return { text: item.value, line, column };
  });
}
