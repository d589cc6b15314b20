import { type Announcement, announcementsIn, announces } from "./announcements.ts";
import { secretArguments } from "./secret_arguments.ts";
import { isSecretHeader } from "./secret_name.ts";
import { SECRET_PATTERNS } from "./secret_patterns.ts";

/** The text in a secret's place. */
export const MASK = "[masked]";

/**
 * A piece of a value in quotes, which may be escaped; without a closing quote it goes on to the end of the text.
 */
const QUOTED = /\\["'][^"'\n]*["']?|"(?:[^"\\]|\\[^])*(?:"|$)|'[^']*(?:'|$)/y;

/** A list, up to its end or the line's. */
const LIST = /\[[^\]\n]*\]?|\([^)\n]*\)?/y;

/** A piece without quotes, as a shell ends it, and as JSON and YAML do. */
const BARE = {
  "=": /(?:\\[^]|[^\s"'\\;&|<>(`])+/y,
  ":": /(?:\\[^"'\s]|[^\s"'\\;&|<>(`,])+/y,
} as const;

/** The value of a header: the rest of its line. */
const LINE = /(?:[^"'\r\n\\]|\\(?!["']))+/y;

/**
 * The text with every recognized secret replaced by `[masked]`: keys and tokens by their format, private key blocks, the user
 * part of URLs, and the value after a name such as `password=`, `API_KEY:`, `--token` or `Authorization:`. It errs towards
 * masking. Linear.
 *
 * ```ts
 * import { maskSecrets } from "./mask_secrets.ts";
 *
 * maskSecrets("DB_PASSWORD=hunter2 npm test"); // "DB_PASSWORD=[masked] npm test"
 * ```
 */
export function maskSecrets(text: string): string {
  return findSecrets(text).text;
}

/** A text without its secrets. */
export interface MaskedText {
  /** The text with `[masked]` in their place. */
  readonly text: string;
  /** The secrets as they are written, with their quotes, in no order. */
  readonly secrets: readonly string[];
}

/** The text as `maskSecrets` masks it, and what it took out. */
export function findSecrets(text: string): MaskedText {
  const secrets: string[] = [];
  let masked = text;
  for (const { pattern } of SECRET_PATTERNS) {
    masked = masked.replace(pattern, (secret) => {
      secrets.push(secret);
      return MASK;
    });
  }
  // First, since a masked word is no option any more.
  masked = maskedArguments(masked, secrets);
  for (const announcement of announcementsIn(text)) {
    masked = maskedAfter(masked, { announcement, secrets });
  }
  return { text: masked, secrets };
}

function maskedArguments(text: string, secrets: string[]): string {
  let masked = "";
  let copied = 0;
  for (const { start, end } of secretArguments(text)) {
    secrets.push(text.slice(start, end));
    masked += text.slice(copied, start) + MASK;
    copied = end;
  }
  return masked + text.slice(copied);
}

function maskedAfter(
  text: string,
  { announcement, secrets }: { readonly announcement: Announcement; readonly secrets: string[] },
): string {
  const { before } = announcement;
  let masked = "";
  let copied = 0;
  let quotes: Quotes = { at: 0, open: undefined };
  before.lastIndex = 0;
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const name = match.groups?.["name"] ?? "";
    if (!announces(announcement, name)) continue;
    const start = before.lastIndex;
    quotes = quotesUpTo(text, { start, quotes });
    const end = endOfSecret(text, { start, name, announced: match[0], open: quotes.open });
    if (end === start) continue;
    secrets.push(text.slice(start, end));
    masked += text.slice(copied, start) + MASK;
    copied = end;
    before.lastIndex = end;
  }
  return masked + text.slice(copied);
}

/** The quote that is open at a place. */
interface Quotes {
  /** The place. */
  readonly at: number;
  /** The quote. */
  readonly open: string | undefined;
}

/** Continues from a place to a later one. */
function quotesUpTo(text: string, { start, quotes }: { start: number; quotes: Quotes }): Quotes {
  let { at, open } = quotes;
  for (; at < start; at++) {
    const character = text[at];
    if (character === "\\" && open !== "'") at++;
    else if (character === open) open = undefined;
    else if (open === undefined && (character === '"' || character === "'")) open = character;
  }
  return { at, open };
}

function endOfSecret(
  text: string,
  { start, name, announced, open }: {
    readonly start: number;
    readonly name: string;
    readonly announced: string;
    readonly open: string | undefined;
  },
): number {
  if (isSecretHeader(name)) return endOfHeader(text, start);
  // A flag's value in quotes of its own: -u "me:my words".
  if (name === "" && open !== undefined && announced.includes(open)) {
    const end = text.indexOf(open, start);
    return end < 0 ? text.length : end;
  }
  return endOfValue(text, {
    start,
    sign: name !== "" && announced.includes(":") ? ":" : "=",
    open,
  });
}

function endOfHeader(text: string, start: number): number {
  const quoted = endOf(QUOTED, { text, start });
  return quoted > start ? quoted : endOf(LINE, { text, start });
}

/**
 * The end of a value. A quote opened before the value ends it; otherwise the value is a shell word of quoted and bare
 * pieces.
 */
function endOfValue(
  text: string,
  { start, sign, open }: { start: number; sign: ":" | "="; open: string | undefined },
): number {
  let end = endOf(QUOTED, { text, start });
  if (end > start && (sign === ":" || open !== undefined)) return end;
  const list = endOf(LIST, { text, start });
  if (list > start) return list;
  while (true) {
    const before = end;
    end = endOf(BARE[sign], { text, start: end });
    if (sign === "=" && text[end] !== open) end = endOf(QUOTED, { text, start: end });
    if (end === before) return end;
  }
}

/** The end of the piece that begins at a place; the place itself if none does. */
function endOf(piece: RegExp, { text, start }: { text: string; start: number }): number {
  piece.lastIndex = start;
  return piece.test(text) ? piece.lastIndex : start;
}
