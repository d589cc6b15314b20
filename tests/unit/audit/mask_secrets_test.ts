import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { maskSecrets } from "../../../lib/audit/mask_secrets.ts";

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
  ["sshpass -p abc ssh h", "sshpass -p [masked] ssh h"],
  ["mysql -h x -pabc db", "mysql -h x -p[masked] db"],
  ["//registry.x.org/:_authToken=abc", "//registry.x.org/:_authToken=[masked]"],
];

/** What is no secret, and is worth reading. */
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
  const value = "S3cr3tV4lu3";
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
  ];
  const left = texts.map((text) => maskSecrets(text.replace("VALUE", value)))
    .filter((masked) => masked.includes(value) || !masked.includes("[masked]"));
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
