/** What stands behind `hook` and is no agent. */
const OTHERS = ["try", "install", "uninstall"];

/**
 * Whether a command line answers an agent: `hook`, and not another verb that begins so. INVARIANT: what fails in
 * such a line stops the agent's call, however wrong the line is.
 */
export function isHookLine(argv: readonly string[]): boolean {
  return argv[0] === "hook" && !OTHERS.includes(argv[1] ?? "");
}
