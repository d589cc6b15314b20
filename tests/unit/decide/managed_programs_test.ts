import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { filesOf } from "../../support/files_of.ts";

const RULES = `permissions.rules = [
  { pattern = "Bash(@read)", action = "allow" },
  { pattern = "Bash(@project)", action = "allow" },
  { pattern = "Bash(make:*)", action = "allow" },
  { pattern = "Write:./**", action = "allow" },
]`;

/** Lines of programs that a manager of versions starts, with a file of the workspace and its text. */
const CASES: readonly (readonly [expected: string, line: string, file?: string, text?: string])[] =
  [
    ["allow", "jq . a.json"],
    ["allow", "jq . a.json", ".tool-versions", "# tools\njq 1.6\nnodejs 20.1.0 system # lts\n"],
    ["ask", "jq . a.json", ".tool-versions", "jq path:./evil\n"],
    ["ask", "jq . a.json", ".tool-versions", "jq ../../../work/evil\n"],
    ["ask", "jq . a.json", ".tool-versions", "jq /work/evil\n"],
    ["ask", "jq . a.json | head", ".tool-versions", "jq path:./evil\n"],
    ["ask", "x=$(jq . a.json)", ".tool-versions", "jq path:./evil\n"],
    ["ask", "cd src && jq . b.json", "src/.tool-versions", "jq path:./evil\n"],
    ["ask", "cd src && jq . b.json", ".tool-versions", "jq path:./evil\n"],
    ["allow", "jq . a.json", "src/.tool-versions", "jq path:./evil\n"],
    ["allow", "jq . a.json", ".python-version", "3.11.4\n"],
    ["ask", "jq . a.json", ".python-version", "../../../work/evil\n"],
    ["ask", "jq . a.json", ".ruby-version", "../evil"],
    ["allow", "jq . a.json", ".ruby-version", "ruby-3.2.0@web"],
    ["allow", "jq . a.json", ".node-version", "v20.1.0"],
    ["ask", "jq . a.json", ".node-version", "x/y"],
    ["allow", "jq . a.json", ".nvmrc", "lts/*"],
    ["ask", "jq . a.json", ".nvmrc", "./evil"],
    ["allow", "jq . a.json", ".go-version", "1.22.1"],
    ["allow", "jq . a.json", ".java-version", "temurin-21.0.2+13"],
    ["allow", "jq . a.json", ".terraform-version", "1.9.0"],
    ["allow", "jq . a.json", "mise.toml", '[tools]\njq = "1.7"\n'],
    ["allow", "jq . a.json", ".mise.toml", '[tools]\n"jq" = "latest"\n'],
    ["ask", "jq . a.json", "mise.toml", '[tools]\njq = "path:./evil"\n'],
    ["ask", "jq . a.json", "mise.toml", '[env]\n_.path = "./evil"\n'],
    ["allow", "jq . a.json", ".prototools", 'jq = "1.7.1"\n'],
    ["ask", "jq . a.json", ".prototools", '[plugins]\njq = "https://x.example/jq.toml"\n'],
    ["ask", "jq . a.json", "rust-toolchain.toml", '[toolchain]\npath = "/work/evil"\n'],
    ["allow", "jq . a.json", "rust-toolchain.toml", '[toolchain]\nchannel = "stable"\n'],
    // An earlier command of the line may make one.
    ["ask", "cp x .tool-versions && jq . a.json"],
    ["ask", "echo x > src/.tool-versions; cd src; jq . b.json"],
    ["ask", 'cd "$x" && jq . a.json'],
    // Code of the workspace may come from the workspace.
    ["allow", "npm test", ".tool-versions", "nodejs path:./evil\n"],
    // The shell's own commands, and those that the manager does not start, are themselves.
    ["allow", "echo x && cat a.json", ".tool-versions", "jq path:./evil\n"],
    // A version needs no rule of its own beside an allowed command, but as that of its program.
    ["allow", "make x && node --version"],
    ["ask", "make x && node --version", ".tool-versions", "nodejs path:./evil\n"],
    ["ask", "node --version", ".tool-versions", "nodejs path:./evil\n"],
  ];

for (const [expected, line, file, text] of CASES) {
  test(`a manager of versions: ${expected} ${line} beside ${file}: ${JSON.stringify(text)}`, () => {
    const files = ["a.json", "src/b.json", "evil/bin/jq", ...(file ? [file] : [])];
    const policy = policyFromToml(RULES, {
      workspace: "/work",
      home: "/home/ada",
      isSystemProgram: (name, { isDirect = false } = {}) =>
        !isDirect || !/^(?:jq|node|npm)$/.test(name),
      textOf: (path) => path === `/work/${file}` ? text : null,
      ...filesOf(files),
    });
    const { action, units } = evaluate(policy, {
      tool: "Bash",
      input: { command: line },
      cwd: "/work",
    });
    assert.equal(action, expected, JSON.stringify(units.map(({ text, reason }) => [text, reason])));
  });
}

test("beside rules without a class a version is no companion where a manager may take it from the folder", () => {
  const action = (text: string) =>
    evaluate(
      policyFromToml('permissions.rules = [{ pattern = "Bash(make:*)", action = "allow" }]', {
        workspace: "/work",
        isSystemProgram: (_, { isDirect = false } = {}) => !isDirect,
        textOf: (path) => path === "/work/.tool-versions" ? text : null,
      }),
      { tool: "Bash", input: { command: "make x; node --version" }, cwd: "/work" },
    ).action;
  assert.equal(action("nodejs 20.1.0"), "allow");
  assert.equal(action("nodejs path:./evil"), "ask");
});
