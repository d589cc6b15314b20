import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { formatPolicy } from "../../lib/policy/edit/format_policy.ts";
import { parseToml } from "../../lib/text/toml_tree.ts";
import { arrayFile, tableFile } from "./decode_texts.ts";

/** A text with blanks, quotes and key orders that the generators of files do not have. */
const disturbed = fc.tuple(fc.oneof(tableFile, arrayFile), fc.infiniteStream(fc.nat(9))).map(
  ([text, choices]) => {
    const next = () => choices.next().value;
    return text.replace(/^(pattern|action|comment|kind|shell)( = )/gm, (whole, key: string) => {
      const forms = [whole, `  ${key}=`, `${key}   =\t`, `"${key}" = `, `'${key}'= `];
      return forms[next()] ?? whole;
    }).replace(
      /^(\[+)([a-z.]+)(\]+)/gm,
      (whole, open: string, name: string, close: string) =>
        next() < 3 ? `\t${open} ${name.replaceAll(".", " . ")} ${close}` : whole,
    );
  },
);

/** The content of a file without places. */
function meaning(text: string): unknown {
  const { problems, rules, settings, tools, shape } = decodePolicy(text);
  assert.deepEqual(problems, [], text);
  return JSON.parse(JSON.stringify(
    { rules, settings, tools: [...tools], shape },
    (key, value) => key === "span" ? undefined : value,
  ));
}

function commentsOf(text: string): readonly string[] {
  return parseToml(text).comments
    .map((start) => text.slice(start).split(/\r?\n/, 1)[0]!.trimEnd()).toSorted();
}

function formatted(text: string): string {
  const result = formatPolicy(text);
  assert.ok(result.ok, text);
  return result.text;
}

test("a formatted policy says the same, with the same comments and line ends, and stays as it is", () => {
  fc.assert(
    fc.property(disturbed, (text) => {
      const once = formatted(text);
      assert.deepEqual(meaning(once), meaning(text));
      assert.deepEqual(commentsOf(once), commentsOf(text));
      assert.equal(formatted(once), once);
      if (!text.includes("'''") && !text.includes('"""')) {
        assert.ok(once === "" || once.endsWith("\n"));
        assert.doesNotMatch(once, /[ \t]\r?$|\n\r?\n\r?\n/m);
        if (text.includes("\n")) assert.equal(once.includes("\r\n"), text.includes("\r\n"), text);
      }
    }),
    { numRuns: 400 },
  );
});

test("a broken policy has no canonical form, and nothing that is cut off changes that silently", () => {
  fc.assert(
    fc.property(tableFile, fc.nat(200), (text, at) => {
      const cut = text.slice(0, Math.min(at, text.length));
      const result = formatPolicy(cut);
      assert.equal(result.ok, decodePolicy(cut).problems.length === 0);
      if (!result.ok) assert.ok(result.problems.length > 0);
    }),
    { numRuns: 300 },
  );
});
