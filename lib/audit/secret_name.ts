/** Words that make a name that of a secret, anywhere in it. */
const SECRET_WORDS: ReadonlySet<string> = new Set(
  ("password passwd passphrase passcode pwd secret secrets token credential credentials cred creds authorization " +
    "mnemonic passin passout").split(" "),
);

/** Words that do so only at its end: `DB_PASS`, not `auth.ts`. */
const LAST_WORDS: ReadonlySet<string> = new Set(
  "pass pw pin puk cvv cvc auth cookie cookies bearer signature sig sas dsn jwt otp totp pat psk"
    .split(" "),
);

/** Endings without a word boundary: `PGPASSWORD`, `dbpasswd`, `mysecret`, `MYPASS`, but not `bypass`. */
const SECRET_END =
  /(?:password|passwd|passphrase|pwd|secret|token|credentials?|(?:api|auth|access|priv|private|secret|master|signing|session|account|encryption)key|(?<!^(?:by|com|tres|sur|over|under|encom|im))pass)$/;

/** The words before `key` that make it a secret: `private_key`, not `primary_key`. */
const SECRET_KEYS: ReadonlySet<string> = new Set(
  ("api access private secret signing encryption account master license shared service storage deploy ssh session app " +
    "application auth admin client consumer publishable server subscription webhook hmac aes rsa")
    .split(" "),
);

/** The names of HTTP headers whose whole value is a secret. */
const HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "proxy-authorization",
  "cookie",
  "set-cookie",
]);

/** True if a variable, field, flag or header of that name probably holds a secret. */
export function isSecretName(name: string): boolean {
  const words = wordsOf(name);
  return words.some((word, index) =>
    SECRET_WORDS.has(word) || SECRET_END.test(word) ||
    index === words.length - 1 && LAST_WORDS.has(word) ||
    word === "key" && index > 0 && SECRET_KEYS.has(words[index - 1] ?? "")
  ) || isVariableOfKey(name);
}

/** True if a header of that name is a secret up to the end of its line. */
export function isSecretHeader(name: string): boolean {
  return HEADERS.has(name.toLowerCase());
}

/** `STRIPE_KEY`, as variables of an environment are written. */
function isVariableOfKey(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*_KEY(?:_ID)?$/.test(name);
}

/** `aws_secretAccess-Key` as its words in lower case. */
function wordsOf(name: string): readonly string[] {
  return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}
