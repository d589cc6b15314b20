import { type Flag, pathsOf, takesValue, type Verb } from "../args/verb.ts";
import { flagsOf, isList, nextWords, PATTERNS_COMMAND } from "./words.ts";

/** A fish script that completes caliban's command line; ends in a newline. */
export function fishCompletions(verbs: readonly Verb[]): string {
  const next = [...nextWords(verbs)].flatMap(([begin, words]) =>
    words.map(({ word, summary }) =>
      `complete -c caliban -n ${quoted(`__caliban_at ${quoted(begin)}`)} -a ${word} -d ${
        quoted(summary)
      }`
    )
  );
  return [...HEAD, ...next, ...verbs.flatMap(verbLines)].join("\n") + "\n";
}

const HEAD = [
  '# Written by "caliban completions fish".',
  "function __caliban_words",
  "    set -l words (commandline -opc)",
  "    set -e words[1]",
  "    string join ' ' -- $words",
  "end",
  "function __caliban_at",
  '    test (__caliban_words | string collect --allow-empty) = "$argv[1]"',
  "end",
  "function __caliban_in",
  "    set -l words (__caliban_words)' '",
  "    for name in $argv",
  '        string match -q -- "$name *" "$words"; and return 0',
  "    end",
  "    return 1",
  "end",
  "complete -c caliban -f",
];

function verbLines(verb: Verb): readonly string[] {
  const names = pathsOf(verb).map((path) => quoted(path.join(" "))).join(" ");
  const start = `complete -c caliban -n ${quoted(`__caliban_in ${names}`)}`;
  const operands = verb.operands.flatMap(({ choices, completes, summary }) => {
    const words = completes === "patterns"
      ? `(command -sq caliban; and ${PATTERNS_COMMAND})`
      : choices?.join(" ");
    return words === undefined ? [] : [`${start} -a ${quoted(words)} -d ${quoted(summary)}`];
  });
  return [...operands, ...flagsOf(verb).map((flag) => `${start} ${flagWords(flag)}`)];
}

function flagWords(flag: Flag): string {
  const short = flag.short === undefined ? "" : ` -s ${flag.short}`;
  return `-l ${flag.name}${short}${valueWords(flag)} -d ${quoted(flag.summary)}`;
}

function valueWords(flag: Flag): string {
  if (!takesValue(flag)) return "";
  if (isList(flag)) {
    return ` -x -a ${quoted(`(__fish_append , ${flag.choices?.join(" ")})`)}`;
  }
  if (flag.choices !== undefined) return ` -x -a ${quoted(flag.choices.join(" "))}`;
  switch (flag.value) {
    case "DIR":
      return " -x -a '(__fish_complete_directories)'";
    case "FILE":
      return " -r -F";
  }
  return " -x";
}

/** Text in single quotes, as fish reads them: only the backslash and the quote are special. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}
