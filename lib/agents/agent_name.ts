/** The coding agents that caliban can be a hook of, in the order of help and of the README. */
export const AGENT_NAMES = [
  "claude",
  "codex",
  "gemini",
  "cursor",
  "copilot",
  "opencode",
  "robota",
  "antigravity",
  "grok",
  "droid",
  "qwen",
  "kimi",
] as const;

/** The name of a coding agent, as it is typed. */
export type AgentName = typeof AGENT_NAMES[number];

/** Whether a word names an agent; case-sensitive. */
export function isAgentName(word: string | undefined): word is AgentName {
  return AGENT_NAMES.some((name) => name === word);
}
