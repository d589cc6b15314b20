import type { Finding } from "../model/problem.ts";
import {
  type IgnoreComment,
  ignoreComments,
  isIgnorable,
} from "../policy/decode/ignore_comments.ts";
import { nearest } from "../text/did_you_mean.ts";
import type { Check, LintContext, LintedFile } from "./check.ts";
import { CHECKS, FINDING_IDS, IGNORE_ID, SCHEMA_ID } from "./registry.ts";

/** The findings to report. */
export interface Selection {
  /** Only these; all by default. */
  readonly select?: readonly string[];
  /** Not these. */
  readonly ignore?: readonly string[];
}

/**
 * Returns every selected finding that no comment ignores, by file and in the order of the text. An error because of which a file does
 * not load is always among them, since no other check sees that file. Pure.
 */
export function runChecks(context: LintContext, selection: Selection = {}): readonly Finding[] {
  const checks = CHECKS.filter((check) =>
    (check.id === SCHEMA_ID || isWanted(check.id, selection)) && (check.isOn?.(context) ?? true)
  );
  // The findings of an optional check depend on more than the file.
  const always = checks.filter(({ isOn }) => isOn === undefined);
  const found = checks.flatMap((check) => stamped(check, context)).filter(({ id, severity }) =>
    id === SCHEMA_ID && severity === "error" || isWanted(id, selection)
  );
  return context.files.flatMap((file) => {
    const own = found.filter(({ path }) => path === file.path);
    const comments = ignoreComments(file, FINDING_IDS);
    const used = new Set<IgnoreComment>();
    const left = own.filter((finding) => {
      const comment = comments.find((each) => ignores(each, finding));
      if (comment !== undefined) used.add(comment);
      return comment === undefined;
    });
    const about = isWanted(IGNORE_ID, selection)
      ? comments.flatMap((comment) => commentFindings(comment, { file, used, checks: always }))
      : [];
    return [...left, ...about].toSorted((a, b) => a.span.start - b.span.start);
  });
}

function isWanted(id: string, { select, ignore = [] }: Selection): boolean {
  return (select === undefined || select.includes(id)) && !ignore.includes(id);
}

function stamped(check: Check, context: LintContext): readonly Finding[] {
  // Only an administrator changes a managed file.
  const locked = context.files.flatMap(({ kind, path }) => kind === "managed" ? [path] : []);
  return check.find(context).map(({ severity = check.severity, related = [], fix, ...found }) => ({
    id: check.id,
    severity,
    related,
    ...found,
    ...(fix === undefined || locked.includes(found.path) ? {} : { fix }),
  }));
}

/** True if a comment names a finding, gives a reason and is above it. */
function ignores({ ids, why, lines }: IgnoreComment, { id, span }: Finding): boolean {
  return isIgnorable(id) && why !== "" && ids.includes(id) && lines.includes(span.line - 1);
}

/** The findings about a comment: no known id, no reason, or nothing found there. */
function commentFindings(
  comment: IgnoreComment,
  { file, used, checks }: {
    file: LintedFile;
    used: ReadonlySet<IgnoreComment>;
    checks: readonly Check[];
  },
): readonly Finding[] {
  const fault = faultOf(comment, { used, checks });
  if (fault === undefined) return [];
  const { path } = file;
  const { span } = comment;
  return [{ id: IGNORE_ID, severity: "warning", path, span, rule: null, related: [], ...fault }];
}

function faultOf(
  comment: IgnoreComment,
  { used, checks }: { used: ReadonlySet<IgnoreComment>; checks: readonly Check[] },
): { readonly message: string; readonly hint: string } | undefined {
  const { ids, why } = comment;
  const form = "# caliban-ignore: shadowed because …";
  if (ids.length === 0) {
    return { message: "The comment ignores nothing: it names no finding", hint: `Write ${form}` };
  }
  const unknown = ids.find((id) => !FINDING_IDS.includes(id));
  if (unknown !== undefined) {
    const near = nearest(unknown, FINDING_IDS);
    return {
      message: `The comment ignores nothing: unknown finding "${unknown}"`,
      hint: near === undefined
        ? '"caliban perms lint --help" lists them'
        : `Did you mean "${near}"?`,
    };
  }
  if (why === "") {
    return { message: "The comment ignores nothing: it gives no reason", hint: `Write ${form}` };
  }
  if (used.has(comment) || !ids.every((id) => checks.some((check) => check.id === id))) {
    return undefined;
  }
  return {
    message: `The comment is not needed: lint finds no ${ids.join(", ")} here`,
    hint: "Remove it",
  };
}
