import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { maskSecrets } from "../../../lib/audit/mask_secrets.ts";
import { SECRET_PATTERNS } from "../../../lib/audit/secret_patterns.ts";

/** Never in one piece, so that no scanner takes this file for a leak. */
const AWS = "AKIA" + "Z7Q2".repeat(4);
const GITHUB = "ghp_" + "a1B2".repeat(9);
const JWT = ["eyJhbGciOiJI", "eyJzdWIiOiIx", "abc-_def"].join(".");
const KEY_HEAD = "-----BEGIN OPENSSH PRIV" + "ATE KEY-----";
const KEY_TAIL = "-----END OPENSSH PRIV" + "ATE KEY-----";

const CASES: readonly (readonly [text: string, masked: string])[] = [
  // By shape.
  [`aws s3 ls # ${AWS}`, "aws s3 ls # [masked]"],
  [`git push https://x/${GITHUB}`, "git push https://x/[masked]"],
  [`github_pat_${"aB3_".repeat(8)}`, "[masked]"],
  [`glpat-${"x1-Y".repeat(5)} z`, "[masked] z"],
  [`xoxb-${"12345-".repeat(3)}`, "[masked]"],
  [`sk-ant-${"api03-".repeat(4)}`, "[masked]"],
  [`AIza${"Sy4_".repeat(9)}`, "[masked]"],
  ["rk_" + `live_${"a1".repeat(8)}`, "[masked]"],
  [`npm_${"a1B2".repeat(9)}`, "[masked]"],
  [`hf_${"a1B2".repeat(8)}`, "[masked]"],
  [`curl -d ${JWT} x`, "curl -d [masked] x"],
  [`echo "${KEY_HEAD}\nabc\ndef\n${KEY_TAIL}" > k`, 'echo "[masked]" > k'],
  [`printf '${KEY_HEAD}\\nabc`, "printf '[masked]"],
  ["curl https://me:pa@ss@x.org/a", "curl https://[masked]@x.org/a"],
  ["git clone https://token@x.org/a@b", "git clone https://[masked]@x.org/a@b"],
  ["psql postgres://u:p@h:5432/d", "psql postgres://[masked]@h:5432/d"],
  ["git clone ssh://git@github.com/a/b", "git clone ssh://git@github.com/a/b"],
  // By name.
  ["DB_PASSWORD=hunter2 npm test", "DB_PASSWORD=[masked] npm test"],
  ["export PGPASSWORD='my words'; psql", "export PGPASSWORD=[masked]; psql"],
  [
    "STRIPE_KEY=abc AWS_SECRET_ACCESS_KEY=def x",
    "STRIPE_KEY=[masked] AWS_SECRET_ACCESS_KEY=[masked] x",
  ],
  [`a='{"password": "x y", "n": 1}'`, `a='{"password": [masked], "n": 1}'`],
  [String.raw`{\"token\":\"x y\",\"n\":1}`, String.raw`{\"token\":[masked],\"n\":1}`],
  ["clientSecret: abc\nname: x", "clientSecret: [masked]\nname: x"],
  ["https://x.org/?access_token=abc&n=1", "https://x.org/?access_token=[masked]&n=1"],
  ["TOKEN=abc\\ def x", "TOKEN=[masked] x"],
  [`TOKEN=a"b c"'d e' x`, "TOKEN=[masked] x"],
  ["TOKEN=$(cat f)", "TOKEN=[masked](cat f)"],
  ["password=a;rm -rf x", "password=[masked];rm -rf x"],
  ["curl -H 'Authorization: Basic abc def' x", "curl -H 'Authorization: [masked]' x"],
  ['-H "X-Api-Key: abc" x', '-H "X-Api-Key: [masked]" x'],
  ["Cookie: a=b; c=d\nx", "Cookie: [masked]\nx"],
  ["auth is Bearer abcdefgh.ijk", "auth is Bearer [masked]"],
  ["gh auth --token abc --host x", "gh auth --token [masked] --host x"],
  ["deploy --api-key=abc -v", "deploy --api-key=[masked] -v"],
  ["curl -u me:pw https://x", "curl -u me:[masked] https://x"],
  [`curl --user "me:my words" x`, `curl --user "me:[masked]" x`],
  ["sh -c 'TOKEN=abc' x 'y z'", "sh -c 'TOKEN=[masked]' x 'y z'"],
  ['sh -c "TOKEN=abc" x "y z"', 'sh -c "TOKEN=[masked]" x "y z"'],
  ["sshpass -p abc ssh h", "sshpass -p [masked] ssh h"],
  ["mysql -h x -pabc db", "mysql -h x -p[masked] db"],
  ["//registry.x.org/:_authToken=abc", "//registry.x.org/:_authToken=[masked]"],
];

/** Texts that are no secret and are worth reading. */
const PLAIN: readonly string[] = [
  "git push origin main",
  "docker run -u 1000:1000 x",
  "grep -n foo src/author.ts:12",
  "npm run build -- --max_tokens=4096 --sort-key name",
  "primary_key: id",
  "ls --author me",
  "echo keyboard=qwerty monkey=1",
  "scp a git@github.com:b",
  "2026-11-22T08:00:00Z",
];

for (const [text, masked] of CASES) {
  test(`masked: ${masked}`, () => assert.equal(maskSecrets(text), masked));
}

for (const text of PLAIN) {
  test(`as it is: ${text}`, () => assert.equal(maskSecrets(text), text));
}

const secret = fc.stringMatching(/^[A-Za-z0-9]{24,40}$/);

test("what stands behind the name of a secret is never there, however it is written", () => {
  const name = fc.constantFrom(
    "password",
    "API_KEY",
    "db.password",
    "x-auth-token",
    "MY_SECRET",
    "accessToken",
  );
  const form = fc.constantFrom(
    (name: string, value: string) => `${name}=${value}`,
    (name: string, value: string) => `${name} = "${value}"`,
    (name: string, value: string) => `{"${name}": "a ${value}"}`,
    (name: string, value: string) => `{\\"${name}\\":\\"${value}\\"}`,
    (name: string, value: string) => `--${name} '${value}'`,
    (name: string, value: string) => `--${name}=${value}`,
    (name: string, value: string) => `${name}: '${value}'`,
    (name: string, value: string) => `?a=1&${name}=${value}&b=2`,
  );
  fc.assert(fc.property(name, form, secret, (name, form, value) => {
    const masked = maskSecrets(`run ${form(name, value)} now`);
    assert.ok(!masked.includes(value.slice(1)), masked);
    assert.ok(masked.startsWith("run "), masked);
  }));
});

const noise = fc.array(
  fc.oneof(
    fc.constantFrom(
      "password=",
      "--token ",
      "'",
      '"',
      "\\",
      "://",
      "@",
      " ",
      "\n",
      "[masked]",
      "Bearer ",
      "-u a:",
    ),
    fc.constantFrom(
      AWS,
      GITHUB,
      JWT,
      KEY_HEAD,
      KEY_TAIL,
      "Authorization: ",
      "mysql -p",
      "<<EOF",
      "{",
      "&",
    ),
    fc.string({ maxLength: 6 }),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

test("no key of a known shape is left, whatever stands round it", () => {
  fc.assert(
    fc.property(noise, (text) => {
      const masked = maskSecrets(text);
      for (const known of [AWS, GITHUB, KEY_HEAD]) {
        const alone = new RegExp(`(?<![A-Za-z0-9_])${known}(?![A-Za-z0-9_])`);
        assert.doesNotMatch(masked, alone);
      }
    }),
    { numRuns: 2000 },
  );
});

test("a long text costs no more than its length", () => {
  const hard = [
    "a",
    "token",
    "token ",
    "-",
    "--a",
    "=",
    "://",
    "://a",
    "-----BEGIN A",
    "eyJ",
    "sk-",
    "mysql ",
    "'",
    '\\"',
    "a-",
    "Bearer ",
    ": ",
    "zip -",
    "docker login ",
    "docker ",
    "echo a | ",
    "echo a|sudo ",
    "set a ",
    "secret set ",
    "login a ",
    "password: [",
    "?key=",
    "-aaaaau ",
  ];
  const start = performance.now();
  for (const piece of hard) maskSecrets(piece.repeat(Math.ceil(100_000 / piece.length)));
  const each = (performance.now() - start) / hard.length;
  assert.ok(each < 250, `${each} ms each`);
});

test("programs whose option for a password is one letter, and values that stand behind their name", () => {
  const values = ["S3cr3tV4lu3", "pa5", "q7"];
  // A bearer and the key of a URL have a shape of their own.
  const isLong = (text: string) => /&key=|BEARER/.test(text);
  const texts = [
    "curl -b 'sid=VALUE' h",
    "curl -sSu me:VALUE h",
    'curl "https://h/a%3FVALUE&key=VALUE"'.replace("VALUE&", "\\u003f&"),
    `curl -d '{"password": ["VALUE"]}' h`,
    "setenv API_KEY VALUE",
    "set -x API_KEY VALUE; ls",
    "docker login -u me -p VALUE reg",
    "docker login -pVALUE reg",
    "echo VALUE | docker login --password-stdin",
    "echo 'VALUE' | sudo -S ls",
    'echo "root:VALUE" | chpasswd',
    "redis-cli -a VALUE ping",
    "zip -P VALUE x y",
    "unzip -PVALUE x",
    "7z a -pVALUE x",
    "ldapsearch -x -w VALUE -b dc",
    "openssl enc -k VALUE",
    "aws configure set aws_secret_access_key VALUE",
    "npm config set //registry/:_authToken VALUE",
    "gh secret set NAME --body VALUE",
    "gh secret set NAME -b VALUE",
    "machine h login u password VALUE",
    "--pw VALUE",
    "BEARER VALUE",
    "set -gx TOKEN VALUE",
    "setx TOKEN VALUE",
    "PIN=VALUE ls",
    "MYPASS=VALUE ls",
    "auth=('me', 'VALUE')",
    "set_password('VALUE')",
    `login("me", "VALUE")`,
    `expect -c 'spawn x; send "VALUE\\r"'`,
    "TOKEN=(a VALUE) ls",
    "machine h password VALUE login u",
  ];
  const left = values.flatMap((value) =>
    texts.filter((text) => value.length > 8 || !isLong(text))
      .map((text) => maskSecrets(text.replace("VALUE", value)))
      .filter((masked) => masked.includes(value) || !masked.includes("[masked]"))
  );
  assert.deepEqual(left, []);
  for (
    const text of [
      "docker run -u 1000:1000 -p 80:80 x",
      "git branch -b x",
      "set -e; ls",
      "git config set user.name ada",
      "echo a | sudo tee f",
      "zip -r a b",
      "gh secret set NAME < f",
      "docker run -p 80:80 login",
    ]
  ) assert.equal(maskSecrets(text), text);
});

/** A secret of each kind, as a function of a number. */
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  "private key": (n) => `${KEY_HEAD}\nQUJD${n}\n${KEY_TAIL}`,
  "AWS access key": (n) => "AKIA" + `Z7Q${n}`.repeat(4),
  "GitHub token": (n) => "ghp_" + `a1B${n}`.repeat(9),
  "GitLab token": (n) => "glpat-" + `x1-${n}`.repeat(5),
  "Slack token": (n) => "xoxb-" + `1234${n}-`.repeat(3) + "a",
  "Slack webhook": (n) => "services/" + `T0${n}/`.repeat(5) + "a",
  "model API key": (n) => "sk-ant-" + `api${n}`.repeat(5),
  "Google API key": (n) => "AIza" + `Sy4${n}`.repeat(9),
  "Stripe key": (n) => "rk_" + "live_" + `a${n}`.repeat(8),
  "npm token": (n) => "npm_" + `a1B${n}`.repeat(9),
  "PyPI token": (n) => "pypi-" + `a1B${n}`.repeat(12),
  "crates.io token": (n) => "cio" + `a1B${n}`.repeat(8),
  "Docker token": (n) => "dckr_pat_" + `a1B${n}`.repeat(5),
  "Hugging Face token": (n) => "hf_" + `a1B${n}`.repeat(8),
  "SendGrid key": (n) => "SG." + `a1B${n}`.repeat(5) + "." + `a1B${n}`.repeat(5),
  "Twilio key": (n) => "SK" + `a1b${n}`.repeat(8),
  "DigitalOcean token": (n) => "dop_v1_" + `a1b${n}`.repeat(12),
  "Vault token": (n) => "hvs." + `a1B${n}`.repeat(8),
  "Shopify token": (n) => "shpat_" + `a1b${n}`.repeat(8),
  "Atlassian token": (n) => "ATATT" + `a1B${n}`.repeat(8),
  "Databricks token": (n) => "dapi" + `a1b${n}`.repeat(8),
  "Linear, Notion, Supabase key": (n) => "lin_api_" + `a1B${n}`.repeat(9),
  "Telegram token": (n) => `12345678${n}:` + `a1B${n}c`.repeat(7),
  "age key": (n) => "AGE-SECRET-" + "KEY-1" + `A1B${n}`.repeat(14),
  "JSON Web Token": (n) => ["eyJhbGciOi" + n, "eyJzdWIiOi" + n, "abc"].join("."),
  "bearer token": (n) => `abcdefgh${n}`,
  "basic credentials": (n) => `YWRhOnB3${n}=`,
  "key of a URL": (n) => `abcdefgh${n}`,
  "user of a URL": (n) => `me:pw${n}`,
};

/** The text that must stand round it. */
const ROUND: Readonly<Record<string, (secret: string) => string>> = {
  "Slack webhook": (secret) => `https://hooks.slack.com/${secret}`,
  "bearer token": (secret) => `Bearer ${secret}`,
  "basic credentials": (secret) => `Basic ${secret}`,
  "key of a URL": (secret) => `https://x.org/?key=${secret}`,
  "user of a URL": (secret) => `https://${secret}@x.org`,
};

test("there is a secret of each kind here", () => {
  assert.deepEqual(Object.keys(KINDS), SECRET_PATTERNS.map(({ name }) => name));
});

for (const { name } of SECRET_PATTERNS) {
  test(`two secrets of a kind are masked in one text: ${name}`, () => {
    const [one, other] = [1, 2].map((n) => KINDS[name]!(n));
    const round = ROUND[name] ?? ((secret: string) => secret);
    const masked = `echo ${round("[masked]")} ${round("[masked]")} x`;
    assert.equal(maskSecrets(`echo ${round(one!)} ${round(other!)} x`), masked);
  });
}
