import type { Verb } from "../verb.ts";

/** `caliban completions`. */
export const COMPLETIONS: Verb = {
  path: ["completions"],
  summary: "Print a script that completes caliban's command line",
  operands: [{
    name: "shell",
    choices: ["bash", "zsh", "fish"],
    summary: "The shell to write it for",
  }],
  flags: [],
  examples: [
    {
      command: "source <(caliban completions bash)",
      says: "complete in this bash; in ~/.bashrc: in every bash",
    },
    {
      command: "caliban completions fish | source",
      says: "complete in this fish; a zsh takes the script as a file _caliban in its $fpath",
    },
  ],
  permissions: [],
  load: () => import("./run.ts"),
};
