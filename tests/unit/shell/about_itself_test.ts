import assert from "node:assert/strict";
import { test } from "node:test";
import { fixedWord, HOLE, wordOfShape } from "../../../lib/shell/parse/tree.ts";
import { onlyAsksAbout } from "../../../lib/shell/programs/classes/about_itself.ts";
// Each is a module of its own, which has looked at no command.
import * as first from "../../../lib/shell/programs/classes/about_itself.ts?first";
import * as second from "../../../lib/shell/programs/classes/about_itself.ts?second";

const wordsOf = (line: string) => line.split(" ").map(fixedWord);

const ASKS =
  "ack --version§/usr/bin/ack --version§/sbin/ack --help§alsactl clean --help§gdbus help";
const OTHERS =
  "ack§ack --versions§ack -x§ack --rm§./ack --version§/opt/ack --version§/usr/bin/x/ack --version§alsactl /bin/clean --help§" +
  "alsactl rm --help§ack alsactl clean --help§ack,aconnect --version§ack,alsactl clean --help§--help --help§a b c d --help";

test("a command asks a program about itself in a form that it answers, and by its own name", () => {
  for (const line of ASKS.split("§")) assert.ok(onlyAsksAbout(wordsOf(line)), line);
  for (const line of OTHERS.split("§")) assert.ok(!onlyAsksAbout(wordsOf(line)), line);
  for (const shape of [HOLE, `a${HOLE}`]) {
    assert.ok(!onlyAsksAbout([wordOfShape(shape), fixedWord("--version")]));
    assert.ok(!onlyAsksAbout([fixedWord("ack"), wordOfShape(shape)]));
  }
});

test("the first command of a process is no other than those behind it", () => {
  assert.equal(first.onlyAsksAbout(wordsOf("ack --rm")), false);
  assert.equal(first.onlyAsksAbout(wordsOf("ack x")), false);
  assert.equal(second.onlyAsksAbout(wordsOf("ack --version")), true);
  assert.equal(second.onlyAsksAbout(wordsOf("ack --rm")), false);
});
