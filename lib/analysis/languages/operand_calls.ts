import type { ToolCall } from "../../model/call.ts";
import type { CompiledRule } from "../../policy/compile/rule_table.ts";
import { OPERAND_TOOLS } from "../extent.ts";
import { leastWord } from "../automata/least_word.ts";
import type { RuleSpace } from "../rule_space.ts";

/** How many steps a witness may cost. */
const STEPS = 20_000;

/** Commands that name an operand, by the tool whose rules speak of it. */
const COMMANDS: Readonly<Record<string, readonly ((operand: string) => string)[]>> = {
  Read: [(file) => `cat ${file}`, (file) => `cat < ${file}`, () => 'cat "$f"'],
  Write: [(file) => `echo x > ${file}`, (file) => `rm ${file}`, () => 'rm "$f"'],
  WebFetch: [(url) => `curl ${url}`, () => 'curl "$u"'],
};

/** A command tool whose lines are taken apart, and the field with the line. */
interface CommandTool {
  readonly name: string;
  readonly key: string;
}

/** The policy's tools whose command lines are taken apart. */
export function parsedTools(space: RuleSpace): readonly CommandTool[] {
  return space.policy.profiles.known.flatMap(({ name, kind, firstArg }): readonly CommandTool[] => {
    const key = firstArg?.[0];
    const isParsed = kind === "command" && space.shellOf(name) === "parsed";
    return isParsed && key !== undefined ? [{ name, key }] : [];
  });
}

/** Whether a rule is asked about files or URLs that commands and `file:` URLs name. */
export function namesOperands(rule: CompiledRule, space: RuleSpace): boolean {
  return space.toolsOf(rule).some((tool) => OPERAND_TOOLS.has(tool));
}

/** The shortest plain file or URL of a rule, for each tool that is asked about operands. */
export function witnessesOf(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  return space.toolsOf(rule).filter((tool) => OPERAND_TOOLS.has(tool)).flatMap((tool) => {
    const calls = space.calls(tool);
    const entry = calls?.of(rule);
    if (!calls || !entry) return [];
    const word = leastWord([calls.domain, entry.yes], STEPS);
    return word === undefined || word === "spent" ? [] : [calls.callOf(word)];
  });
}

/** What names the file or URL of these calls in another way: commands, and for a file that is read its URL. */
export function operandCalls(calls: readonly ToolCall[], space: RuleSpace): readonly ToolCall[] {
  return calls.flatMap(({ tool, input }) => {
    const operand = input[space.policy.profiles.get(tool).firstArg?.[0] ?? ""];
    const frames = COMMANDS[tool];
    if (typeof operand !== "string" || !frames) return [];
    const lines = parsedTools(space).flatMap(({ name, key }) =>
      frames.map((frame): ToolCall => ({ tool: name, input: { [key]: frame(quoted(operand)) } }))
    );
    return tool === "Read" ? [...lines, ...fetches(operand, space)] : lines;
  });
}

/** The file as a URL, fetched. */
function fetches(file: string, space: RuleSpace): readonly ToolCall[] {
  const url = fileUrl(file);
  return space.policy.profiles.known.flatMap(({ name, kind, firstArg }): readonly ToolCall[] => {
    const key = firstArg?.[0];
    return kind === "url" && key !== undefined ? [{ tool: name, input: { [key]: url } }] : [];
  });
}

function fileUrl(file: string): string {
  const path = file.replace(/[^\w./:~-]/gu, (char) => encodeURIComponent(char));
  return `file://${path.startsWith("/") ? "" : "/"}${path}`;
}

function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
