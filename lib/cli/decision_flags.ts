import { MODES } from "../decide/modes/registry.ts";
import type { Flag } from "./flag.ts";

/** For verbs that decide a call. */
export const DECISION_FLAGS: readonly Flag[] = [
  {
    name: "cwd",
    value: "DIR",
    summary: "The folder the call runs in; the current one when left out",
  },
  {
    name: "permission-mode",
    choices: MODES.map(({ name }) => name),
    summary:
      "The mode (also CALIBAN_DEFAULT_PERMISSION_MODE); auto asks a model only if it stands here",
  },
  {
    name: "allow-dangerously-skip-permissions",
    summary: "Dangerous: allow the mode bypassPermissions, in this run only",
  },
  {
    name: "auto-mode-config",
    value: "FILE",
    summary: "In the mode auto: read this file too, above the workspace's auto-mode.toml",
  },
  { name: "disable-auto-mode", summary: "In the mode auto: ask no model, and use no list" },
  { name: "headless", summary: "Nobody can be asked: ask becomes deny" },
  {
    name: "auto-allow",
    summary: "Dangerous: every question is answered with allow (also CALIBAN_AUTO_ALLOW=1)",
  },
  { name: "no-permissions", summary: "Dangerous: the rules are switched off" },
];
