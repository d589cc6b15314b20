import type { CommandClass } from "../../model/call.ts";
import type { Request } from "../../policy/compile/request.ts";
import type { CommandTraits, Effect } from "../../shell/effect.ts";
import { inBackticks } from "../../text/quote.ts";
import { type FileEffect, fileRequest, isFileEffect } from "../evaluate_file.ts";
import { foldersAbove } from "./configured_classes.ts";
import { UNNAMED } from "../../shell/programs/tree_changes.ts";
import { expired, firstMatch } from "../first_match.ts";
import { mayBeRelinked } from "../settle_effect.ts";
import { type EvalContext, shortened } from "../unit_result.ts";
import { foldersNow } from "./searched_folders.ts";
import { type Gap, gapOf, whyRepositoryOpen, whySearchOpen } from "./folder_cover.ts";

/** The surroundings of a command and the class that is decided. */
interface CoverContext extends EvalContext {
  readonly name: CommandClass;
  /** The files, URLs and unknown parts of the command. */
  readonly uses: readonly Effect[];
}

/** Classes that hold in the workspace only. */
const OF_WORKSPACE: ReadonlySet<CommandClass> = new Set(["repository", "project"]);

/** Folders of others' code in a workspace. */
const VENDORED = /(?:^|\/)(?:node_modules|vendor|third_party)(?:\/|$)/;

/**
 * The reason why an allow rule for a class does not cover a command, though that is of the class; undefined if it does. Every file
 * that it reads or writes and every URL must be allowed by the rules about them.
 */
export function whyNotCovered(
  { traits: known }: Effect,
  context: CoverContext,
): Gap | undefined {
  const traits = known?.();
  const { name, request, uses } = context;
  if (traits === undefined) return { why: "its classes are unknown" };
  if (OF_WORKSPACE.has(name)) {
    const why = whyNotHere(traits, request);
    if (why !== undefined) return { why };
  }
  if (name === "project") {
    const why = whyNotOwn(traits.operands, request);
    if (why !== undefined) return { why };
  }
  if (name === "code" && traits.isInterpreter) {
    const gap = whyCodeOpen(traits.operands, context);
    if (gap !== undefined) return gap;
  }
  const searches = foldersNow(traits, request);
  if (searches === undefined) return { why: "a folder that it searches is not fixed" };
  let first: Gap | undefined = traits.whyUnheld === undefined
    ? traits.home && whyOwnHome(traits.home, request)
    : { why: traits.whyUnheld };
  for (const use of uses) {
    const gap = whyUnnamed(use, traits) ?? whyNotAllowed(use, context) ??
      (traits.redirects && whyElsewhere(use, context));
    if (gap?.denies) return gap;
    first ??= gap || undefined;
  }
  for (const folder of searches) {
    const gap = folder.inRepository
      ? whyRepositoryOpen(folder, context)
      : whySearchOpen(folder, context);
    if (gap?.denies) return gap;
    first ??= gap;
  }
  return first;
}

/**
 * The reason why a script is no file of the workspace, or why it, or an operand of it that may name a file, is not allowed to be
 * read.
 */
function whyCodeOpen(
  operands: CommandTraits["operands"],
  context: CoverContext,
): Gap | undefined {
  if (operands === undefined) return { why: "an operand is not fixed" };
  const [script = ""] = operands;
  const others = whyNotOwn(operands.slice(0, 1), context.request) ??
    (/[:@]/.test(script) ? `${inBackticks(shortened(script))} may be elsewhere` : undefined);
  if (others !== undefined) return { why: others };
  for (const text of operands) {
    const gap = whyFileOpen({ ...OPERAND, text }, context);
    if (gap !== undefined) return gap;
  }
  return undefined;
}

/** An operand that may be a file. */
const OPERAND = {
  kind: "read",
  via: null,
  depth: 1,
  path: "fixed",
  checkedAgainst: "userDenies",
  isHarmless: false,
  allowTexts: [],
  denyTexts: [],
} as const;

/** The reason why configuration of the home folder may make a command do more. */
function whyOwnHome(credentials: readonly string[], request: Request): Gap | undefined {
  if (request.areInside(["~"])) {
    return { why: "its configuration in the home folder is in the workspace" };
  }
  const folder = request.path("~");
  const homes = folder.ok ? folder.forms.filter(({ home }) => home === "") : [];
  const name = credentials.find((each) =>
    homes.length === 0 || homes.some(({ root }) => request.expand(`/${root}/${each}`)?.length !== 0)
  );
  return name === undefined
    ? undefined
    : { why: `it may send credentials of ${inBackticks(`~/${name}`)}` };
}

function whyNotHere(
  { folders, open }: CommandTraits,
  request: Request,
): string | undefined {
  if (open) return "the folder that it runs in is not fixed";
  if (!request.areInside(folders.map((folder) => folder === "" ? "." : folder))) {
    return "it runs outside the workspace";
  }
  const isOthers = folders.some((folder) =>
    isVendored(folder === "" ? "." : folder, request) || isNested(folder, request)
  );
  return isOthers ? "it runs in a folder of third-party code" : undefined;
}

/** The reason why operands may name code that is not the workspace's. */
function whyNotOwn(operands: CommandTraits["operands"], request: Request): string | undefined {
  if (operands === undefined) return "an operand is not fixed";
  const others = operands.find((each) =>
    /^@|:\/\//.test(each) || !request.areInside([each]) || isVendored(each, request)
  );
  return others === undefined ? undefined : `${inBackticks(shortened(others))} is others' code`;
}

function isVendored(path: string, request: Request): boolean {
  const found = request.path(path);
  return !found.ok || found.forms.some(({ workspace = "" }) => VENDORED.test(workspace));
}

/** The `.git` of a work tree of the workspace's own repository. */
const OWN_TREE = /^gitdir: [^\n]*\/\.git\/worktrees\/[^/\n]+\s*$/;

/** True for a folder of a repository inside the workspace, such as a submodule. */
function isNested(folder: string, request: Request): boolean {
  const above = foldersAbove(folder, request, { isRootLeftOut: true });
  return above?.some((at) =>
    request.namesIn(at).includes(".git") && !OWN_TREE.test(request.textOf(`${at}/.git`) ?? "")
  ) ?? true;
}

/** A file whose name the program chooses is not covered, but for the files of a work tree that git changes. */
function whyUnnamed(use: Effect, { git }: CommandTraits): Gap | undefined {
  const isUnnamed = use.kind === "write" && use.text.split("/").at(-1) === UNNAMED;
  return isUnnamed && git === undefined ? { why: "a file that it writes is not named" } : undefined;
}

/** The reason why a file or URL is not allowed by the rules about it. */
function whyNotAllowed(use: Effect, context: CoverContext): Gap | undefined {
  // The folders that a search is bound in are judged whole.
  if (!isFileEffect(use) || use.isBound) return undefined;
  const { request } = context;
  const isKnown = use.path === "fixed" && !mayBeRelinked(use, request);
  return isKnown ? whyFileOpen(use, context) : whyUnfixed(use, context);
}

/** The same for a file or URL that the line does not fix, or that may be another by then. */
function whyUnfixed(use: FileEffect, context: CoverContext): Gap | undefined {
  const { request } = context;
  const text = inBackticks(shortened(use.text));
  if (use.path === "open") return { why: `${text} is not fixed` };
  if (use.path === "below" && use.kind !== "read") {
    return { why: `the files that it writes below ${text} are not named` };
  }
  if (mayBeRelinked(use, request)) {
    return { why: `an earlier command may make ${text} a link` };
  }
  if (use.path === "below") {
    return whySearchOpen({ path: use.text, skipsHidden: false }, context);
  }
  if (use.path !== "glob") return whyFileOpen(use, context);
  const names = use.mayLookUp ? request.expand(use.text) : undefined;
  if (names === undefined) return { why: `the files that ${text} names cannot be listed` };
  if (names.some((name) => /(?:^|\/)-/.test(name))) {
    return { why: `${text} names a file that begins with -` };
  }
  const { path: _, mayLookUp: _1, ...file } = use;
  // A glob that names nothing is a name itself.
  const literal = use.text.replace(/\\(.)/gs, "$1");
  for (const name of names.length === 0 ? [literal] : names) {
    const gap = whyFileOpen({ ...file, text: name, path: "fixed" } as typeof use, context);
    if (gap !== undefined) return gap;
  }
  return undefined;
}

function whyFileOpen(
  use: Parameters<typeof fileRequest>[0],
  { name, rules, request, options }: CoverContext,
): Gap | undefined {
  // A tool of the workspace may run any file that it reads.
  const isOwn = use.kind !== "read" || name !== "project" ||
    request.areInside([use.text]) && !isVendored(use.text, request);
  if (!isOwn) return { why: `${inBackticks(shortened(use.text))} is others' code` };
  const trace = firstMatch(rules, fileRequest(use, request), options);
  return gapOf(trace, () => `${ACCESS[use.kind]} ${inBackticks(shortened(use.text))}`);
}

const ACCESS = { read: "reading", write: "writing", url: "fetching" } as const;

/** The reason why a fetch that follows redirects may lead to a host that the rules do not allow. */
function whyElsewhere(use: Effect, { rules, request, options }: CoverContext): Gap | undefined {
  if (!isFileEffect(use) || use.kind !== "url") return undefined;
  const { toolRule } = firstMatch(rules, fileRequest(use, request), options);
  const isBare = toolRule?.specifier === undefined || toolRule.specifier.kind === "any";
  const objects = rules.toolRules("WebFetch").some(({ rule, specifier }) =>
    rule.action !== "allow" && specifier !== undefined && specifier.kind !== "any" &&
    !expired(rule, { settings: rules.settings, now: options.now })
  );
  return isBare && !objects ? undefined : { why: "a redirect may lead to another host" };
}
