import { takesValue, type Verb } from "../args/verb.ts";
import { flagsOf, nextWords, verbNames } from "./words.ts";

/** A PowerShell script that completes caliban's command line; ends in a newline. */
export function powershellCompletions(verbs: readonly Verb[]): string {
  const names = verbNames(verbs).map(({ name, verb }) => [name, quoted(key(verb))] as const);
  const next = [...nextWords(verbs)].map(([begin, words]) =>
    [begin, list(words.map(({ word }) => word))] as const
  );
  const flags = verbs.map((verb) =>
    [key(verb), list(flagsOf(verb).map(({ name }) => `--${name}`))] as const
  );
  const values = verbs.flatMap((verb) =>
    flagsOf(verb).filter(takesValue).map(({ name, choices = [] }) =>
      [`${key(verb)} --${name}`, list(choices)] as const
    )
  );
  const operands = verbs.flatMap((verb) =>
    verb.operands.flatMap(({ choices }, at) =>
      choices === undefined ? [] : [[`${key(verb)} ${at}`, list(choices)] as const]
    )
  );
  const asked = verbs.flatMap((verb) =>
    verb.operands.flatMap(({ completes }, at) =>
      completes === "patterns" ? [`${key(verb)} ${at}`] : []
    )
  );
  return [
    '# Written by "caliban completions powershell".',
    "Register-ArgumentCompleter -Native -CommandName caliban -ScriptBlock {",
    "  param($wordToComplete, $commandAst, $cursorPosition)",
    ...table("names", names),
    ...table("next", next),
    ...table("flags", flags),
    ...table("values", values),
    ...table("operands", operands),
    `  $asked = ${list(asked)}`,
    ...BODY,
  ].join("\n") + "\n";
}

/** The part that is the same for all verbs. */
const BODY = [
  // The words before the one at the cursor.
  "  $typed = @($commandAst.CommandElements | Select-Object -Skip 1 |",
  "    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | ForEach-Object { $_.Extent.Text })",
  "  $verb = ''",
  "  $from = 0",
  "  for ($size = $typed.Count; $size -gt 0 -and $verb -eq ''; $size--) {",
  "    $name = ($typed | Select-Object -First $size) -join ' '",
  "    if ($names.ContainsKey($name)) { $verb = $names[$name]; $from = $size }",
  "  }",
  "  $flag = ''",
  "  $count = 0",
  "  for ($at = $from; $at -lt $typed.Count; $at++) {",
  "    $flag = ''",
  '    if ($values.ContainsKey("$verb $($typed[$at])")) { $flag = $typed[$at]; $at++ }',
  "    elseif (-not $typed[$at].StartsWith('-')) { $count++ }",
  "    if ($at -lt $typed.Count) { $flag = '' }",
  "  }",
  "  $begun = $wordToComplete.TrimStart(\"'\", '\"')",
  "  $before = ''",
  "  if ($flag -eq '' -and $begun -match '^(--[a-z-]+)=(.*)$') {",
  "    $flag = $Matches[1]",
  '    $before = "$flag="',
  "    $begun = $Matches[2]",
  "  }",
  '  $place = "$verb $count"',
  "  $offered = @()",
  "  if ($flag -ne '') { $offered = @($values[\"$verb $flag\"]) }",
  "  elseif ($begun.StartsWith('-')) { $offered = @($flags[$verb]) }",
  "  elseif ($asked -contains $place) {",
  "    $offered = @(& (Get-Command caliban -CommandType Application | Select-Object -First 1) completions patterns 2>$null)",
  "  } else { $offered = @($next[$typed -join ' ']) + @($operands[$place]) }",
  "  if ($begun -match '^(.*,)([^,]*)$' -and $flag -in '--select', '--ignore') {",
  "    $before = $before + $Matches[1]",
  "    $begun = $Matches[2]",
  "  }",
  "  $offered | Where-Object { $_ -and $_.StartsWith($begun) } | ForEach-Object {",
  '    $text = "$before$_"',
  '    if ($text -notmatch \'^[A-Za-z0-9_=./-]+$\') { $text = "\'" + $text.Replace("\'", "\'\'") + "\'" }',
  "    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)",
  "  }",
  "}",
];

/** A verb's name as one word of the script. */
function key(verb: Verb): string {
  return verb.path.join("-");
}

/** A table of the script, by name. PowerShell's own tables ignore the case of letters, which no verb needs. */
function table(name: string, rows: readonly (readonly [string, string])[]): readonly string[] {
  return [
    `  $${name} = @{`,
    ...rows.map(([word, value]) => `    ${quoted(word)} = ${value}`),
    "  }",
  ];
}

function list(words: readonly string[]): string {
  return `@(${words.map(quoted).join(", ")})`;
}

/** Text in single quotes, as PowerShell reads them. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
