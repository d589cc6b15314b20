/** Only names, numbers, operators and subscripts without quoting, so that what it reads is what it shows. */
const SIMPLE = /^[\w\s+\-*/%<>=!&|^~?:,();$#{}@[\].]*$/;

/**
 * The variables that an arithmetic text reads, `1` and `@` for parameters; undefined where it holds quoting, which bash
 * undoes once more when it evaluates a subscript. Command substitutions are left out: the caller judges what they print.
 *
 * Source: bash(1), ARITHMETIC EVALUATION; a variable's value is evaluated as an expression itself.
 */
export function arithmeticNames(text: string): readonly string[] | undefined {
  const bare = withoutSubstitutions(text.replace(/^\$?\(\(|\)\)$/g, ""));
  // What looks like a here-document may be one: "((" also begins two subshells.
  if (bare === undefined || !SIMPLE.test(bare) || /\n|;|<<[-\s]*[A-Za-z_]/.test(bare)) {
    return undefined;
  }
  return bare.match(/[A-Za-z_]\w*|\$\{?[\d@*#]/g)?.map((name) => name.replace(/^\$\{?/, "")) ?? [];
}

/** The text without its `$( )`; undefined where a parenthesis or a quote makes their end uncertain. */
function withoutSubstitutions(text: string): string | undefined {
  if (!text.includes("$(")) return text;
  const bare = text.replace(/\$\([^()'"`\\]*\)/g, "");
  return bare.includes("$(") ? undefined : bare;
}
