import type { Arithmetic } from "./tree.ts";

/** Only names, numbers, operators and subscripts without quoting, so that what it reads is what it shows. */
const SIMPLE = /^[\w\s+\-*/%<>=!&|^~?:,();$#{}@[\].]*$/;

/**
 * The variables that an arithmetic text reads and may set; undefined where it holds quoting, which bash undoes once more
 * when it evaluates a subscript, and where a name is put together. Command substitutions are left out: the caller judges what they print.
 *
 * Source: bash(1), ARITHMETIC EVALUATION; a variable's value is evaluated as an expression itself.
 */
export function readArithmetic(text: string): Arithmetic | undefined {
  const bare = withoutSubstitutions(text.replace(/^\$?\(\(|\)\)$/g, ""))?.replace(LENGTH, "0");
  // What looks like a here-document may be one: "((" also begins two subshells.
  if (
    bare === undefined || GLUED.test(bare) || !SIMPLE.test(bare) ||
    /\n|;|<<[-\s]*[A-Za-z_]/.test(bare)
  ) {
    return undefined;
  }
  const names = bare.match(/[A-Za-z_]\w*|\$\{?[\d@*#]/g)?.map((name) => name.replace(/^\$\{?/, ""));
  return { text, names: names ?? [], sets: setBy(bare, names ?? []) };
}

/** `$-`, whose letters are a name, and expansions that touch a name, which is another one then: `PA${x}TH`. */
const GLUED = /\$\{?-|\w\$|\}\w|\$[\d@*#]\w/;

/** Something is set: `=`, `+=`, `<<=`, `++`, but not a comparison. */
const ASSIGNS = /(?<![=!<>])=(?!=)|<<=|>>=|\+\+|--/g;
/** The same with the variable that is set, where it has no subscript in its subscript. */
const SETS =
  /([A-Za-z_]\w*)\s*(?:\[[^[\]]*\]\s*)?(?:(?:[-+*/%&|^]|<<|>>)?=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g;

/** The variables that are set; all of them where it cannot be told which. */
function setBy(text: string, names: readonly string[]): readonly string[] {
  const count = text.match(ASSIGNS)?.length ?? 0;
  const found = [...text.matchAll(SETS)].map(([, before, behind]) => before ?? behind!);
  return found.length === count ? found : names.filter((name) => /^[A-Za-z_]/.test(name));
}

/** How long a variable or a list is: a number, whatever they hold. */
const LENGTH = /\$\{#[A-Za-z_]\w*(?:\[[@*]\])?\}/g;

/** The text without its `$( )`; undefined where a parenthesis or a quote makes their end uncertain. */
function withoutSubstitutions(text: string): string | undefined {
  if (!text.includes("$(")) return text;
  const bare = text.replace(/\$\([^()'"`\\]*\)/g, "");
  return bare.includes("$(") ? undefined : bare;
}
