import { COMMAND_CLASSES, isCommandClass } from "../../model/call.ts";
import type { FileSettings, OwnClass } from "../../model/rule.ts";
import { errorAt, type Located, type Problem, quoted } from "../../model/problem.ts";
import { ProgramCatalog } from "../../shell/programs/program_catalog.ts";
import { nearest } from "../../text/did_you_mean.ts";
import type { TomlMember } from "../../text/toml_node.ts";
import { isKnownProgram, pureWrapper } from "../compile/known_programs.ts";
import { isVariableName, variableObjection } from "../compile/own_variables.ts";
import { readArray, readTable, wrongElement } from "./read_value.ts";
import { PLACE_NAMES, REPOSITORY_PATTERN, unknownKeys, WRAPPER_PATTERN } from "./table_keys.ts";

/** The settings of a `[shell]` table. A setting with a problem is left out. */
export function decodeShell(
  member: TomlMember,
  problems: Problem[],
): Pick<FileSettings, "wrappers" | "variables" | "classes" | "repositories"> {
  if (member.value.type === "string") {
    const message = `Cannot read key "shell": it belongs ${PLACE_NAMES.permissions}`;
    problems.push(errorAt(member.key, { id: "misplaced-key", message }));
    return {};
  }
  const table = readTable(member, problems);
  if (table === undefined) return {};
  problems.push(...unknownKeys(table, "shell"));
  const names = (key: string, problemOf: NameCheck) => {
    const found = table.members.get(key);
    return found && readNames(found, { problemOf, problems });
  };
  const wrappers = names("wrappers", wrapperProblem);
  const variables = names("variables", variableProblem);
  const repositories = names("repositories", repositoryProblem);
  const classesMember = table.members.get("classes");
  const classes = classesMember && readClasses(classesMember, problems);
  return {
    ...(wrappers && { wrappers }),
    ...(variables && { variables }),
    ...(classes && { classes }),
    ...(repositories && { repositories }),
  };
}

/** The problem of a name of `[shell]`, if it has one. */
type NameCheck = (name: Located<string>) => Problem | undefined;

function readNames(
  member: TomlMember,
  { problemOf, problems }: { problemOf: NameCheck; problems: Problem[] },
): Located<readonly Located<string>[]> | undefined {
  const array = readArray(member, problems);
  if (array === undefined) return undefined;
  const names: Located<string>[] = [];
  for (const element of array.elements) {
    if (element.type !== "string") {
      problems.push(wrongElement(member, { element, expected: "a string" }));
      continue;
    }
    const { value, span } = element;
    const problem = problemOf({ value, span });
    if (problem === undefined) names.push({ value, span });
    else problems.push(problem);
  }
  return { value: names, span: array.span };
}

function variableProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read variable ${quoted(value)}`;
  if (!isVariableName(value)) {
    const message = `${cannot}: expected one name such as "PORT"`;
    const hint = "A name consists of letters, digits and _";
    return errorAt(span, { id: "unknown-value", message, hint });
  }
  const why = variableObjection(value);
  if (why === undefined) return undefined;
  const hint = `Write it in the text of a rule: "Bash:${value}=… npm test"`;
  return errorAt(span, { id: "unknown-value", message: `${cannot}: ${why}`, hint });
}

function repositoryProblem({ value, span }: Located<string>): Problem | undefined {
  if (new RegExp(REPOSITORY_PATTERN).test(value)) return undefined;
  const message = `Cannot read repository ${quoted(value)}: expected a folder such as "~/src/*"`;
  const hint = "It begins with / or ~/, and * matches a part of a name";
  return errorAt(span, { id: "unknown-value", message, hint });
}

function wrapperProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read wrapper ${quoted(value)}`;
  const known = isKnownProgram(value);
  if (!isPlain(value) && known !== 0) {
    const message = `${cannot}: expected one to four plain words such as "devbox run"`;
    return errorAt(span, { id: "unknown-value", message, hint: plainHint(value) });
  }
  if (known === undefined) return undefined;
  const words = value.trim().split(/\s+/);
  const message = `${cannot}: caliban already knows the program ${quoted(words[known] ?? "")}`;
  return errorAt(span, { id: "unknown-value", message, hint: knownHint(words, known) });
}

function isPlain(wrapper: string): boolean {
  return new RegExp(WRAPPER_PATTERN).test(wrapper);
}

function plainHint(wrapper: string): string {
  const words = wrapper.trim().split(/\s+/);
  if (isPlain(words.join(" "))) return `Write ${quoted(words.join(" "))}`;
  const option = words.findIndex((word) => word.startsWith("-"));
  const before = words.slice(0, Math.max(option, 0)).join(" ");
  if (isPlain(before)) return `End it before the option: ${quoted(before)}`;
  if (/[/\\]/.test(words[0] ?? "")) return "Name the program without its folder";
  if (words.length > 4) return "End it before the command that it runs";
  return "A word consists of letters, digits and . _ + -";
}

function knownHint(words: readonly string[], at: number): string {
  if (at > 0) return `End it before that: ${quoted(words.slice(0, at).join(" "))}`;
  const pure = pureWrapper(words.join(" "));
  return pure === undefined
    ? "Remove it: caliban finds its inner command without this entry"
    : `Did you mean "${pure}"?`;
}

/** The classes that a command of one's own may have. */
export const OWN_CLASSES: readonly string[] = COMMAND_CLASSES.filter((name) => name !== "unknown");

const NAME = "[A-Za-z0-9_+@][A-Za-z0-9._+@-]*";

/**
 * A command of `[shell.classes]`: a program by its name or by a path from the workspace, at most eight literal words, and perhaps a
 * `*` for any further ones; the source of a regular expression, anchored.
 */
export const OWN_COMMAND_PATTERN =
  `^(?:\\./)?(?:\\.?${NAME}/){0,8}${NAME}(?: [A-Za-z0-9._+@:=,/%-]+){0,8}(?: \\*)?$`;

/** No longer command is read, in UTF-16 code units. */
export const LONGEST_COMMAND = 256;

/** The name of the program of a command, if caliban has a table for it; a path is a program of its own. */
export function describedProgram(command: string): string | undefined {
  const name = command.split(" ")[0]!;
  if (name.includes("/")) return undefined;
  const isKnown = isKnownProgram(name) === 0 || new ProgramCatalog().program(name) !== undefined;
  return isKnown ? name : undefined;
}

function readClasses(member: TomlMember, problems: Problem[]): FileSettings["classes"] {
  const table = readTable(member, problems);
  if (table === undefined) return undefined;
  const classes = [...table.members.values()].flatMap((each): readonly OwnClass[] => {
    const { name, key } = each;
    if (!isCommandClass(name) || name === "unknown") {
      problems.push(classProblem(name, key));
      return [];
    }
    const commands = readNames(each, { problemOf: commandProblem, problems });
    return commands?.value.map((command) => ({ name, command })) ?? [];
  });
  return { value: classes, span: member.key };
}

function classProblem(name: string, span: TomlMember["key"]): Problem {
  const near = nearest(name, OWN_CLASSES);
  return errorAt(span, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: there is no such class of commands`,
    hint: near === undefined
      ? `The classes are ${OWN_CLASSES.join(", ")}`
      : `Did you mean "${near}"?`,
  });
}

function commandProblem({ value, span }: Located<string>): Problem | undefined {
  const cannot = `Cannot read command ${quoted(value)}`;
  if (value.length > LONGEST_COMMAND || !new RegExp(OWN_COMMAND_PATTERN).test(value)) {
    const message = `${cannot}: expected literal words such as "just test" or "bin/ci *"`;
    return errorAt(span, { id: "unknown-value", message, hint: commandHint(value) });
  }
  const known = describedProgram(value);
  if (known === undefined) return undefined;
  const message = `${cannot}: caliban already knows the program ${quoted(known)}`;
  const hint = "Remove it: its table in defaults/shell.toml has its classes";
  return errorAt(span, { id: "unknown-value", message, hint });
}

function commandHint(command: string): string {
  if (/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(command)) {
    return "A path starts at the workspace's root, such as bin/ci";
  }
  if (/\*/.test(command)) return 'The only wildcard is one "*", as the last word';
  return "A word consists of letters, digits and . _ + @ : = , / % -";
}
