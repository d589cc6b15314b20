import type { ToolCall } from "../model/call.ts";
import { CLASS_PHRASES } from "../model/class_phrases.ts";
import type { Glob } from "../pattern/glob.ts";
import { commandGlobs } from "../policy/compile/command_matcher.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import { leastWord } from "./automata/least_word.ts";
import { OPERAND_TOOLS } from "./rule_store.ts";
import type { RuleSpace } from "./rule_space.ts";
import { shellQuoted } from "../text/quote.ts";

/** The texts that wildcards are tried as. */
const RUNS = ["a", "", "a b", "-a"];

/** Calls that a rule on commands is written for: with its wildcards filled in, or examples of its class. */
export function filledPatterns(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  return space.toolsOf(rule).flatMap((tool) => {
    const { kind, firstArg } = space.policy.profiles.get(tool);
    const key = firstArg?.[0];
    const specifier = space.calls(tool)?.of(rule)?.toolRule.specifier;
    if (kind === "command" && key !== undefined && specifier?.kind === "any") {
      return [{ tool, input: { [key]: "a" } }];
    }
    if (key !== undefined && specifier?.kind === "class") {
      return CLASS_PHRASES[specifier.name].examples.map((text) => ({
        tool,
        input: { [key]: text },
      }));
    }
    if (key === undefined || specifier?.kind !== "argument" || specifier.test.kind !== "command") {
      return [];
    }
    const texts = commandGlobs(specifier.test).flatMap((glob) =>
      RUNS.map((run) => filled(glob, run))
    );
    return [...new Set(texts)].map((text) => ({ tool, input: { [key]: text } }));
  });
}

function filled(glob: Glob, run: string): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return token.text;
      case "star":
        return run;
      case "anyChar":
        return "a";
    }
  }).join("");
}

/** Other ways to write a command, beyond plain commands. */
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
export function otherSpellings(call: ToolCall): readonly ToolCall[] {
  return Object.entries(call.input).flatMap(([key, command]) =>
    typeof command === "string"
      ? FRAMES.map((frame) => ({ ...call, input: { ...call.input, [key]: frame(command) } }))
      : []
  );
}

/** Commands that read, write or fetch something that the line does not fix. */
const OPEN = ['rm "$a"', 'cat "$a"', 'curl "$a"', 'echo a > "$a"', 'cat < "$a"'];

/** The same as calls of every tool whose commands are parsed. */
export function openOperands(space: RuleSpace): readonly ToolCall[] {
  return parsedTools(space).flatMap(({ name, key }) =>
    OPEN.map((command) => ({ tool: name, input: { [key]: command } }))
  );
}

/** The most steps of a search for a witness. */
const STEPS = 20_000;

/** Commands that name an operand, by the tool whose rules apply to it. */
const COMMANDS: Readonly<Record<string, readonly ((operand: string) => string)[]>> = {
  Read: [(file) => `cat ${file}`, (file) => `cat < ${file}`, () => 'cat "$f"'],
  Write: [(file) => `echo x > ${file}`, (file) => `rm ${file}`, () => 'rm "$f"'],
  WebFetch: [(url) => `curl ${url}`, () => 'curl "$u"'],
};

/** A tool whose command lines are parsed, and the field with the line. */
interface CommandTool {
  readonly name: string;
  readonly key: string;
}

/** The policy's tools whose command lines are parsed. */
export function parsedTools(space: RuleSpace): readonly CommandTool[] {
  return space.policy.profiles.known.flatMap(({ name, kind, firstArg }): readonly CommandTool[] => {
    const key = firstArg?.[0];
    const isParsed = kind === "command" && space.shellOf(name) === "parsed";
    return isParsed && key !== undefined ? [{ name, key }] : [];
  });
}

/** True if a rule is asked about files or URLs that commands and `file:` URLs name. */
export function namesOperands(rule: CompiledRule, space: RuleSpace): boolean {
  return space.toolsOf(rule).some((tool) => OPERAND_TOOLS.has(tool));
}

/** The shortest plain file or URL of a rule, for each tool that is asked about operands. */
export function witnessesOf(rule: CompiledRule, space: RuleSpace): readonly ToolCall[] {
  return space.toolsOf(rule).filter((tool) => OPERAND_TOOLS.has(tool)).flatMap((tool) => {
    const calls = space.calls(tool);
    const analysed = calls?.of(rule);
    if (!calls || !analysed) return [];
    const word = leastWord([calls.domain, analysed.yesAlone], STEPS);
    return word === undefined || word === "spent" ? [] : [calls.callOf(word)];
  });
}

/** Calls that name the file or URL of these calls in another way: commands, and the URL of a file that is read. */
export function operandCalls(calls: readonly ToolCall[], space: RuleSpace): readonly ToolCall[] {
  return calls.flatMap(({ tool, input }) => {
    const operand = input[space.policy.profiles.get(tool).firstArg?.[0] ?? ""];
    const frames = COMMANDS[tool];
    if (typeof operand !== "string" || !frames) return [];
    const lines = parsedTools(space).flatMap(({ name, key }) =>
      frames.map((frame): ToolCall => ({
        tool: name,
        input: { [key]: frame(shellQuoted(operand)) },
      }))
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
