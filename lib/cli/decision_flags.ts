import type { Flag } from "./flag.ts";

/** For verbs that decide a call. */
export const DECISION_FLAGS: readonly Flag[] = [
  {
    name: "cwd",
    value: "DIR",
    summary: "The folder the call runs in; the current one when left out",
  },
  { name: "permission-mode", value: "MODE", summary: "The mode (this version has: default)" },
  { name: "headless", summary: "Nobody can be asked: ask becomes deny" },
  {
    name: "auto-allow",
    summary: "Dangerous: every question is answered with allow (also CALIBAN_AUTO_ALLOW=1)",
  },
  { name: "no-permissions", summary: "Dangerous: the rules are switched off" },
];
