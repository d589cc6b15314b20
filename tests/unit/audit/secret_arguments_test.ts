import assert from "node:assert/strict";
import { test } from "node:test";
import secrets from "../../../defaults/secrets.json" with { type: "json" };
import { maskSecrets } from "../../../lib/audit/mask_secrets.ts";

const SECRET = "hunter2";

/** Command lines that have the secret in each of the ways of an entry. */
function linesOf(
  row: typeof secrets.arguments[number],
  command: readonly string[],
): readonly string[] {
  const name = command.join(" ").replace("*", "");
  const needed = row.with === undefined ? [""] : row.with.map((option) => ` ${option}`);
  return [
    ...(row.options ?? []).flatMap((option) => [
      `${name} -v ${option} ${SECRET} x`,
      `cd a && sudo /usr/bin/${name} ${option}=${SECRET}`,
      `sh -c "${name} ${option} '${SECRET}'; ls"`,
      ...(option.length === 2 ? [`${name} ${option}${SECRET} x`] : []),
    ]),
    ...(row.pairOptions ?? []).map((option) => `${name} x ${option}=a=${SECRET} y`),
    ...(row.operands ?? []).flatMap((place) =>
      needed.map((option) =>
        place < 0
          ? `${name}${option} a ${SECRET}`
          : `${name}${option} ${"a ".repeat(place - 1)}${SECRET} b`
      )
    ),
    ...(row.pairs ? [`${name} x a=${SECRET} b=1`] : []),
    ...(row.named ? [`${name} x pass ${SECRET} b`] : []),
    ...(row.stdin
      ? needed.flatMap((option) => [
        `echo ${SECRET} | ${name}${option} x`,
        `printf '%s\\n' a ${SECRET} | ${name}${option}`,
        `${name}${option} x <<< ${SECRET}`,
        `bash -c 'echo ${SECRET} | ${name}${option}'`,
      ])
      : []),
  ];
}

for (const row of secrets.arguments) {
  test(`masked in each way of its entry: ${row.commands.map((words) => words.join(" ")).join(", ")}`, () => {
    for (const command of row.commands) {
      const lines = linesOf(row, command);
      assert.ok(lines.length > 0);
      for (const line of lines) {
        const masked = maskSecrets(line);
        assert.ok(masked.includes("[masked]") && !masked.includes(SECRET), `${line}: ${masked}`);
      }
    }
  });
}

/** Lines of the same programs, and of others, that hold no secret. */
const PLAIN: readonly string[] = [
  "docker run -p 80:80 x",
  "mkdir -p a/b",
  "echo hunter2 | sudo tee f",
  "git commit -m 'az login'",
  "vault status",
  "htpasswd f u",
  "vault kv put x value=@file",
  "ssh -p 22 h",
  "7z l x.7z",
  "cat a | docker load",
  "sudo ls <<< hunter2",
  "openssl dgst -sha256 f",
  "rclone copy a b",
  "git config user.name ada",
  "npm config get registry",
];

for (const line of PLAIN) test(`as it is: ${line}`, () => assert.equal(maskSecrets(line), line));

/** Lines with a secret, and what is left of each. */
const MASKED: readonly (readonly [line: string, masked: string])[] = [
  // A quote that nothing closes.
  ['sh -c "docker login -p hunter2', 'sh -c "docker login -p [masked]'],
  ["sh -c 'docker login -p hunter2", "sh -c 'docker login -p [masked]"],
  // Options among the operands.
  ["htpasswd -b f u hunter2 -v", "htpasswd -b f u [masked] -v"],
  ["net -v user ada hunter2", "net -v user ada [masked]"],
  // The format of printf, and a text in its place.
  [
    "printf hunter2 | docker login --password-stdin",
    "printf [masked] | docker login --password-stdin",
  ],
  ["printf %s hunter2 | chpasswd", "printf %s [masked] | chpasswd"],
  ["echo -n hunter2 | chpasswd", "echo -n [masked] | chpasswd"],
  ["echo a | cat | chpasswd", "echo [masked] | cat | chpasswd"],
  ["chpasswd | echo hunter2", "chpasswd | echo hunter2"],
  ["echo hunter2 > chpasswd", "echo hunter2 > chpasswd"],
  // The value of an option is no file that a redirection writes.
  ["docker login -p > f hunter2", "docker login -p > f [masked]"],
  // Values in values count once.
  ["vault kv put x a=hunter2 b=1", "vault kv put x a=[masked] b=[masked]"],
  ["rclone config x pass hunter2 token hunter2", "rclone config x pass [masked] token [masked]"],
  // The words that are looked at.
  [`zip ${"a ".repeat(398)}-P hunter2`, `zip ${"a ".repeat(398)}-P [masked]`],
  [`zip ${"a ".repeat(399)}-P hunter2`, `zip ${"a ".repeat(399)}-P hunter2`],
  [`${"zip ".repeat(15)}unzip -P hunter2`, `${"zip ".repeat(15)}unzip -P [masked]`],
];

/** Ways to hand a line to a shell as one word. */
const QUOTES: readonly ((line: string) => string)[] = [
  (line) => `'${line.replaceAll("'", "'\\''")}'`,
  (line) => `"${line.replaceAll(/["\\$`]/g, "\\$&")}"`,
  (line) => `'${line.replaceAll("'", `'"'"'`)}'`,
];

test("masked in quotes in quotes, however they are written", () => {
  const lines = [
    `docker login -p ${SECRET}`,
    `echo '${SECRET}' | sudo -S ls`,
    `zip -P "${SECRET}" a b`,
    `vault kv put x a=${SECRET}`,
    `cd a &&\\\n chpasswd <<< 'me:${SECRET}'`,
  ];
  for (const line of lines) {
    for (const inner of QUOTES) {
      for (const middle of QUOTES) {
        for (const outer of QUOTES) {
          const one = `sh -c ${inner(line)}`;
          const two = `ls; bash -c ${middle(one)} x`;
          for (const written of [one, two, `su -c ${outer(two)}`]) {
            const masked = maskSecrets(written);
            assert.ok(!masked.includes(SECRET) && masked.includes("[masked]"), masked);
          }
        }
      }
    }
  }
});

for (const [line, masked] of MASKED) {
  test(`masked: ${masked.slice(0, 80)}`, () => assert.equal(maskSecrets(line), masked));
}
