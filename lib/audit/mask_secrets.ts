import type { ToolCall } from "../model/call.ts";
import { toolProfiles } from "../policy/compile/profiles.ts";
import { isSecretHeader, isSecretName } from "./secret_name.ts";

/** The text in a secret's place. */
export const MASK = "[masked]";

/** A text that announces a secret value. */
interface Announcement {
  /** Matches up to the value; global, with a group `name` for the name of the value. */
  readonly before: RegExp;
  /** True if the value that follows is always a secret; when left out, its name decides. */
  readonly always?: true;
}

/** The length of names is bounded, so that a long run of letters costs no more than its length. */
const ANNOUNCEMENTS: readonly Announcement[] = [
  // NAME=value, name: value, "name": "value", name => value, also with their quotes escaped.
  { before: /(?<![\w.])(?<name>\w[\w.-]{0,80})(?:\\?["'])?\s{0,8}(?:=>|:=|[:=])[ \t]{0,8}/g },
  // --token value
  { before: /(?<![\w-])--?(?<name>[A-Za-z][\w.-]{0,60})[ \t]{1,8}(?=[^-\s])/g },
  // curl -u user:password
  {
    before:
      /(?<=\s)(?:-[A-Za-z]{0,8}[uU]|--user|--proxy-user)[ =]?[ \t]{0,8}["']?(?!\d{1,9}:\d)[^\s:"'=]{1,100}:(?!\/\/)/g,
    always: true,
  },
  { before: /\bsshpass[ \t]+-p[ \t]{0,8}/g, always: true },
  // mysql -pvalue
  { before: /\b(?:mysql(?:dump|admin|import)?|mariadb)\b[^\n;|&]{0,200}? -p(?=\S)/g, always: true },
  // Other programs whose option for a password is one letter.
  ...["curl b", "redis-cli a", "(?:un)?zip P", "7za? p", "ldap\\w{1,20} w", "openssl k"].map(
    ofOption,
  ),
  ...["docker", "podman", "helm"].map((name) => ofOption(`${name}[^\\n;|&]{0,100}? login p`)),
  { before: /\bsecret[ \t]+set\b[^\n;|&]{0,200}? (?:-b|--body)[ =][ \t]{0,8}/g, always: true },
  // aws configure set NAME value, npm config set NAME value, setenv NAME value
  { before: /\bset(?:env)?(?: -[a-z]+)?[ \t]{1,8}(?<name>[\w.\/:@-]{1,200})[ \t]{1,8}(?=[^-\s])/g },
  // netrc
  { before: /\blogin[ \t]{1,8}\S{1,100}[ \t]{1,8}password[ \t]{1,8}/g, always: true },
  // echo value | sudo -S
  {
    before:
      /\b(?:echo|printf)(?:[ \t]+(?:-n|'%s'|'%s\\n'))?[ \t]{1,8}(?=[^\n|]{1,300}\|[ \t]*(?:sudo [^\n|]{0,60}-\w*S\b|chpasswd|[^\n|]{0,200} --(?:password-stdin|with-token)\b))/g,
    always: true,
  },
];

/** `curl b`: what follows `-b` in a command of that program. */
function ofOption(text: string): Announcement {
  const [letter = "", ...program] = text.split(" ").toReversed();
  const name = program.toReversed().join("[ \\t]+");
  const before = new RegExp(
    `\\b${name}\\b[^\\n;|&]{0,200}? -${letter}(?![\\w-]*assword)[ \\t]{0,8}(?=\\S)`,
    "g",
  );
  return { before, always: true };
}

/** Matches every text with a secret, so that most texts cost only this test. */
const SUSPECT = /[:=@]|[\w-]{10}|-----|\s-|^-|earer |asic |slack/;

/**
 * A piece of a value in quotes, which may be escaped; without a closing quote it goes on to the end of the text.
 */
const QUOTED = /\\["'][^"'\n]*["']?|"(?:[^"\\]|\\[^])*(?:"|$)|'[^']*(?:'|$)/y;

/** A list, up to its end or the line's. */
const LIST = /\[[^\]\n]*\]?/y;

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
  if (!SUSPECT.test(text)) return text;
  let masked = text;
  for (const { pattern } of SECRET_PATTERNS) masked = masked.replace(pattern, MASK);
  for (const announcement of ANNOUNCEMENTS) masked = maskedAfter(masked, announcement);
  return masked;
}

function maskedAfter(text: string, { before, always }: Announcement): string {
  let masked = "";
  let copied = 0;
  let quotes: Quotes = { at: 0, open: undefined };
  before.lastIndex = 0;
  for (let match = before.exec(text); match !== null; match = before.exec(text)) {
    const name = match.groups?.["name"] ?? "";
    if (always !== true && !isSecretName(name)) continue;
    const start = before.lastIndex;
    quotes = quotesUpTo(text, { start, quotes });
    const end = endOfSecret(text, { start, name, announced: match[0], open: quotes.open });
    if (end === start) continue;
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
  const list = sign === ":" ? endOf(LIST, { text, start }) : start;
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

/** One kind of secret with a format of its own. */
interface SecretPattern {
  readonly name: string;
  /** Matches it; global, and linear in the length of the text. */
  readonly pattern: RegExp;
}

/** Secrets with a documented format. Other secrets are recognized by the name before them. */
const SECRET_PATTERNS: readonly SecretPattern[] = [
  {
    name: "private key",
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^]*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  { name: "AWS access key", pattern: /\b(?:AKIA|ASIA|ABIA|ACCA|A3T[A-Z0-9])[A-Z0-9]{16}\b/g },
  { name: "GitHub token", pattern: /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_\w{22,})/g },
  { name: "GitLab token", pattern: /\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[\w.-]{16,}/g },
  { name: "Slack token", pattern: /\bxox[a-z]-[\w-]{10,}|\bxapp-[\w-]{10,}/g },
  {
    name: "Slack webhook",
    pattern: /(?<=hooks\.slack\.com\/)(?:services|workflows)\/[\w/+-]{10,}/g,
  },
  { name: "model API key", pattern: /\bsk-[\w-]{16,}|\b(?:gsk|r8|xai|pplx)[_-][A-Za-z0-9]{20,}/g },
  { name: "Google API key", pattern: /\bAIza[\w-]{30,}|\bya29\.[\w-]{10,}|\bGOCSPX-[\w-]{20,}/g },
  { name: "Stripe key", pattern: /\b[spr]k_(?:live|test)_\w{10,}|\bwhsec_\w{10,}/g },
  { name: "npm token", pattern: /\bnpm_[A-Za-z0-9]{30,}/g },
  { name: "PyPI token", pattern: /\bpypi-[\w-]{40,}/g },
  { name: "crates.io token", pattern: /\bcio[A-Za-z0-9]{32}\b/g },
  { name: "Docker token", pattern: /\bdckr_(?:pat|oat)_[\w-]{16,}/g },
  { name: "Hugging Face token", pattern: /\bhf_[A-Za-z0-9]{20,}/g },
  { name: "SendGrid key", pattern: /\bSG\.[\w-]{16,}\.[\w-]{16,}/g },
  { name: "Twilio key", pattern: /\bSK[0-9a-f]{32}\b/g },
  { name: "DigitalOcean token", pattern: /\bdo[opr]_v1_[0-9a-f]{40,}/g },
  { name: "Vault token", pattern: /\bhv[sbr]\.[\w-]{20,}/g },
  { name: "Shopify token", pattern: /\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}/g },
  { name: "Atlassian token", pattern: /\bAT(?:ATT|BB|CTT)[A-Za-z0-9_=-]{20,}/g },
  { name: "Databricks token", pattern: /\bdapi[0-9a-f]{32}/g },
  { name: "Linear, Notion, Supabase key", pattern: /\b(?:lin_api_|ntn_|secret_|sbp_)\w{30,}/g },
  { name: "Telegram token", pattern: /\b\d{8,10}:[\w-]{35}/g },
  { name: "age key", pattern: /\bAGE-SECRET-KEY-1[0-9A-Z]{50,}/gi },
  { name: "JSON Web Token", pattern: /\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*/g },
  { name: "bearer token", pattern: /(?<=\bbearer +)[\w.~+/=-]{8,}/gi },
  { name: "basic credentials", pattern: /(?<=\bbasic +)(?=[A-Za-z+/]*[0-9=])[\w+/=-]{8,}/gi },
  { name: "key of a URL", pattern: /(?<=[?&]key=)[^\s&#"'<>;|]{8,}/g },
  { name: "user of a URL", pattern: /(?<=:\/\/)(?!git@)[^\s/?#'"<>]+(?=@)/g },
];

/** The text that people know a call by. */
interface OwnText {
  /** The field that it stands in. */
  readonly field: string;
  /** The command, the path, the URL. */
  readonly text: string;
}

const PROFILES = toolProfiles(new Map());

/** The first argument of a call of a known tool; undefined if there is none, or it is no text. */
export function ownText({ tool, input }: Pick<ToolCall, "tool" | "input">): OwnText | undefined {
  const field = PROFILES.get(tool).firstArg?.find((name) => Object.hasOwn(input, name));
  const value = field === undefined ? undefined : input[field];
  return field === undefined || typeof value !== "string" ? undefined : { field, text: value };
}
