import type { Verb } from "../args/verb.ts";

/** `caliban completions`. */
export const COMPLETIONS: Verb = {
  path: ["completions"],
  summary: "Print a shell completion script",
  operands: [{
    name: "shell",
    choices: ["bash", "zsh", "fish"],
    summary: "The shell",
  }],
  flags: [],
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
  permissions: [],
  load: () => import("./run.ts"),
};
