import { steeringVariables, variableList } from "../../shell/programs/program_catalog.ts";

/** The name of a variable; the source of a regular expression, anchored. */
export const VARIABLE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]*$";

/** No longer name is a variable's, in UTF-16 code units. */
const LONGEST_NAME = 128;

/** Reasons, by the names that they are about; the first that fits counts. */
const REASONS: readonly (readonly [names: RegExp, why: string])[] = [
  [/^(?:LD_|DYLD_|_RLD|GCONV_|MALLOC_|GLIBC_)/, "every program that starts loads what it names"],
  [
    /^(?:PATH|path|fpath|FPATH|CDPATH|cdpath|PATHEXT|EXECIGNORE)$/,
    "it decides which program a name means",
  ],
  [
    /^(?:BASH|ENV$|ZDOTDIR$|SHELL|PROMPT_COMMAND$|PS\d$|IFS$|COMP_|KSH_|INPUTRC$)/,
    "shells run what it holds, or read lines differently",
  ],
  [/^GIT_SSH|_SSH$|PAGER$|EDITOR$|^VISUAL$|BROWSER$|ASKPASS$|_RSH$/, "programs run what it names"],
  [/(?:OPTIONS|OPTS|FLAGS)$/, "it adds options to a program, and these can run code"],
  [/proxy$/i, "it decides which host programs connect to"],
];

/** The reason why a policy cannot call a variable harmless; undefined if it can. */
export function variableObjection(name: string): string | undefined {
  if (!isSteering(name)) return undefined;
  return REASONS.find(([names]) => names.test(name))?.[1] ??
    "it changes what programs run, read or write";
}

/** True if a text can be a variable's name. */
export function isVariableName(text: string): boolean {
  return text.length <= LONGEST_NAME && new RegExp(VARIABLE_PATTERN).test(text);
}

/** True if a name may say what runs, where a program looks or what it changes, so that not every value is harmless. */
export function isTellingVariable(name: string): boolean {
  return variableList(name, "telling");
}

function isSteering(name: string): boolean {
  return variableList(name, "steering");
}

/** The source of a regular expression that fits the variables that a policy cannot call harmless, for a JSON Schema. */
export function steeringPattern(): string {
  return `^(?:${steeringVariables().map((name) => name.replaceAll("*", ".*")).join("|")})$`;
}
