/** The shortest text that says enough to be looked for. */
const LEAST = 2;

/**
 * The longest plain text that every match of a regular expression has in it; undefined where that is not certain or too short.
 */
export function requiredText(source: string): string | undefined {
  if (alternates(source) || /\(\?[a-zA-Z-]*[ix]/.test(source)) return undefined;
  const pieces = [""];
  for (let at = 0; at < source.length; at++) {
    const escaped = source[at] === "\\";
    const char = source[escaped ? ++at : at] ?? "";
    // Other escapes (\x41, \pL) have more characters.
    if (escaped && /[^\W_bBdDsSwWAznrtfv]/.test(char)) return undefined;
    const isPlain = escaped ? /[^A-Za-z0-9]/.test(char) : !/[.[\](){}*+?^$|]/.test(char);
    const isOptional = /[*?{]/.test(source[at + 1] ?? "");
    if (isPlain && !isOptional) pieces[pieces.length - 1] += char;
    else pieces.push("");
    if (!escaped && (char === "(" || char === "[")) at = endOf(source, at);
    if (!escaped && char === "{") at = (source + "}").indexOf("}", at);
  }
  const [longest = ""] = pieces.toSorted((a, b) => b.length - a.length);
  return longest.length < LEAST ? undefined : longest;
}

/** True if an expression has a `|` outside of its groups: an anchor before it is not one for all. */
export function alternates(source: string): boolean {
  for (let at = 0; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (char === "(" || char === "[") at = endOf(source, at);
    else if (char === "|") return true;
  }
  return false;
}

/** The offset of the end of a group or class; the end of the text where it has none. */
function endOf(source: string, start: number): number {
  const isClass = source[start] === "[";
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source[at];
    if (char === "\\") at++;
    else if (isClass && char === "]" && at > start + 1) return at;
    else if (!isClass && char === "[") at = endOf(source, at);
    else if (!isClass && char === "(") depth++;
    else if (!isClass && char === ")" && --depth === 0) return at;
  }
  return source.length;
}
