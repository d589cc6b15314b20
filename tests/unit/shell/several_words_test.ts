import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { COMMAND_CLASSES } from "../../../lib/model/call.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import type { Program } from "../../../lib/shell/programs/program.ts";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { filesOf } from "../../support/files_of.ts";
import { ownRepository } from "../../support/own_repository.ts";

const policy = policyFromToml(
  COMMAND_CLASSES.filter((name) => name !== "unknown").map((name) =>
    `[[permissions.rules]]\npattern = "Bash(@${name})"\naction = "allow"\n`
  ).join(""),
  {
    workspace: "/work",
    home: "/home/ada",
    isSystemProgram: () => true,
    gitRepository: () => "here",
    gitState: (folder) => ownRepository(folder, ["f"]),
    textOf: () => null,
    ...filesOf(["f", "a1", "a2"]),
  },
);

/** A program or sub-command with a class, and its words. */
interface Classed {
  readonly words: string;
  readonly program: Program;
}

function classedIn(program: Program, words: string): readonly Classed[] {
  const { sub = {}, class: own, class_if, verbs } = program.table;
  const below = Object.keys(sub).flatMap((name) =>
    classedIn(program.sub(name)!, `${words} ${name}`)
  );
  const isClassed = own !== undefined || class_if !== undefined || verbs !== undefined;
  return isClassed ? [{ words, program }, ...below] : below;
}

function isAllowed(command: string): boolean {
  return evaluate(policy, { tool: "Bash", input: { command }, cwd: "/work" }).action === "allow";
}

const catalog = new ProgramCatalog();
const classed = catalog.names.flatMap((name) => classedIn(catalog.program(name)!, name));

/** The options of a program whose value is one word of their own. */
function valued({ program: { options } }: Classed): readonly string[] {
  return [...options.values()].filter(({ takes, lists }) =>
    takes === "needed" && lists.includes("value")
  ).map(({ name }) => name);
}

test("no class covers a command with a value that may become several words", () => {
  const lines = classed.filter(({ program: { table } }) => !table.any_words && !table.inner)
    .flatMap(
      (each) =>
        valued(each).slice(0, 4).flatMap((option) => {
          const glued = option.startsWith("--") ? `${option}=` : option;
          return [`${each.words} ${option} $(cat f)`, `${each.words} ${glued}$(cat f)`].concat(
            [`${each.words} ${option} a* f`, `${each.words} ${option} "$@"`],
          );
        }),
    );
  assert.deepEqual(lines.filter(isAllowed), []);
  const fixed = lines.filter((line) => line.endsWith("$(cat f)"))
    .map((line) => line.replace("$(cat f)", "1"));
  assert.ok(fixed.filter(isAllowed).length > 300, `${fixed.filter(isAllowed).length} allowed`);
});

test("a program to which any words are the same has no option or operand that names a file or code", () => {
  const anyWords = classed.filter(({ program: { table } }) => table.any_words);
  const kinds = anyWords.flatMap(({ words, program: { table, options } }) =>
    [...table.operands ?? [], ...[...options.values()].flatMap(({ lists }) => lists)]
      .filter((kind) => !/^(?:any|script)\*?$|^(?:value|flags|nothing)$/.test(kind))
      .map((kind) => `${words}: ${kind}`)
  );
  assert.ok(anyWords.length > 20);
  // The options of printf stand before its format only.
  assert.deepEqual(kinds, ["printf: code"]);
});
