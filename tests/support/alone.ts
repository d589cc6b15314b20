/** Files of `tests/io` that take long: with `few` a third of them runs, others each day. */
export const IN_TURN: readonly string[] = [
  ...["action_attack", "agent_audit", "agent_faults", "agent_hooks", "ask_terminal", "bundle"],
  ...["cli_completions", "doc_pages", "edit_file", "explain_length", "installation"],
  ...["hook_install", "hook_messages", "hooks_faults", "hostile_folder"],
  ...["hostile_write", "integrations", "least_privilege", "mcp"],
  ...["packed_action", "presets", "replay_verb"],
  ...["shell_impostors", "stream", "suggest_cli", "trust_terminal", "window_width"],
];

/**
 * Files of `tests/io` that change variables or the user of their process, or that start many programs. Each list is one process;
 * the two take about the same time.
 */
export const ALONE: readonly (readonly string[])[] = [
  [
    "ask_terminal",
    "edit_file",
    "faults",
    "fuzz_cli_sizes",
    "hooks_faults",
    "load_looks",
    "own_files",
    "stream",
    "suite",
  ],
  [
    "add_concurrency",
    "auto_wire",
    "gate",
    "shell_impostors",
    "shell_programs",
    "terminal",
  ],
];
