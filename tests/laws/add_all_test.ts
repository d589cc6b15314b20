import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { addAllToText } from "../../lib/agents/convert/add_all_to_text.ts";
import { ACTIONS } from "../../lib/model/call.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { addToText } from "../../lib/policy/edit/add_to_text.ts";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { arrayFile, listFile, tableFile, text } from "./decode_texts.ts";

const profiles = toolProfiles(new Map());
const STARTS = ["", "# head\n", '[shell]\nwrappers = ["rtk"]\n'];

/** Rules that overlap, so that some go above others, among those of a file and among themselves. */
const pattern = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.constantFrom(
      ...["Bash(git:*)", "Bash:git push *", "Bash(git log)", "Bash:ls", "Bash(rtk ls:*)"],
      ...["Bash:* --force", "Bash", "*", "Read(**/.env)", "Write:**", "Edit(src/**)", "x*"],
    ),
  },
  { weight: 8, arbitrary: text },
  { weight: 1, arbitrary: fc.constant("a\ud800") },
);
const rule = fc.record({ pattern, action: fc.constantFrom(...ACTIONS) });

/** The texts of a file, some of them jammed, without a last line end or refused. */
const fileText = fc.oneof(
  fc.tuple(fc.constantFrom(...STARTS), fc.array(rule, { minLength: 1, maxLength: 5 }), fc.nat(2))
    .map(([start, rules, gap]) =>
      start +
      rules.filter(({ pattern }) => pattern.isWellFormed()).map(({ pattern, action }, at) =>
        `${at % 2 === 1 ? "# above\n" : ""}[[permissions.rules]]\npattern = ${
          JSON.stringify(pattern)
        }\naction = "${action}"${"\n".repeat(gap)}`
      ).join("\n")
    ),
  tableFile,
  arrayFile,
  listFile,
  fc.constantFrom(
    '[[permissions.rules]]\npattern = "Bash:ls"\naction = "allow"\n[tools.x]\nkind = "url"\n',
    '[[rule]]\npattern = "Bash:ls"\naction = "allow"\n',
    '[permissions]\nallow = ["Bash:ls"]\n',
    'permissions.rules = [{ pattern = "Bash:ls", action = "allow" }]\n',
    'permissions.rules = [\n  { pattern = "Bash:ls", action = "allow" }\n  # behind\n]\n',
  ),
);

test("rules that are added together stand as if they were added one by one", () => {
  const count = { added: 0, refused: 0 };
  fc.assert(
    fc.property(fileText, fc.array(rule, { maxLength: 8 }), (text, rules) => {
      if (decodePolicy(text).rules.length === 0) return;
      const all = addAllToText(text, { rules, profiles });
      let [current, added, stood]: [string, number, number] = [text, 0, 0];
      for (const rule of rules) {
        const result = addToText(current, { rule, first: false, profiles });
        if (result.kind === "refused") {
          count.refused++;
          assert.deepEqual(all, result);
          return;
        }
        if (result.kind === "stands") stood++;
        else [current, added] = [result.text, added + 1];
      }
      assert.ok(all.kind === "added");
      assert.deepEqual([all.text, all.added, all.stood], [current, added, stood]);
      if (added > 1) count.added++;
    }),
    { numRuns: 800 },
  );
  assert.ok(count.added > enough(200) && count.refused > enough(20), JSON.stringify(count));
});
