import type { ToolCall } from "../../model/call.ts";
import type { RuleSpace } from "../rule_space.ts";

/** Other ways to write a command, which plain commands leave out. */
const FRAMES: readonly ((command: string) => string)[] = [
  (command) => `sudo ${command}`,
  (command) => `/usr/bin/${command}`,
  (command) => `a; ${command}`,
  (command) => `a | ${command}`,
  (command) => `FOO=a ${command}`,
  (command) => `timeout 9 ${command}`,
  (command) => `${command} > a`,
  (command) => `${command}; a`,
  (command) => `sh -c '${command}'`,
  (command) => `${command} "$a"`,
];

/** The call's command in other spellings: behind a wrapper, in a folder, with an assignment, beside another command. */
export function spellings(call: ToolCall): readonly ToolCall[] {
  return Object.entries(call.input).flatMap(([key, command]) =>
    typeof command === "string"
      ? FRAMES.map((frame) => ({ ...call, input: { ...call.input, [key]: frame(command) } }))
      : []
  );
}

/** Commands that read, write or fetch what the line does not fix. */
const OPEN = ['rm "$a"', 'cat "$a"', 'curl "$a"', 'echo a > "$a"', 'cat < "$a"'];

/** The same as calls of every tool whose commands are taken apart. */
export function openOperands(space: RuleSpace): readonly ToolCall[] {
  return space.policy.profiles.known.flatMap(({ name, kind, firstArg }): readonly ToolCall[] => {
    const key = firstArg?.[0];
    if (kind !== "command" || key === undefined || space.shellOf(name) !== "parsed") return [];
    return OPEN.map((command) => ({ tool: name, input: { [key]: command } }));
  });
}
