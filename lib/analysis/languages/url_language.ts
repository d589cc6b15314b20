import { type Glob, matchGlob, onlyText, printGlob } from "../../pattern/glob.ts";
import { DEFAULT_PORTS } from "../../pattern/url/call_url.ts";
import { type HostLabel, type UrlParts, urlParts } from "../../pattern/url/url_pattern.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import {
  type CharSet,
  charsOf,
  complement,
  has,
  intersection,
  union,
} from "../automata/char_set.ts";
import { globLanguage } from "./glob_language.ts";

const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const LETTER = charsOf(LETTERS);
const DIGIT = charsOf("0123456789");
const LABEL_END = union(charsOf(`${LETTERS}_`), DIGIT);
const LABEL = union(LABEL_END, charsOf("-"));
const HOST = union(LABEL, charsOf("."));
/** Characters that the platform does not change in a path; `%` would be another spelling of something. */
const PATH = union(LABEL, charsOf("ABCDEFGHIJKLMNOPQRSTUVWXYZ.~!$&()*+,;=:@'"));
const QUERY = intersection(union(PATH, charsOf("/?")), complement(charsOf("'")));
const QUESTION = charsOf("?");
const SCHEMES = ["https", "http", "wss", "ws", "ftp"];

/**
 * URLs that the platform does not change: http, https, ws, wss or ftp, a host name in lower case or four numbers, a port
 * other than the scheme's own, a path without dot segments and percent signs, an optional query, no fragment.
 */
export function urlDomain(automata: Automata): State {
  const host = automata.either([hostNames(automata), addresses(automata)]);
  const tail = tailDomain(automata);
  const slash = charsOf("/");
  return automata.either(SCHEMES.map((scheme) => {
    const own = automata.text(DEFAULT_PORTS[scheme] ?? "", automata.text("/", automata.everything));
    const port = automata.both(portNumbers(automata, tail), automata.not([own]));
    return automata.text(
      `${scheme}://`,
      automata.either([
        automata.then(host, { mark: slash, next: after(automata, tail) }),
        automata.then(host, { mark: charsOf(":"), next: port }),
      ]),
    );
  }));
}

/** The rest behind the slash that a language's words begin with. */
function after(automata: Automata, state: State): State {
  return automata.either(state.edges.filter(({ set }) => has(set, 0x2f)).map(({ to }) => to));
}

/** Labels separated by dots; the last begins with a letter. */
function hostNames(automata: Automata): State {
  const label = (first: CharSet) =>
    automata.either([
      automata.one(first, automata.end),
      automata.one(first, automata.star(LABEL, automata.one(LABEL_END, automata.end))),
    ]);
  const dotted = automata.loop({ before: charsOf("."), inner: label(LABEL_END) });
  const last = label(LETTER);
  const ends = automata.either([last, automata.star(HOST, automata.text(".", last))]);
  return automata.both(dotted.edges[0]!.to, ends);
}

/** Four numbers up to 255. */
function addresses(automata: Automata): State {
  return [1, 2, 3].reduce(
    (state) => octetLanguage(automata, automata.text(".", state)),
    octetLanguage(automata, automata.end),
  );
}

/** 1 to 59999, without leading zeros. */
function portNumbers(automata: Automata, next: State): State {
  const upTo = (count: number): State =>
    count === 0 ? next : automata.either([next, automata.one(DIGIT, upTo(count - 1))]);
  return automata.either([
    automata.one([0x31, 0x39], upTo(3)),
    automata.one([0x31, 0x35], upTo(4)),
  ]);
}

function octetLanguage(automata: Automata, next: State): State {
  const digit = (low: number, high: number, then: State) =>
    automata.one([0x30 + low, 0x30 + high], then);
  return automata.either([
    digit(0, 9, next),
    digit(1, 9, digit(0, 9, next)),
    digit(1, 1, digit(0, 9, digit(0, 9, next))),
    digit(2, 2, digit(0, 4, digit(0, 9, next))),
    digit(2, 2, digit(5, 5, digit(0, 5, next))),
  ]);
}

/** Path and query. */
function tailDomain(automata: Automata): State {
  const { end } = automata;
  const segment = automata.both(
    automata.star(PATH, end),
    automata.not([automata.text(".", end), automata.text("..", end)]),
  );
  const path = automata.loop({ before: charsOf("/"), inner: segment });
  const query = automata.one(QUERY, automata.star(QUERY, end));
  return automata.either([path, automata.then(path, { mark: QUESTION, next: query })]);
}

interface TailOptions {
  readonly automata: Automata;
  readonly scheme: string;
  readonly next: State;
}

/** A port as in `href`: none for the scheme's own; `*` is any or none. */
function portLanguage(port: string, { automata, scheme, next }: TailOptions): State {
  if (port === (DEFAULT_PORTS[scheme] ?? "")) return next;
  if (port !== "*") return automata.text(`:${port}`, next);
  const digits = automata.one(DIGIT, automata.star(DIGIT, next));
  return automata.either([next, automata.text(":", digits)]);
}

/** The URLs of an allow rule's pattern. */
export function mustUrlLanguage(glob: Glob, automata: Automata): State {
  const parts = partsOf(glob);
  if (!parts) return automata.nothing;
  const path = parts.path
    ? globLanguage(parts.path, { automata, next: automata.end })
    : fromSlash(automata);
  return schemesOf(parts, automata, (scheme) => {
    const port = parts.port ?? DEFAULT_PORTS[scheme] ?? "";
    const next = portLanguage(port, { automata, scheme, next: path });
    return labelsLanguage(parts.labels, { automata, next });
  });
}

/** The URLs of a deny or ask rule's pattern: part by part, or as a text, with and without its port. */
export function mayUrlLanguage(glob: Glob, automata: Automata): State {
  const text = globLanguage(glob, { automata, next: automata.end });
  const whole = [text, automata.withPort(text)];
  const parts = partsOf(glob);
  if (!parts) return automata.either(whole);
  const path = parts.path ? mayPath(parts.path, automata) : fromSlash(automata);
  const byParts = schemesOf(parts, automata, (scheme) => {
    const next = portLanguage(parts.port ?? "*", { automata, scheme, next: path });
    return automata.either([
      labelsLanguage(parts.labels, { automata, next }),
      hostLanguage(parts.host, { automata, next }),
    ]);
  });
  return automata.either([...whole, byParts]);
}

/** `domain:host`: the host or one below it. */
export function domainLanguage(
  host: string,
  { automata, strict }: { automata: Automata; strict: boolean },
): State {
  const schemes = strict ? ["https", "http"] : SCHEMES;
  return automata.either(schemes.map((scheme) => {
    const next = portLanguage("*", { automata, scheme, next: fromSlash(automata) });
    const self = automata.text(host, next);
    const below = automata.one(HOST, automata.star(HOST, automata.text(`.${host}`, next)));
    return automata.text(`${scheme}://`, automata.either([self, below]));
  }));
}

/** Any path. */
function fromSlash(automata: Automata): State {
  return automata.text("/", automata.everything);
}

function partsOf(glob: Glob): UrlParts | undefined {
  const parts = urlParts(printGlob(glob));
  return parts.ok ? parts.value : undefined;
}

function schemesOf(
  parts: UrlParts,
  automata: Automata,
  rest: (scheme: string) => State,
): State {
  const schemes = SCHEMES.filter((scheme) => matchGlob(parts.scheme, scheme));
  return automata.either(schemes.map((scheme) => automata.text(`${scheme}://`, rest(scheme))));
}

/** A path with or without its query. */
function mayPath(glob: Glob, automata: Automata): State {
  const path = globLanguage(glob, { automata, next: automata.end });
  const plain = automata.both(path, automata.star(complement(QUESTION), automata.end));
  return automata.either([
    path,
    automata.then(plain, { mark: QUESTION, next: automata.everything }),
  ]);
}

interface HostOptions {
  readonly automata: Automata;
  readonly next: State;
}

/** A host as a string glob, whose wildcards stay in the host. */
function hostLanguage(glob: Glob, { automata, next }: HostOptions): State {
  return glob.toReversed().reduce((state, token) => {
    switch (token.kind) {
      case "text":
        return automata.text(token.text, state);
      case "star":
        return automata.star(HOST, state);
      case "anyChar":
        return automata.one(HOST, state);
    }
  }, next);
}

/** Label by label; a `*` is one or more whole labels. */
function labelsLanguage(labels: readonly HostLabel[], { automata, next }: HostOptions): State {
  return labels.toReversed().reduce((state, label, index) => {
    const then = index === 0 ? state : automata.text(".", state);
    if (label.kind === "anyLabels") return automata.one(HOST, automata.star(HOST, then));
    if (onlyText(label.glob) === "") return automata.nothing;
    return label.glob.toReversed().reduce(
      (inner, token) =>
        token.kind === "text" ? automata.text(token.text, inner) : automata.one(LABEL, inner),
      then,
    );
  }, next);
}
