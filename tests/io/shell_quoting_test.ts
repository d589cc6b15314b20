// Needs --allow-run: real shells read the words back.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { commandLine } from "../../lib/text/quote.ts";
import { randomFrom } from "../support/random.ts";

const ALPHABET = [..."a'\\%\n\t$`\"!\u202eé\x07-07 "];
const FIXED = [
  "",
  "-n",
  "-x\n",
  "a\nb",
  "\n",
  "\n\nend\n\n",
  "x%y\n'z\\",
  "ls\x1b[2J $HOME `id` $(id)",
];
const SHELLS = [["sh", "-c"], ["bash", "-c"], ["dash", "-c"], ["zsh", "-c"], [
  "busybox",
  "sh",
  "-c",
]];

test("a word with any characters is read back by every POSIX shell that is here", () => {
  const random = randomFrom(5);
  const made = Array.from({ length: 200 }, () => random.text(ALPHABET, 8));
  const words = [...FIXED, ...made];
  const script = words.map((word) => `${commandLine(["printf", "%s\\0", word])}\n`).join("");
  const tried = SHELLS.filter(([name = "", ...args]) => {
    const { stdout, error } = spawnSync(name, [...args, script], {
      encoding: "utf8",
      env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8" },
    });
    if (error === undefined) assert.deepEqual(stdout.split("\0").slice(0, -1), words, name);
    return error === undefined;
  });
  assert.ok(tried.length > 0);
});
