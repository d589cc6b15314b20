import { parseGlob } from "../../pattern/glob.ts";
import { nfasOverlap } from "../../pattern/run_nfa.ts";
import type { Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { mayNfas } from "../../pattern/path/match_path.ts";
import { addGlob, type Nfa, NfaBuilder } from "../../pattern/path/path_nfa.ts";
import { type PathPattern, printPathPattern } from "../../pattern/path/path_pattern.ts";
import { addShellGlob, mayGoUp, shellGlobNfa, splitGlob } from "../../pattern/path/shell_glob.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { Request } from "./request.ts";

/**
 * True if a file name glob of a command line (`*.ts`, `src/*`) may name a file that a deny or ask rule matches: exact for the
 * written paths, and for the real path of the folder before its first wildcard.
 */
export function globMayName(
  glob: string,
  { specifier, request, context }: {
    specifier: Specifier;
    request: Pick<Request, "path">;
    context: PathContext | undefined;
  },
): boolean {
  const tests: readonly ValueTest[] = specifier.kind === "argument"
    ? [specifier.test]
    : specifier.kind === "fields"
    ? specifier.fields.filter(({ negated }) => !negated).map(({ test }) => test)
    : [];
  if (context === undefined) return true;
  const named = namesOf(glob, { request, context });
  if (!named.absolute) return true;
  const { absolute, written } = named;
  return tests.some((test) => {
    if (test.kind !== "path") return true;
    const rules = mayNfas(test.pattern, context);
    if (!rules) return true;
    return rules.some((rule) => absolute.some((operand) => nfasOverlap(operand, rule))) ||
      nfasOverlap(written, patternNfa(test.pattern, context));
  });
}

/** The paths that a glob may name. */
interface GlobNames {
  readonly glob: string;
  readonly context: PathContext;
  /** Undefined if its folder cannot be resolved. */
  readonly absolute: readonly Nfa[] | undefined;
  readonly written: Nfa;
}

/** The last glob of each request: many rules are compared with one after the other. */
const last = new WeakMap<Pick<Request, "path">, GlobNames>();

function namesOf(
  glob: string,
  { request, context }: { request: Pick<Request, "path">; context: PathContext },
): GlobNames {
  const known = last.get(request);
  if (known?.glob === glob && known.context === context) return known;
  const absolute = operandNfas(glob, { request, context });
  const names = { glob, context, absolute, written: writtenNfa(glob, context) };
  last.set(request, names);
  return names;
}

/** The absolute paths that a glob may name; undefined if its folder cannot be resolved. */
function operandNfas(
  glob: string,
  { request, context }: { request: Pick<Request, "path">; context: PathContext },
): readonly Nfa[] | undefined {
  const { head, rest } = splitGlob(glob);
  if (/(?:^|\/)\.{1,2}(?:\/|$)/.test(rest) || mayGoUp(rest)) return undefined;
  const folder = request.path(head === "" ? "." : head);
  if (!folder.ok) return undefined;
  return folder.forms.map(({ root }) => shellGlobNfa(root, rest, context.ignoreCase));
}

/** The glob as it is written, for rules that are compared with the written text. */
function writtenNfa(glob: string, { ignoreCase }: PathContext): Nfa {
  const builder = new NfaBuilder();
  addShellGlob(builder, ignoreCase ? foldCase(glob) : glob);
  return builder.finish();
}

function patternNfa(pattern: PathPattern, { ignoreCase }: PathContext): Nfa {
  const builder = new NfaBuilder();
  const text = printPathPattern(pattern);
  const glob = parseGlob(ignoreCase ? foldCase(text) : text);
  if (glob.ok) addGlob(builder, glob.value);
  return builder.finish();
}
