import { type Flag, takesValue, type Verb } from "../args/verb.ts";
import { flagsOf, isList, nextWords, PATTERNS_COMMAND, verbNames } from "./words.ts";
import { singleQuoted } from "../../text/quote.ts";

/** A bash script that completes caliban's command line; ends in a newline. */
export function bashCompletions(verbs: readonly Verb[]): string {
  const names = verbNames(verbs).map(({ name, verb }) => {
    const from = name.split(" ").length + 1;
    return `    ${singleQuoted(`${name} `)}*) verb=${key(verb)} from=${from} ;;`;
  });
  const begins = [...nextWords(verbs)].map(([begin, words]) =>
    `    ${singleQuoted(begin)}) words+=" ${words.map(({ word }) => word).join(" ")}" ;;`
  );
  return [
    ...HEAD,
    ...names,
    ...MIDDLE,
    `        ${valueFlags(verbs)}) ((i++)); [[ \${COMP_WORDS[i]} == "=" ]] && ((i++)) ;;`,
    ...COUNTED,
    ...verbs.flatMap(values),
    ...VALUES_DONE,
    ...verbs.flatMap(operands),
    ...OPERANDS_DONE,
    ...begins,
    ...FLAGS,
    ...verbs.map((verb) => `      ${key(verb)}) words=${singleQuoted(flagWords(verb))} ;;`),
    ...TAIL,
  ].join("\n") + "\n";
}

const HEAD = [
  '# Written by "caliban completions bash".',
  // A pattern is offered in single quotes, or as it is behind the quote that was typed; nothing in it is expanded.
  "_caliban_patterns() {",
  '  local pattern quote="" typed="$1"',
  '  case "$typed" in',
  '    \\\'*) quote="\'" typed="${typed:1}" ;;',
  "    '\"'*) quote='\"' typed=\"${typed:1}\" ;;",
  '    *) typed="${typed//\\\\/}" ;;',
  "  esac",
  "  while IFS= read -r pattern; do",
  '    [[ $pattern == "$typed"* && $pattern != *"\'"* ]] || continue',
  '    case "$quote" in',
  '      "\'") COMPREPLY+=("$pattern") ;;',
  "      '\"') [[ $pattern == *['\"$`\\!']* ]] || COMPREPLY+=(\"$pattern\") ;;",
  "      *) COMPREPLY+=(\"'$pattern'\") ;;",
  "    esac",
  `  done < <(${PATTERNS_COMMAND})`,
  "}",
  "_caliban() {",
  '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
  '  local before="${COMP_WORDS[*]:1:COMP_CWORD-1}" verb="" words="" from=1 count=0 i',
  '  if [[ $current == "=" ]]; then current=""',
  '  elif [[ $previous == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
  "  COMPREPLY=()",
  '  case "$before " in',
];

const MIDDLE = [
  "  esac",
  "  if [[ -n $verb ]]; then",
  "    for ((i = from; i < COMP_CWORD; i++)); do",
  '      case "${COMP_WORDS[i]}" in',
];

const COUNTED = [
  "        -?*) ;;",
  "        *) ((count++)) ;;",
  "      esac",
  "    done",
  "  fi",
  '  case "$verb $previous" in',
];

const VALUES_DONE = ["  esac", '  case "$verb $count" in'];

const OPERANDS_DONE = ["  esac", '  case "$before" in'];

const FLAGS = ["  esac", "  if [[ $current == -* ]]; then", '    case "$verb" in'];

const TAIL = [
  "      *) words='--help --version' ;;",
  "    esac",
  "  fi",
  '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
  "}",
  "complete -o default -F _caliban caliban",
];

/** A verb's name as one word of the script. */
function key(verb: Verb): string {
  return verb.path.join("-");
}

function flagWords(verb: Verb): string {
  return flagsOf(verb).map((flag) => `--${flag.name}`).join(" ");
}

function valueFlags(verbs: readonly Verb[]): string {
  const names = verbs.flatMap(flagsOf).filter(takesValue).map((flag) => `--${flag.name}`);
  return [...new Set(names)].join("|");
}

/** The completions of a flag's value; the function returns there, so that nothing else is offered. */
function values(verb: Verb): readonly string[] {
  return flagsOf(verb).filter(takesValue).map((flag) =>
    `    ${singleQuoted(`${key(verb)} --${flag.name}`)}) ${reply(flag)}; return ;;`
  );
}

function reply(flag: Flag): string {
  if (isList(flag)) {
    const words = singleQuoted(flag.choices?.join(" ") ?? "");
    const last = `-W ${words} -- "\${current##*,}"`;
    return `[[ $current == *,* ]] && previous="\${current%,*}," || previous=""; ` +
      `COMPREPLY=($(compgen -P "$previous" ${last}))`;
  }
  if (flag.choices !== undefined) return generated(`-W ${singleQuoted(flag.choices.join(" "))}`);
  switch (flag.value) {
    case "DIR":
      return paths("-d");
    case "FILE":
      return paths("-f");
  }
  return ":";
}

/** Names of files may hold blanks; bash quotes them when it is told that they are names. */
function paths(how: string): string {
  return `local IFS=$'\\n'; compopt -o filenames 2>/dev/null; ${generated(how)}`;
}

function generated(how: string): string {
  return `COMPREPLY=($(compgen ${how} -- "$current"))`;
}

function operands(verb: Verb): readonly string[] {
  return verb.operands.flatMap(({ choices, completes }, index) => {
    const place = `    ${singleQuoted(`${key(verb)} ${index}`)})`;
    if (completes === "patterns") {
      return [`${place} [[ $current == -* ]] || { _caliban_patterns "$current"; return; } ;;`];
    }
    return choices === undefined ? [] : [`${place} words=${singleQuoted(choices.join(" "))} ;;`];
  });
}
