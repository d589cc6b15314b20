import type { Verb } from "../args/verb.ts";

/** `caliban completions`. */
export const COMPLETIONS: Verb = {
  path: ["completions"],
  summary: "Print a shell completion script",
  operands: [{
    name: "shell",
    choices: ["bash", "zsh", "fish", "powershell", "patterns"],
    summary: "The shell; patterns prints the patterns that remove takes, one per line",
  }],
  flags: [],
  details: [
    "The script completes verbs, flags and their values, finding ids, tools and agents. For the pattern of caliban perms " +
    "remove it runs caliban completions patterns, which skips unreadable files.",
  ],
  examples: [
    {
      command: "source <(caliban completions bash)",
      says: "enable completion in this bash; add it to ~/.bashrc for every bash",
    },
    {
      command: "caliban completions fish | source",
      says:
        "enable completion in this fish; for zsh save the script as _caliban in a folder of $fpath",
    },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
