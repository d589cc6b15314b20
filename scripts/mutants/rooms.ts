/** The rooms of `lib` that decide, and what tests them. */
export interface Room {
  /** The room, below `lib`. */
  readonly name: string;
  /** Its files and folders; a folder ends in `/`. */
  readonly places: readonly string[];
  /** Files and folders among `places` that are left out. */
  readonly without: readonly string[];
  /** Its own tests, which run first. */
  readonly tests: readonly string[];
}

const IO = [
  "audit_log",
  "auto_load",
  "diff_git",
  "edit_file",
  "find_workspace",
  "folder_repository",
  "git_state",
  "known_paths",
  "load_bounds",
  "load_looks",
  "load_sources",
  "look_ups",
  "own_files",
  "path_folders",
  "remembered_looks",
  "runtime_contract",
  "sources_faults",
  "trust_record",
].map((name) => `tests/io/${name}_test.ts`);

/** Every one of them. A part of a room that has a row of its own is left out of the room's. */
export const ROOMS: readonly Room[] = [
  { name: "shell", places: ["lib/shell/"], without: [], tests: ["tests/unit/shell/"] },
  { name: "pattern", places: ["lib/pattern/"], without: [], tests: ["tests/unit/pattern/"] },
  {
    name: "policy",
    places: ["lib/policy/decode/", "lib/policy/sources/", "lib/policy/compile/"],
    without: [],
    tests: ["tests/unit/policy/"],
  },
  {
    name: "decide",
    places: ["lib/decide/"],
    without: ["lib/decide/protected/"],
    tests: ["tests/unit/decide/"],
  },
  {
    name: "decide/protected",
    places: ["lib/decide/protected/"],
    without: [],
    tests: ["tests/unit/decide/protected/"],
  },
  {
    name: "agents",
    places: [
      "lib/agents/hook/",
      "lib/agents/profile.ts",
      ...[
        "antigravity",
        "auggie",
        "claude",
        "cline",
        "codex",
        "copilot",
        "crush",
        "cursor",
        "droid",
        "gemini",
        "grok",
        "kilo",
        "kimi",
        "opencode",
        "pi",
        "qoder",
        "qwen",
        "robota",
      ].map((name) => `lib/agents/${name}/hook.ts`),
    ],
    without: [],
    tests: ["tests/unit/agents/"],
  },
  { name: "gate", places: ["lib/gate/"], without: [], tests: ["tests/unit/gate/"] },
  { name: "audit", places: ["lib/audit/"], without: [], tests: ["tests/unit/audit/"] },
  {
    name: "io",
    places: ["lib/io/write/", "lib/io/git/", "lib/io/load/", "lib/io/runtime/real_path.ts"],
    without: ["lib/io/write/write_schema.ts"],
    tests: IO,
  },
];

/** Folders of tests that run for every room, in this order behind its own. */
export const SHARED = ["tests/unit/", "tests/io/specs_test.ts", "tests/laws/"];

/** The files of a room among all files. */
export function filesOf({ places, without }: Room, all: readonly string[]): readonly string[] {
  return all.filter((file) => isIn(file, places) && !isIn(file, without));
}

/** True if the file is one of the places or below one. */
export function isIn(file: string, places: readonly string[]): boolean {
  return places.some((place) => place.endsWith("/") ? file.startsWith(place) : file === place);
}

/** The test files that a run over some rooms loads. */
export function testsOf(rooms: readonly Room[], all: readonly string[]): readonly string[] {
  const places = [...SHARED, ...rooms.flatMap(({ tests }) => tests)];
  return all.filter((file) => file.endsWith("_test.ts") && isIn(file, places));
}
