import { steeringVariables, variableList } from "../../shell/programs/program_catalog.ts";

/** The name of a variable; the source of a regular expression, anchored. */
export const VARIABLE_PATTERN = "^[A-Za-z_][A-Za-z0-9_]*$";

/** No longer name is a variable's, in UTF-16 code units. */
const LONGEST_NAME = 128;

/** Reasons, by the names that they are about; the first that fits counts. */
const REASONS: readonly (readonly [names: RegExp, why: string])[] = [
  [/^(?:LD_|DYLD_|_RLD|GCONV_|MALLOC_|GLIBC_)/, "every program loads the files that it names"],
  [
    /^(?:PATH|path|fpath|FPATH|CDPATH|cdpath|PATHEXT|EXECIGNORE)$/,
    "it decides which program a name means",
  ],
  [
    /^(?:BASH|ENV$|ZDOTDIR$|SHELL|PROMPT_COMMAND$|PS\d$|IFS$|COMP_|KSH_|INPUTRC$)/,
    "shells run its value, or read lines differently",
  ],
  [/^GIT_SSH|_SSH$|PAGER$|EDITOR$|^VISUAL$|BROWSER$|ASKPASS$|_RSH$/, "programs run what it names"],
  [/(?:OPTIONS|OPTS|FLAGS)$/, "it adds options to a program, and these can run code"],
  [/proxy$/i, "it decides which host programs connect to"],
];

/** Names that no policy can call harmless besides those that steer, with the reason. */
const REFUSED: readonly (readonly [names: readonly string[], why: string])[] = [
  [
    [
      "*_URL",
      "*_URI",
      "*_URLS",
      "*_DSN",
      "*_HOST",
      "*_HOSTS",
      "*_HOSTNAME",
      "*_ENDPOINT",
      "*_SERVER",
      "*_REGISTRY",
      "*_MIRROR",
    ],
    "it decides which host programs connect to",
  ],
  [
    [
      "*_BIN",
      "*_BINARY",
      "*_EXE",
      "*_EXECUTABLE",
      "*_COMMAND",
      "*_CMD",
      "*_SHELL",
      "*_PROGRAM",
      "*_WRAPPER",
      "*_HOOK",
    ],
    "programs run what it names",
  ],
  [
    [
      "*_PATH",
      "*_PLUGIN",
      "*_PLUGINS",
      "*_PLUGIN_DIR",
      "*_PRELOAD",
      "*_CONFIG",
      "*_CONFIG_*",
      "*_CONF",
      "*_CONFIGURATION",
      "*_HOME",
      "*_PREFIX",
      "*RC",
      "*RCFILE",
      "MAILCAPS",
      "TEXMF*",
      "TEXINPUTS",
      "PRINTCAP",
      "openin_any",
      "openout_any",
      "shell_escape*",
    ],
    "it decides which files programs read, run or write",
  ],
];

/** The reason why a policy cannot call a variable harmless; undefined if it can. */
export function variableObjection(name: string): string | undefined {
  const refused = REFUSED.find(([names]) => isOneOf(name, names))?.[1];
  if (!isSteering(name)) return refused;
  return REASONS.find(([names]) => names.test(name))?.[1] ?? refused ??
    "it changes the files that programs run, read or write";
}

function isOneOf(name: string, globs: readonly string[]): boolean {
  return new RegExp(anyOf(globs)).test(name);
}

function anyOf(globs: readonly string[]): string {
  return `^(?:${globs.map((name) => name.replaceAll("*", ".*")).join("|")})$`;
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
  return anyOf([...steeringVariables(), ...REFUSED.flatMap(([names]) => names)]);
}
