import { type Folders, joined } from "./folders.ts";
import type { LineState } from "./line_facts.ts";
import { fixedWord, isFixed } from "./parse/parse_word.ts";
import type { CommandContext } from "./place.ts";
import type { Redirect } from "./parse/tree.ts";
import type { AllowText, Effect } from "./unit.ts";

/** What redirections are read for. */
export interface RedirectOptions {
  /** Where their command stands. */
  readonly place: CommandContext;
  /** The folders that it may run in. */
  readonly folders: Folders;
  /** What covers them besides an allow rule that names them. */
  readonly allowTexts: readonly AllowText[];
  /** What holds for the line. */
  readonly facts: LineState;
}

/** Files that are always there, and descriptors. */
const STREAM = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** What an operator does to its file; `<>` opens it for both. */
function kindsOf(operator: string): readonly ("read" | "write")[] {
  return operator === "<" ? ["read"] : operator === "<>" ? ["write", "read"] : ["write"];
}

/** The files that redirections open. */
export function redirectEffects(
  redirects: readonly Redirect[],
  options: RedirectOptions,
): readonly Effect[] {
  if (redirects.length === 0) return [];
  const effects = redirects.flatMap((redirect) => unitsOf(redirect, options));
  if (effects.length < 2) return effects;
  const seen = new Set<string>();
  return effects.filter(({ kind, text, via }) => {
    const key = JSON.stringify([kind, text, via]);
    return !seen.has(key) && seen.add(key);
  });
}

function unitsOf(redirect: Redirect, options: RedirectOptions): readonly Effect[] {
  const why = setsVariable(redirect, options.facts);
  const steers = why === undefined
    ? []
    : [unitOf(redirect, { ...options, kind: "opaque", text: redirect.raw, why })];
  return [...steers, ...openedBy(redirect, options)];
}

/** Why it matters which variable gets the number of the descriptor, in `{fd}>file`. */
function setsVariable({ raw }: Redirect, facts: LineState): string | undefined {
  const name = /^\{([^}]*)\}/.exec(raw)?.[1];
  if (name === undefined) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(name)) return "which variable it sets is not fixed";
  facts.set(name, fixedWord("0"));
  return facts.catalog.isSteeringVariable(name)
    ? `"${name}" steers what runs afterwards`
    : undefined;
}

function openedBy(redirect: Redirect, options: RedirectOptions): readonly Effect[] {
  const { raw, operator, target } = redirect;
  if (operator === "<<" || operator === "<<<") return [];
  const odd = (why: string) => [unitOf(redirect, { ...options, kind: "opaque", text: raw, why })];
  if (!target) return odd("its file is missing");
  const { shape } = target;
  if (operator === ">&" || operator === "<&") {
    if (/^(?:\d+-?|-)$/.test(shape)) return [];
    if (/^[\d-]/.test(shape)) return odd("a descriptor and what touches it are read in two ways");
    if (operator === "<&") return odd("which descriptor it reads is not fixed");
  }
  if (STREAM.test(shape)) return [];
  if (/^\/dev\/(?:tcp|udp)\//.test(shape)) return odd("it opens a network connection");
  if (!isFixed(shape) || shape === "" || target.splits) {
    return odd("which file it opens is not fixed");
  }
  if (options.facts.links) return odd("the line makes a link, so the file may be another");
  const { folders } = options;
  if (folders.open && !/^[/~]/.test(shape)) return odd("in which folder it stands is not fixed");
  const kinds = kindsOf(operator);
  return [...new Set(folders.paths.map((folder) => joined(folder, shape)))].flatMap((path) =>
    kinds.map((kind) => unitOf(redirect, { ...options, kind, text: path }))
  );
}

function unitOf(
  { raw, operator, target }: Redirect,
  options: RedirectOptions & { kind: "opaque" | "read" | "write"; text: string; why?: string },
): Effect {
  const { place, kind, text, why } = options;
  const redirect = target === undefined ? undefined : `${operator}${target.raw}`;
  const covers = kind === "opaque" || redirect === undefined
    ? options.allowTexts.map((cover) => ({ ...cover, minLiteral: Infinity }))
    : options.allowTexts.map((cover) => ({ ...cover, redirect }));
  return {
    kind,
    text,
    via: kind === "opaque" ? place.via : viaOf(place, raw),
    depth: kind === "opaque" ? place.depth : place.depth + 1,
    ...(why === undefined
      ? { path: "fixed" }
      : { why, path: "open", unknownFileAccess: kindsOf(operator) }),
    checkedAgainst: "own",
    isHarmless: false,
    allowTexts: covers,
    denyTexts: kind === "opaque" ? [{ text: raw, template: raw }] : [],
  };
}

function viaOf({ via }: CommandContext, raw: string): string {
  return via === null ? raw : `${via}, ${raw}`;
}
