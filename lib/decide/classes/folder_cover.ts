import { ANY_NAME, DEEP } from "../../pattern/path/shell_glob.ts";
import { globMayName } from "../../policy/compile/glob_may_name.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { SearchedFolder } from "../../shell/effect.ts";
import { inBackticks } from "../../text/quote.ts";
import { SOME_NAME } from "../evaluate_file.ts";
import { expired, firstMatch, type MatchTrace } from "../first_match.ts";
import type { EvalContext } from "../unit_result.ts";
import { isSecretPath, mayHoldHistories } from "./secret_files.ts";
import { repositoriesOf } from "./git_classes.ts";

/** The reason why a command is not covered. */
export interface Gap {
  /** The end of “…, so it is not covered: …”. */
  readonly why: string;
  /** Set if a rule denies the file, the URL or the search: it denies the command too. */
  readonly denies?: MatchTrace;
}

/** The most files of a folder that rules are tried on. */
const MAX_FILES = 20_000;

/** The gap that a file or a search leaves by the outcome of its rules; none if these allow it. */
export function gapOf(trace: MatchTrace, access: () => string): Gap | undefined {
  const { action, rule } = trace;
  if (action === "allow") return undefined;
  const says = action === "deny" ? "denies" : "asks about";
  const why = rule === null
    ? `no rule allows ${access()}`
    : `the ${rule.action} rule ${inBackticks(rule.pattern)} ${says} ${access()}`;
  return action === "deny" ? { why, denies: trace } : { why };
}

/** The reason why a folder may not be read whole. */
export function whySearchOpen(
  searched: SearchedFolder & { readonly files?: () => readonly string[] | undefined },
  context: EvalContext,
): Gap | undefined {
  const { rules, request, options } = context;
  const { path, skipsHidden, followsLinks, endings } = searched;
  const read = (text: string) => request.withTool("Read", { path: text });
  const folder = path === "" ? "." : path.replace(/(?<=.)\/+$/, "");
  const below = `${folder === "." ? "" : `${folder}/`}`;
  const samples = [folder, below + SOME_NAME, `${below}${SOME_NAME}/${SOME_NAME}`];
  const shown = inBackticks(folder);
  // The agent's own search in that folder would be decided by the rules of Grep too.
  const asked = [
    ...samples.map(read),
    request.withTool("Grep", { pattern: "", path: folder }),
  ];
  const gaps = asked.flatMap((each) =>
    gapOf(firstMatch(rules, each, options), () => `searching ${shown}`) ?? []
  );
  if (gaps.length > 0) return gaps.find(({ denies }) => denies) ?? gaps[0];
  const literal = (text: string) => text.replace(/[\\*?[\]{}]/g, "\\$&");
  const globs = (endings ?? [""]).map((end) =>
    `${literal(below)}${DEEP}${ANY_NAME}${literal(end)}`
  );
  const objectors = rules.toolRules("Read").filter((toolRule) => {
    const { rule, specifier, readAs } = toolRule;
    return rule.action !== "allow" && specifier !== undefined &&
      !expired(rule, { settings: rules.settings, now: options.now }) &&
      globs.some((glob) =>
        options.budget?.spendGlob(toolRule, glob) === false ||
        globMayName(glob, { specifier, request, context: readAs?.context })
      );
  });
  const holdsHistories = mayHoldHistories(folder, request);
  if (objectors.length === 0 && !followsLinks && !holdsHistories) return undefined;
  if (searched.mayBeFilled) {
    return { why: `an earlier command may bring other files below ${shown}` };
  }
  const files = searched.files ? searched.files() : request.filesBelow(folder, {
    skipsHidden,
    ...(followsLinks ? { followsLinks } : {}),
    ...(endings ? { endings } : {}),
  });
  if (files === undefined || files.length > MAX_FILES) {
    const [first] = objectors;
    return {
      why: first === undefined && holdsHistories
        ? `a history may lie below ${shown}`
        : first === undefined
        ? `a link below ${shown} may lead elsewhere`
        : `${inBackticks(first.rule.pattern)} may match a file below ${shown}`,
    };
  }
  for (const file of files) {
    if (isSecretPath(file)) {
      return { why: `${inBackticks(file)} is a history, a device or memory` };
    }
    const one = read(file);
    const isFree = objectors.every((toolRule) =>
      options.budget?.spend(toolRule, one) !== false && toolRule.matches(one) === "no"
    );
    if (isFree) continue;
    // One denied file among many leaves the search a question.
    const gap = gapOf(firstMatch(rules, one, options), () => `reading ${inBackticks(file)}`);
    if (gap !== undefined) return { why: gap.why };
  }
  return undefined;
}

/** The reason why a repository may not be read below a folder; `all`: whole. Only the files that its index names are looked at. */
export function whyRepositoryOpen(
  { path, inRepository, mayBeFilled }: SearchedFolder,
  context: EvalContext,
): Gap | undefined {
  const { request } = context;
  const repositories = repositoriesOf([inRepository === "all" ? path : "."], request);
  if (repositories === undefined || repositories.length === 0) {
    return { why: "its repository is not known" };
  }
  for (const { root, files } of repositories) {
    const isAll = inRepository === "all";
    const searched = isAll ? root : path === "" ? "." : path;
    // git compares a folder outside of its work tree file by file.
    const ownFiles = () =>
      files()?.map((file) => `${root}/${file}`)
        .filter((file) => isAll || (formsBelow(file, searched, request)?.includes(true) ?? true));
    const filled = mayBeFilled ? { mayBeFilled } : {};
    const search = formsBelow(searched, root, request)?.includes(false) === false
      ? { path: searched, skipsHidden: false, files: ownFiles, ...filled }
      : { path: searched, skipsHidden: false, ...filled };
    const gap = whySearchOpen(search, context);
    if (gap !== undefined) return gap;
  }
  return undefined;
}

/** True for each form of a path that is a folder or lies below it; undefined if one of the two cannot be resolved. */
function formsBelow(
  path: string,
  folder: string,
  request: Request,
): readonly boolean[] | undefined {
  const [own, top] = [request.path(path), request.path(folder)];
  if (!own.ok || !top.ok) return undefined;
  return own.forms.map((form) =>
    top.forms.some(({ root }) => form.root === root || form.root.startsWith(`${root}/`))
  );
}
