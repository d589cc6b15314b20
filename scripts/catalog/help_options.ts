/** The options that a help text names, without duplicates, in order: `-a`, `--all`, `--color`. */
export function helpOptions(text: string): readonly string[] {
  const found = new Set<string>();
  // Bold text of manuals is written with backspaces, or with escapes of a terminal.
  // deno-lint-ignore no-control-regex
  const plain = text.replace(/.\u0008/g, "").replace(/\u001b\[[\d;]*m/g, "");
  for (const line of plain.split("\n")) {
    const head = /^\s{0,14}(?:\[?)(-\S.*)$/.exec(line)?.[1]?.split(/\s{2,}|\t/)[0];
    if (head === undefined) continue;
    for (const part of head.split(/,\s*|\s+or\s+|\s*\|\s*/)) {
      const option = /^(--?[A-Za-z0-9?#@][\w.-]*)/.exec(part.trim().replace("[no-]", ""))?.[1];
      if (option !== undefined) found.add(option.replace(/[.-]+$/, ""));
    }
  }
  return [...found];
}
