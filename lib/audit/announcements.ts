import { isSecretName } from "./secret_name.ts";

/** A text that announces a secret value. */
export interface Announcement {
  /** Matches up to the value; global, with a group `name` for the name of the value. */
  readonly before: RegExp;
  /** True if the value that follows is always a secret; when left out, its name decides. */
  readonly always?: true;
  /** Matches the texts that it is about; when left out, all are. */
  readonly within?: RegExp;
}

/** The announcements of a text, in the order in which they are looked for. */
export function announcementsIn(text: string): readonly Announcement[] {
  return ANNOUNCEMENTS.filter(({ within }) => within === undefined || within.test(text));
}

/** True if a match announces a secret. */
export function announces({ always }: Announcement, name: string): boolean {
  return always === true || isSecretName(name);
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
  // mysql -pvalue
  { before: /\b(?:mysql(?:dump|admin|import)?|mariadb)\b[^\n;|&]{0,200}? -p(?=\S)/g, always: true },
  // aws configure set NAME value, npm config set NAME value, setenv NAME value, set -gx NAME value
  {
    before:
      /\bset(?:env|x)?(?:[ \t]{1,8}--?[A-Za-z][\w-]{0,30}){0,6}[ \t]{1,8}(?<name>[\w.\/:@-]{1,200})[ \t]{1,8}(?=\S)/g,
  },
  // netrc
  { before: /\blogin[ \t]{1,8}\S{1,100}[ \t]{1,8}password[ \t]{1,8}/g, always: true },
  {
    before: /\bpassword[ \t]{1,8}(?=\S)/g,
    always: true,
    within: /\b(?:machine|default)\b[^]*\blogin\b/,
  },
  // login("me", "value"), auth=("me", "value")
  {
    before:
      /\b(?:login|authenticate|auth|basic_auth|basicAuth|BasicAuth|HTTPBasicAuth|HTTPDigestAuth|set_auth|credentials)["']?\s{0,4}[=:]?\s{0,4}\(\s{0,8}\\?["'][^"'\n]{0,100}["']\s{0,8},\s{0,8}/g,
    always: true,
  },
  // set_password("value")
  { before: /(?<![\w.])(?<name>[A-Za-z][\w.]{0,80})\(\s{0,8}(?=\\?["'])/g },
  // send "value" in a script of expect
  {
    before: /\bsend(?:_user)?[ \t]{1,8}(?:--?[\w]*[ \t]{1,8}){0,3}/g,
    always: true,
    within: /\b(?:expect|spawn)\b/,
  },
];
