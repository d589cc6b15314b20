import type { Runtime } from "../../io/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import type { WrittenTest } from "../../model/written_test.ts";
import { modeNamed } from "../../modes/registry.ts";
import type { ToolProfiles } from "../../tools/profiles.ts";
import { commandLine } from "../quote.ts";
import type { Invocation } from "../verb.ts";

/** What a command is written for. */
export interface ExplainOptions {
  /** The line that the tests run by. */
  readonly invocation: Invocation;
  /** Where it runs. */
  readonly runtime: Runtime;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
}

/** Flags of the line that explain takes too. */
const SAME = ["workspace", "rules", "no-project", "no-builtin", "trust"];

/** The command that explains a call as it was tested, but for the rules that explain cannot leave out. */
export function explainCommand(
  { call, test }: { readonly call: ToolCall; readonly test: WrittenTest },
  { invocation, runtime, profiles }: ExplainOptions,
): string {
  const words = [call.tool, ...inputWords(call, profiles)];
  const isTeam = !invocation.flags.some(({ name }) => name === "all-sources");
  const hasNoUser = isTeam || invocation.flags.some(({ name }) => name === "no-user");
  const flags = [
    ...(hasNoUser ? ["--no-user"] : []),
    ...invocation.flags.flatMap(({ name, value }) =>
      SAME.includes(name) ? [`--${name}`, ...(value === undefined ? [] : [value])] : []
    ),
    ...(call.cwd === undefined || call.cwd === runtime.cwd() ? [] : ["--cwd", call.cwd]),
    ...(test.mode === undefined ? [] : ["--permission-mode", test.mode]),
    ...(test.mode !== undefined && modeNamed(test.mode)?.liftsDenials
      ? ["--allow-dangerously-skip-permissions"]
      : []),
  ];
  const isPlain = words.every((word) => !word.startsWith("-"));
  return commandLine([
    "caliban",
    "explain",
    ...(isPlain ? [...words, ...flags] : [...flags, "--", ...words]),
  ]);
}

/** The first argument where the input is nothing else, and it would not be read as JSON or as standard input. */
function inputWords({ tool, input }: ToolCall, profiles: ToolProfiles): readonly string[] {
  const keys = Object.keys(input);
  if (keys.length === 0) return [];
  const [first] = profiles.get(tool).firstArg ?? [];
  const isAlone = keys.length === 1 && keys[0] === first;
  const text = first !== undefined && isAlone ? input[first] : undefined;
  const isText = typeof text === "string" && text !== "-" && !/^\s*\{/.test(text);
  return [isText ? text : JSON.stringify(input)];
}
