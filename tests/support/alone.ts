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
