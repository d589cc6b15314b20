import type { AllowText, DenyText, Effect, OpenEffect } from "../effect.ts";
import { fixedWord, isFixed, type Redirect } from "../parse/tree.ts";
import type { CommandContext, EveryEffect, Place, Scope } from "./command_context.ts";
import { joinPath } from "./folders.ts";
import type { LineState } from "./line_state.ts";

/** The surroundings of redirections. */
export interface RedirectScope extends Scope {
  /** Texts by which an allow rule allows a redirection that it names. */
  readonly allowTexts: readonly AllowText[];
}

/** Files that always exist, and descriptors. */
export const STREAM = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** True if one of some redirections is standard input: text, a file or a descriptor, but not nothing. */
export function feedsInput(redirects: readonly Redirect[]): boolean {
  return redirects.some(({ operator, target, raw }) =>
    operator.startsWith("<") && !/^[1-9]/.test(raw) && target?.shape !== "/dev/null" &&
    target?.shape !== "-"
  );
}

/** True if the standard output of a command goes to a file that its line names, or to a pipe of it: to no terminal. */
export function isHandedOn(
  { node: { redirects } }: { readonly node: { readonly redirects: readonly Redirect[] } },
  { context, folders: { paths, open } }: Place,
): boolean {
  if (redirects.length === 0) return context.isHandedOn;
  const own = redirects.filter(movesOutput);
  if (own.length === 0) return context.isHandedOn;
  return own.every(({ operator, target, raw }) =>
    target !== undefined && isFixed(target.shape) && !raw.startsWith("{") &&
    /^&?>>?$|^>\|$/.test(operator) &&
    (target.shape === "/dev/null" ||
      !open && paths.every((folder) => !DEVICE.test(joinPath(folder, target.shape))))
  );
}

/** A path that may be a terminal, or lead to one. */
const DEVICE = /(?:^|\/)(?:dev|proc|\.\.)(?:\/|$)/;

/** True for a redirection of standard output, or of a descriptor that may be it. */
function movesOutput({ operator, raw }: Redirect): boolean {
  const descriptor = /^(?:\d+|\{)/.exec(raw)?.[0];
  return descriptor === undefined ? !operator.startsWith("<") : !/^(?:0|[2-9])$/.test(descriptor);
}

const READS = ["read"] as const;
const WRITES = ["write"] as const;
const DOES_BOTH = ["write", "read"] as const;

/** The access of an operator to its file; `<>` opens it for both. */
function accessBy(operator: string): readonly ("read" | "write")[] {
  return operator === "<" ? READS : operator === "<>" ? DOES_BOTH : WRITES;
}

const NONE: readonly Effect[] = [];
const NO_DENY_TEXTS: readonly DenyText[] = [];

/** The files that redirections open. */
export function redirectEffects(
  redirects: readonly Redirect[],
  scope: RedirectScope,
): readonly Effect[] {
  if (redirects.length === 0) return NONE;
  const effects: Effect[] = [];
  for (const redirect of redirects) effects.push(...effectsOf(redirect, scope));
  if (effects.length < 2) return effects;
  const seen = new Set<string>();
  return effects.filter(({ kind, text, via }) => {
    const key = JSON.stringify([kind, text, via]);
    return !seen.has(key) && seen.add(key);
  });
}

function effectsOf(redirect: Redirect, scope: RedirectScope): readonly Effect[] {
  const { raw, target } = redirect;
  const why = raw.startsWith("{") ? setVariable(redirect, scope.line.state) : undefined;
  // Zsh opens each file of `> .{a,b}`; bash refuses it.
  const opened = target?.choices === undefined
    ? openedBy(redirect, scope)
    : target.choices.flatMap((each) => openedBy({ ...redirect, target: each }, scope));
  return why === undefined ? opened : [unknownEffect(redirect, { ...scope, why }), ...opened];
}

/** Records the variable that `{fd}>file` sets to its descriptor. Returns the reason if that is unknown. */
function setVariable({ raw }: Redirect, state: LineState): string | undefined {
  const name = /^\{([^}]*)\}/.exec(raw)?.[1];
  if (name === undefined) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(name)) return "the variable that it sets is not fixed";
  state.set(name, fixedWord("0"));
  return state.steeringReason(name);
}

function openedBy(redirect: Redirect, scope: RedirectScope): readonly Effect[] {
  const { operator, target } = redirect;
  if (operator === "<<" || operator === "<<<") return NONE;
  const unknown = (why: string) => [unknownEffect(redirect, { ...scope, why })];
  if (!target) return unknown("its file is missing");
  const { shape } = target;
  if (operator === ">&" || operator === "<&") {
    if (/^(?:\d+-?|-)$/.test(shape)) return NONE;
    if (/^[\d-]/.test(shape)) {
      return unknown("a descriptor and the text that adjoins it can be read in two ways");
    }
    if (operator === "<&") return unknown("the descriptor that it reads is not fixed");
  }
  if (shape.startsWith("/dev/")) {
    if (STREAM.test(shape)) return NONE;
    if (/^\/dev\/(?:tcp|udp)\//.test(shape)) return unknown("it opens a network connection");
  }
  if (!isFixed(shape) || shape === "" || target.splits) {
    return unknown("the file that it opens is not fixed");
  }
  const { folders: { paths, open }, line: { state } } = scope;
  if (state.makesLinks) return unknown("the line makes a link, so the path may lead elsewhere");
  if (open && !/^[/~]/.test(shape)) return unknown("the folder of its file is not fixed");
  const kinds = accessBy(operator);
  if (paths.length === 1 && kinds.length === 1) {
    return [fileEffect(redirect, scope, { kind: kinds[0]!, path: joinPath(paths[0]!, shape) })];
  }
  return [...new Set(paths.map((folder) => joinPath(folder, shape)))].flatMap((path) =>
    kinds.map((kind) => fileEffect(redirect, scope, { kind, path }))
  );
}

/** An effect on a file or URL, with a place for every member of one, as `openCommand` makes that of a command. */
export function openAccess(
  { kind, text, via, depth, checkedAgainst, isHarmless, allowTexts, denyTexts }: EveryEffect,
): OpenEffect {
  return {
    kind,
    text,
    via,
    depth,
    of: undefined,
    checkedAgainst,
    path: undefined,
    mayLookUp: undefined,
    behind: undefined,
    isHarmless,
    isListed: undefined,
    isBound: undefined,
    allowTexts,
    denyTexts,
  };
}

function fileEffect(
  { raw, operator, target }: Redirect,
  { context, line, allowTexts }: RedirectScope,
  { kind, path }: { readonly kind: "read" | "write"; readonly path: string },
): Effect {
  const redirect = `${operator}${target?.raw}`;
  const { changed } = line.state;
  const effect = openAccess({
    kind,
    text: path,
    via: viaOf(context, raw),
    depth: context.depth + 1,
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts: allowTexts.map((each) => ({ ...each, redirect })),
    denyTexts: NO_DENY_TEXTS,
  });
  effect.path = "fixed";
  if (changed.length > 0) effect.behind = changed;
  return effect;
}

function unknownEffect(
  { raw, operator }: Redirect,
  { context, allowTexts, why }: RedirectScope & { why: string },
): Effect {
  return {
    kind: "opaque",
    text: raw,
    via: context.via,
    depth: context.depth,
    why,
    path: "open",
    unknownFileAccess: accessBy(operator),
    checkedAgainst: "allRules",
    isHarmless: false,
    allowTexts: allowTexts.map((each) => ({ ...each, minLiteral: Infinity })),
    denyTexts: [{ text: raw, template: raw }],
  };
}

function viaOf({ via }: CommandContext, raw: string): string {
  return via === null ? raw : `${via}, ${raw}`;
}
