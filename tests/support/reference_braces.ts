/** A bracket or brace group of a path glob. */
interface Group {
  readonly start: number;
  readonly end: number;
  readonly options: readonly string[];
}

/**
 * The path globs without braces whose union a path glob is: each option of each group, and every bracket and brace group
 * also as its own text. A bracket that holds a slash, and a brace without a comma, is literal. Knows no backslashes.
 */
export function expanded(glob: string): readonly string[] {
  const group = firstGroup(glob);
  if (!group) return [literalBrackets(glob)];
  const [before, own, after] = [
    literalBrackets(glob.slice(0, group.start)),
    glob.slice(group.start, group.end),
    expanded(glob.slice(group.end)),
  ];
  const middles = [...group.options.flatMap((option) => optionOf(option)), escaped(own)];
  return middles.flatMap((middle) => after.map((rest) => before + middle + rest));
}

/** A bracket group stands for itself, and only braces are taken apart. */
function optionOf(option: string): readonly string[] {
  return option.startsWith("[") && bracketEnd(option, 0) === option.length
    ? [option.replace("[!", "[^")]
    : expanded(option);
}

function firstGroup(glob: string): Group | undefined {
  for (let start = 0; start < glob.length; start++) {
    if (glob[start] === "[") {
      const end = bracketEnd(glob, start);
      if (end !== undefined) return { start, end, options: [glob.slice(start, end)] };
    } else if (glob[start] === "{") {
      const group = braceGroup(glob, start);
      if (group) return group;
    }
  }
  return undefined;
}

/** The place behind the bracket group; undefined if it has no end or holds a slash. */
function bracketEnd(glob: string, start: number): number | undefined {
  const body = /^\[[!^]?[^][^\]]*\]/.exec(glob.slice(start))?.[0];
  return body === undefined || body.includes("/") ? undefined : start + body.length;
}

function braceGroup(glob: string, start: number): Group | undefined {
  const options: string[] = [];
  let [depth, from] = [0, start + 1];
  for (let at = start; at < glob.length; at++) {
    const char = glob[at];
    if (char === "[") at = (bracketEnd(glob, at) ?? at + 1) - 1;
    else if (char === "{") depth++;
    else if (char === "," && depth === 1) {
      options.push(glob.slice(from, at));
      from = at + 1;
    } else if (char === "}" && --depth === 0) {
      options.push(glob.slice(from, at));
      return options.length > 1 ? { start, end: at + 1, options } : undefined;
    }
  }
  return undefined;
}

function literalBrackets(glob: string): string {
  return glob.replace(/[[\]{},]/g, "\\$&");
}

function escaped(text: string): string {
  return text.replace(/[^A-Za-z0-9/]/g, "\\$&");
}
