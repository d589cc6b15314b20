import { type Folders, joined } from "./folders.ts";
import type { LineFacts } from "./line_facts.ts";
import { fixedWord, isFixed } from "./parse_word.ts";
import type { Place } from "./place.ts";
import type { Redirect } from "./tree.ts";
import type { Cover, Unit } from "./unit.ts";

/** What redirections are read for. */
export interface RedirectOptions {
  /** Where their command stands. */
  readonly place: Place;
  /** The folders that it may run in. */
  readonly folders: Folders;
  /** What covers them besides an allow rule that names them. */
  readonly covers: readonly Cover[];
  /** What holds for the line. */
  readonly facts: LineFacts;
}

/** Files that are always there, and descriptors. */
const STREAM = /^\/dev\/(?:null|zero|full|stdin|stdout|stderr|tty|fd\/\d+)$/;

/** What an operator does to its file; `<>` opens it for both. */
function kindsOf(operator: string): readonly ("read" | "write")[] {
  return operator === "<" ? ["read"] : operator === "<>" ? ["write", "read"] : ["write"];
}

/** The files that redirections open. */
export function redirectUnits(
  redirects: readonly Redirect[],
  options: RedirectOptions,
): readonly Unit[] {
  if (redirects.length === 0) return [];
  const units = redirects.flatMap((redirect) => unitsOf(redirect, options));
  if (units.length < 2) return units;
  const seen = new Set<string>();
  return units.filter(({ kind, text, via }) => {
    const key = JSON.stringify([kind, text, via]);
    return !seen.has(key) && seen.add(key);
  });
}

function unitsOf(redirect: Redirect, options: RedirectOptions): readonly Unit[] {
  const why = setsVariable(redirect, options.facts);
  const steers = why === undefined
    ? []
    : [unitOf(redirect, { ...options, kind: "opaque", text: redirect.raw, why })];
  return [...steers, ...openedBy(redirect, options)];
}

/** Why it matters which variable gets the number of the descriptor, in `{fd}>file`. */
function setsVariable({ raw }: Redirect, facts: LineFacts): string | undefined {
  const name = /^\{([^}]*)\}/.exec(raw)?.[1];
  if (name === undefined) return undefined;
  if (!/^[A-Za-z_]\w*$/.test(name)) return "which variable it sets is not fixed";
  facts.set(name, fixedWord("0"));
  return facts.knowledge.isSteering(name) ? `"${name}" steers what runs afterwards` : undefined;
}

function openedBy(redirect: Redirect, options: RedirectOptions): readonly Unit[] {
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
): Unit {
  const { place, kind, text, why } = options;
  const holds = target === undefined ? undefined : `${operator}${target.raw}`;
  const covers = kind === "opaque" || holds === undefined
    ? options.covers.map((cover) => ({ ...cover, need: Infinity }))
    : options.covers.map((cover) => ({ ...cover, holds }));
  return {
    kind,
    text,
    via: kind === "opaque" ? place.via : viaOf(place, raw),
    depth: kind === "opaque" ? place.depth : place.depth + 1,
    ...(why === undefined ? { path: "fixed" } : { why, path: "open", opens: kindsOf(operator) }),
    judged: "own",
    companion: false,
    covers,
    wide: kind === "opaque" ? [{ text: raw, shape: raw }] : [],
  };
}

function viaOf({ via }: Place, raw: string): string {
  return via === null ? raw : `${via}, ${raw}`;
}
