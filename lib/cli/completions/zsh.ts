import { type Flag, type Operand, takesValue, type Verb } from "../args/verb.ts";
import { flagsOf, isList, nextWords, PATTERNS_COMMAND, verbNames } from "./words.ts";
import { singleQuoted } from "../../text/quote.ts";

/** A zsh script that completes caliban's command line, for a file `_caliban` in $fpath; ends in a newline. */
export function zshCompletions(verbs: readonly Verb[]): string {
  const names = verbNames(verbs).map(({ name, verb }) =>
    `    (${singleQuoted(`${name} `)}*) _caliban_shift ${name.split(" ").length} ${
      functionName(verb)
    } ;;`
  );
  return [
    "#compdef caliban",
    '# Written by "caliban completions zsh".',
    ...verbs.flatMap(verbFunction),
    "_caliban_patterns() {",
    "  local -a found",
    `  found=("\${(@f)$(${PATTERNS_COMMAND})}")`,
    "  compadd -a found",
    "}",
    "_caliban_shift() {",
    "  local count=$1 name=$2",
    "  shift count words",
    "  (( CURRENT -= count ))",
    "  $name",
    "}",
    "_caliban() {",
    '  local before="${(j: :)words[2,CURRENT-1]}"',
    "  local -a next",
    '  case "$before" in',
    ...[...nextWords(verbs)].map(([begin, words]) => {
      const described = words.map(({ word, summary }) =>
        singleQuoted(`${word}:${colons(summary)}`)
      );
      return `    (${singleQuoted(begin)}) next=(${described.join(" ")}) ;;`;
    }),
    "  esac",
    "  (( $#next )) && _describe verb next",
    '  case "$before " in',
    ...names,
    "    (*) (( $#next )) || return 1 ;;",
    "  esac",
    "}",
    'if [ "$funcstack[1]" = _caliban ]; then _caliban "$@"; else compdef _caliban caliban; fi',
  ].join("\n") + "\n";
}

function verbFunction(verb: Verb): readonly string[] {
  const specs = [...flagsOf(verb).flatMap(flagSpecs), ...verb.operands.map(operandSpec)];
  return [
    `${functionName(verb)}() {`,
    "  _arguments -s -S \\",
    ...specs.map((spec, index) =>
      `    ${singleQuoted(spec)}${index === specs.length - 1 ? "" : " \\"}`
    ),
    "}",
  ];
}

function functionName(verb: Verb): string {
  return `_caliban_${verb.path.join("_").replaceAll("-", "_")}`;
}

function flagSpecs(flag: Flag): readonly string[] {
  const summary = `[${brackets(flag.summary)}]`;
  const times = flag.repeatable === true ? "*" : "";
  const short = flag.short === undefined ? [] : [`-${flag.short}${summary}`];
  if (!takesValue(flag)) return [`${times}--${flag.name}${summary}`, ...short];
  return [`${times}--${flag.name}=${summary}:${flag.name}:${action(flag)}`, ...short];
}

function operandSpec(operand: Operand, index: number): string {
  const { name, optional, choices, completes } = operand;
  const listed = choices === undefined ? "_default" : `(${choices.join(" ")})`;
  const words = completes === "patterns" ? "_caliban_patterns" : listed;
  return `${index + 1}:${optional === true ? ":" : ""}${name}:${words}`;
}

function action(flag: Flag): string {
  if (isList(flag)) return `_sequence compadd - ${flag.choices?.join(" ")}`;
  if (flag.choices !== undefined) return `(${flag.choices.join(" ")})`;
  switch (flag.value) {
    case "DIR":
      return "_directories";
    case "FILE":
      return "_files";
  }
  return " ";
}

function brackets(text: string): string {
  return text.replaceAll(/[[\]:\\]/g, "\\$&");
}

function colons(text: string): string {
  return text.replaceAll(/[:\\]/g, "\\$&");
}
