import fc from "../support/seeded.ts";
import type { NewRule } from "../../lib/policy/edit/policy_pairs.ts";
import { isKnownProgram } from "../../lib/policy/compile/known_programs.ts";
import { tomlString } from "../../lib/text/toml_text.ts";

/** Any text that TOML can hold, with quotes, backslashes, controls and line ends among it. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }).filter((it) => it.isWellFormed()),
  fc.array(
    fc.constantFrom('"', "'", "\\", "\n", "\r", "\t", "\u0000", "\u007f", "\u202e", "#", "[[", "é"),
  )
    .map((it) => it.join("")),
  fc.constantFrom("Bash:git *", "Read:**/.env", "*"),
);

/** A wrapper that `[shell]` takes. */
export const wrapper: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom("rtk", "devbox run", "bundle exec", "uv run", "a.b_c+d-e", "x 1 _ +"),
  fc.array(fc.stringMatching(/^[A-Za-z0-9._+][A-Za-z0-9._+-]{0,5}$/), {
    minLength: 1,
    maxLength: 4,
  })
    .map((words) => words.join(" "))
    .filter((words) => isKnownProgram(words) === undefined),
);

const instant = fc.constantFrom("2027-01-01T00:00:00Z", "2030-12-31T23:59:59.25+02:00");

/** A rule that can be written. */
export const newRule: fc.Arbitrary<NewRule> = fc.oneof(
  fc.record(
    { pattern: text, action: fc.constantFrom("allow", "ask"), comment: text, expiresAt: instant },
    { requiredKeys: ["pattern", "action"] },
  ),
  fc.record(
    { pattern: text, action: fc.constant("deny"), comment: text, reason: text, expiresAt: instant },
    { requiredKeys: ["pattern", "action"] },
  ),
);

const blank = fc.constantFrom("", "", "  ", "\t");
const comment = fc.constantFrom(
  "# one",
  "  # two",
  "#",
  "# [[permissions.rules]]",
  "# pattern = 'x'",
);
const blanks = fc.array(blank, { maxLength: 2 });
const comments = fc.array(comment, { maxLength: 2 });
const between = fc.tuple(blanks, comments, blanks, comments).map((it) => it.flat());
const tail = fc.constantFrom("", "", " # behind", "   ");

const value = fc.oneof(
  text.map(tomlString),
  fc.constantFrom(
    '"""\n# no comment\n\n[[permissions.rules]]\n"""',
    "'''\n# no" + " comment '''",
    "'#'",
  ),
);

const rule = fc.tuple(
  value,
  fc.constantFrom("allow", "deny", "ask"),
  tail,
  comments,
  value,
  fc.boolean(),
)
  .map(([pattern, action, end, inside, remark, hasRemark]) => [
    `[[permissions.rules]]${end}`,
    `pattern = ${pattern}${end}`,
    ...inside,
    ...(hasRemark ? [`comment = ${remark}`] : []),
    `action = "${action}"${end}`,
  ]);

const other = fc.constantFrom(
  ["[tools.x]", 'kind = "url"'],
  ["[tools.y]", "", "# kind"],
  ["  [tools.z]"],
  ["[shell]", "wrappers = [", '  "rtk", # one', "]"],
);
const settings = fc.constantFrom(
  [],
  ["[permissions]", 'shell = "parsed" # s'],
  ["permissions.enforce = true"],
);
const head = fc.constantFrom([], ["#:schema ./permissions.schema.json"], ["# head", ""], [
  "#:schema x",
  "# head",
]);

/** The lines of rules and other tables with comments and blank lines between them. */
const chunks = fc.tuple(
  fc.array(fc.tuple(between, rule), { maxLength: 4 }),
  fc.array(fc.tuple(between, other), { maxLength: 1 }),
  fc.array(fc.tuple(between, rule), { maxLength: 2 }),
).map(([first, table, last]) => [...first, ...table, ...last].flat(2));

function joined(options: { lines: readonly string[]; eol: string; isEnded: boolean }): string {
  const text = options.lines.join("\n").replaceAll("\n", options.eol);
  return options.isEnded && text !== "" ? text + options.eol : text;
}

const eol = fc.constantFrom("\n", "\n", "\r\n");

/** The text of a file with `[[permissions.rules]]` tables. */
export const tableFile: fc.Arbitrary<string> = fc.tuple(
  head,
  blanks,
  settings,
  chunks,
  between,
  eol,
  fc.boolean(),
)
  .map(([top, gap, first, rest, end, lineEnd, isEnded]) =>
    joined({ lines: [...top, ...gap, ...first, ...rest, ...end], eol: lineEnd, isEnded })
  );

const pattern = value.filter((it) => !it.includes("\n"));

const element = fc.tuple(pattern, fc.constantFrom("allow", "ask"))
  .map(([pattern, action]) => `{ pattern = ${pattern}, action = "${action}" }`);

/** An array with each element on lines of its own. */
function lineArray(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const items = fc.array(fc.tuple(between, item, fc.constantFrom("", " # behind")), {
    maxLength: 4,
  });
  return fc.tuple(items, fc.boolean(), between).map(([elements, hasComma, end]) => {
    const lines = elements.flatMap(([above, it, remark], index) => {
      const comma = index < elements.length - 1 || hasComma ? "," : "";
      return [...above, `  ${it}${comma}${remark}`];
    });
    return ["[", ...lines, ...end, "]"].join("\n");
  });
}

function oneLineArray(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const items = fc.array(item, { maxLength: 4 });
  return fc.tuple(items, fc.constantFrom("", " "), fc.constantFrom("", ","))
    .map(([elements, pad, comma]) =>
      `[${pad}${elements.join(", ")}${elements.length > 0 ? comma : ""}${pad}]`
    );
}

function anyArray(item: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof(lineArray(item), oneLineArray(item));
}

/** The text of a file with `rules = [{…}]`, each element on lines of its own or all on one. */
export const arrayFile: fc.Arbitrary<string> = fc.tuple(
  anyArray(element),
  eol,
  fc.boolean(),
)
  .map(([array, lineEnd, isEnded]) =>
    joined({
      lines: ["[permissions]", "shell = 'parsed'", `rules = ${array}`, "[tools.x]"],
      eol: lineEnd,
      isEnded,
    })
  );

const list = fc.record({
  array: anyArray(pattern),
  above: between,
  indent: fc.constantFrom("", "  "),
});

/** The text of a file with some of the lists `deny`, `ask` and `allow`, in any order. */
export const listFile: fc.Arbitrary<string> = fc.record({
  actions: fc.shuffledSubarray(["deny", "ask", "allow"], { minLength: 1 }),
  lists: fc.tuple(list, list, list),
  form: fc.constantFrom("header", "dotted"),
  end: fc.constantFrom([], ["[tools.x]"]),
  lineEnd: eol,
  isEnded: fc.boolean(),
}).map(({ actions, lists, form, end, lineEnd, isEnded }) => {
  const dot = form === "dotted" ? "permissions." : "";
  const lines = actions.flatMap((action, index) => {
    const { array, above, indent } = lists[index]!;
    return [...above, `${indent}${dot}${action} = ${array}`];
  });
  const top = form === "dotted" ? [] : ["[permissions]"];
  return joined({ lines: [...top, ...lines, ...end], eol: lineEnd, isEnded });
});
