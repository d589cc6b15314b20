/** A program that no table describes may run its operands: what a written deny names among them is never allowed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { ProgramCatalog } from "../../lib/shell/programs/program_catalog.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";
import { BEFORE, plainCommand, singleQuoted } from "../support/shell_lines.ts";

const { array, constantFrom, stringMatching, tuple } = fc;

const catalog = new ProgramCatalog();

const unknownName = stringMatching(/^[a-z][a-z0-9_.+-]{2,9}$/).filter((name) =>
  catalog.program(name) === undefined
);

const option = constantFrom("-i", "-n 5", "--", "--verbose", "--level=3", "profile", "-- --");

/** Ways in which a program takes a command: as words, as one text, as part of one. */
const forms: Readonly<Record<string, (command: string) => string>> = {
  "words": (command) => command,
  "words behind --": (command) => `-- ${command}`,
  "a path": (command) => `/bin/${command}`,
  "the value of an option": (command) => `--exec=${command}`,
  "glued": (command) => `-e${command}`,
  "a text": (command) => singleQuoted(command),
  "a text behind =": (command) => `--cmd=${singleQuoted(command)}`,
  "a glued text": (command) => `-c${singleQuoted(command)}`,
  "a list": (command) => singleQuoted(`ls; ${command}`),
  "a binding": (command) => singleQuoted(`enter:execute(${command})+abort`),
  "JSON": (command) => singleQuoted(JSON.stringify({ cmd: command })),
  ...BEFORE,
};

const line = tuple(
  unknownName,
  array(option, { maxLength: 2 }),
  constantFrom(...Object.keys(forms)),
  plainCommand,
).map(([name, options, form, command]) => ({
  name,
  command,
  line: [name, ...options, forms[form]!(command)].join(" "),
}));

const bash = (command: string) => ({ tool: "Bash", input: { command } });

for (const action of ["deny", "ask"] as const) {
  test(`operands of a program without a table read as a command that a rule names: ${action} is no allow`, () => {
    fc.assert(
      fc.property(line, ({ name, command, line }) => {
        const [word] = command.split(" ");
        const guard = { pattern: `Bash:${word} *`, action };
        for (const allowed of ["Bash", `Bash(${name}:*)`]) {
          const { action, by } = evaluate(
            policyOf([guard, { pattern: allowed, action: "allow" }]),
            bash(line),
          );
          const asked = action === "ask" && by === "safety";
          assert.ok(asked || action === "deny", `${line}: ${action} by ${by}`);
        }
      }),
      { numRuns: 2_000, seed: 1 },
    );
  });
}

test("an allow that names the command of the operands is no question, and neither is a rule that is built in", () => {
  fc.assert(
    fc.property(unknownName, plainCommand, (name, command) => {
      const text = `${name} ${command}`;
      const guard = { pattern: `Bash:${command.split(" ")[0]} *`, action: "deny" } as const;
      for (const pattern of [`Bash:${text}`, `Bash(${text}:*)`]) {
        const policy = policyOf([guard, { pattern, action: "allow" }]);
        assert.equal(evaluate(policy, bash(text)).action, "allow", text);
      }
      const builtin = policyOf([
        { pattern: `Bash(${name}:*)`, action: "allow" },
        { ...guard, kind: "builtin" },
      ]);
      assert.equal(evaluate(builtin, bash(text)).action, "allow", text);
    }),
    { numRuns: 500, seed: 2 },
  );
});
