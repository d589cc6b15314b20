import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { ACTIONS } from "../../lib/model/call.ts";
import type { PolicyFile, SourceEntry } from "../../lib/model/rule.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { decodeFast } from "../../lib/policy/decode/decode_fast.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { addToRules, textThatTells } from "../../lib/policy/edit/add_to_rules.ts";
import { placeFor } from "../../lib/policy/edit/place_among.ts";
import { entryAdder } from "../../lib/suggest/policy_with_texts.ts";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { arrayFile, listFile, tableFile, text } from "./decode_texts.ts";

const profiles = toolProfiles(new Map());

/** Texts of every shape, some of which take no rule. */
const fileText = fc.oneof(
  tableFile,
  arrayFile,
  listFile,
  fc.constantFrom(
    undefined,
    "",
    "\r\n \n",
    "# only a remark",
    '[permissions]\nshell = "parsed"\n',
    'permissions = { shell = "parsed" }\n',
    "permissions = { rules = [] }\n",
    "permissions = {}\n",
    '[permissions]\nallow = ["Bash:ls"]\n',
    "[permissions]\ndeny = []\n",
    '[[rule]]\npattern = "Bash:ls"\naction = "allow"\n',
    '[[permissions.rules]]\npattern = "Bash:ls"\naction = "allow"\ncomment = "kept"\n',
    '[[permissions.rules]]\npattern = "Bash(rm:*)"\naction = "deny"\n\n' +
      '[[permissions.rules]]\npattern = "Bash:ls"\naction = "deny"\nreason = "kept"\n',
  ),
);

function entryOf(text: string | undefined): SourceEntry {
  const place = { kind: "project", path: "/w/.caliban/permissions.toml", trusted: true } as const;
  if (text === undefined) return { ...place, state: "absent" };
  return { ...place, state: "read", text, file: decodePolicy(text) };
}

/** All that a file says, without where. */
function saidBy(file: PolicyFile | undefined): unknown {
  if (file === undefined) return undefined;
  const plain = (_key: string, value: unknown) => value instanceof Map ? [...value] : value;
  return JSON.parse(JSON.stringify(file, plain), (key, value) => key === "span" ? 0 : value);
}

test("the rules of a file tell what the verb add does to its text", () => {
  const count = { added: 0, not: 0, untold: 0 };
  const pattern = fc.oneof(text, fc.constantFrom("Bash:ls", "Bash(ls)", "Bash(rm:*)", "a\ud800"));
  fc.assert(
    fc.property(
      fileText,
      fc.record({ pattern, action: fc.constantFrom(...ACTIONS), first: fc.boolean() }),
      (text, rule) => {
        const entry = entryOf(text);
        assert.deepEqual(entry.file?.problems ?? [], []);
        const telling = textThatTells(entry);
        if (telling !== undefined && !decodeFast(telling)) return void count.untold++;
        const { first, ...words } = rule;
        const told = addToRules(entry, { rule: words, first, profiles, placeAmong: placeFor });
        const written = entryAdder(profiles)(entry, rule);
        count[written === undefined ? "not" : "added"]++;
        assert.deepEqual(saidBy(told?.file), saidBy(written?.file));
        assert.deepEqual([told?.state, told?.trusted], [written?.state, written?.trusted]);
      },
    ),
    { numRuns: 1_000, seed: 7 },
  );
  assert.ok(count.added > enough(300) && count.not > enough(20), JSON.stringify(count));
  assert.ok(count.untold > 0, JSON.stringify(count));
});
