import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { PLAIN } from "../../lib/report/color.ts";
import { findingsSarif } from "../../lib/report/lint/findings_sarif.ts";
import { withTempDir } from "../../tests/support/temp_dir.ts";
import { CASES } from "../../tests/unit/lint/cases.ts";
import { lintText, tomlOf } from "../../tests/unit/lint/lint_text.ts";

const PLATFORM = process.platform;
const VALIDATOR = fileURLToPath(
  new URL(
    `./node_modules/@microsoft/sarif-multitool-${PLATFORM}/Sarif.Multitool`,
    import.meta.url,
  ),
);

/** Rules of the validator that speak of what this project has not: an address of its own. */
const NO_ADDRESS = ["SARIF2005"];

const STYLE = {
  color: PLAIN,
  folders: { workspace: "/home/u/ws", home: "/home/u" },
  tryCommand: () => "caliban check Bash x",
  version: "0.2.0",
};

/** The complaints of the validator about a file: ids of its rules, errors and warnings. */
function complaints(path: string): readonly string[] {
  // Installed without scripts, it lacks the right to run.
  if (PLATFORM !== "win32") chmodSync(VALIDATOR, 0o755);
  const output = `${path}.result.sarif`;
  const args = [
    "validate",
    path,
    "--output",
    output,
    "--log",
    "ForceOverwrite",
  ];
  const { status, stdout, stderr, error } = spawnSync(
    VALIDATOR,
    [...args, "--level", "Error;Warning", "--rule-kind", "Sarif;Ghas"],
    {
      encoding: "utf8",
      env: { ...process.env, DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: "1" },
    },
  );
  if (error !== undefined) throw error;
  // Its status is 0 whatever it finds.
  assert.match(
    stdout,
    /Analysis completed successfully/,
    `${status} ${stdout}${stderr}`,
  );
  const found = [
    ...stdout.matchAll(/: (?:error|warning) ([A-Za-z]+\d+): ([^\r\n]*)/g),
  ];
  return found.filter(([, id = ""]) => !NO_ADDRESS.includes(id)).map(([text]) => text);
}

test("Microsoft's validator takes every finding, and a log without any", () =>
  withTempDir((folder) => {
    const path = join(folder, "lint.sarif");
    const reports = Object.values(CASES).flat().map(
      ({ rules, text, settings }, at) => {
        const { findings, files } = lintText(
          text ?? tomlOf(rules ?? [], settings),
        );
        const own = { path: `/home/u/ws/${at}.toml` };
        return {
          findings: findings.map((each) => ({ ...each, ...own })),
          files: files.map((each) => ({ ...each, ...own })),
        };
      },
    );
    const findings = reports.flatMap((report) => report.findings);
    const files = reports.flatMap((report) => report.files);
    assert.ok(new Set(findings.map(({ id }) => id)).size > 15);
    const odd = "/home/u/ws/a b%\u00e9\u202e[1](2).toml";
    const elsewhere = findings.slice(0, 1).map((finding) => ({
      ...finding,
      path: odd,
      message: "{0} [x](y) 100% \ud800",
    }));
    for (
      const each of [
        {
          findings: [...findings, ...elsewhere],
          files: [...files, { path: odd, text: "x" }],
        },
        { findings: [], files: [] },
      ]
    ) {
      writeFileSync(path, findingsSarif({ ...each, fixed: [] }, STYLE));
      assert.deepEqual(complaints(path), []);
    }
  }));

test("the validator would complain", () =>
  withTempDir((folder) => {
    const path = join(folder, "lint.sarif");
    const { findings, files } = lintText(tomlOf(["allow Bash:git*"]));
    const text = findingsSarif({ findings, files, fixed: [] }, STYLE);
    writeFileSync(path, text.replaceAll('"ruleIndex": 0', '"ruleIndex": 7'));
    assert.notDeepEqual(complaints(path), []);
  }));
