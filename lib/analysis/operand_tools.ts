/** The tools whose rules are asked about the operands of commands. */
export const OPERAND_TOOLS: ReadonlySet<string> = new Set(["Read", "Write", "WebFetch"]);
