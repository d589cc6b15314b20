import assert from "node:assert/strict";
import { test } from "node:test";
import type { Finding } from "../../../lib/model/problem.ts";
import { PLAIN } from "../../../lib/report/color.ts";
import type { FindingStyle } from "../../../lib/report/lint/finding_report.ts";
import { pathFromRoot, regionOf } from "../../../lib/report/place_text.ts";
import { findingsConcise } from "../../../lib/report/lint/findings_concise.ts";
import { findingsGithub } from "../../../lib/report/lint/findings_github.ts";
import { findingsJunit } from "../../../lib/report/lint/findings_junit.ts";
import { findingsSarif } from "../../../lib/report/lint/findings_sarif.ts";
import fc from "../../support/seeded.ts";
import { CASES } from "../lint/cases.ts";
import { lintText, tomlOf } from "../lint/lint_text.ts";

const STYLE: FindingStyle = {
  color: PLAIN,
  folders: { workspace: "/home/u/ws", home: "/home/u" },
  tryCommand: () => "caliban check Bash x",
  root: () => "/home/u",
  version: "1.2.3",
};

function reportOf(text: string) {
  return { ...lintText(text), fixed: [] };
}

function sarifOf(text: string) {
  return JSON.parse(findingsSarif(reportOf(text), STYLE)).runs[0];
}

/** A finding with this message in a file of this text. */
function told(message: string, more: Partial<Finding> = {}) {
  const path = "/home/u/ws/a%,b:c.toml";
  const finding: Finding = {
    id: "schema",
    severity: "error",
    message,
    path,
    span: { start: 0, end: 1, line: 1, column: 1 },
    rule: null,
    related: [],
    ...more,
  };
  return { findings: [finding], files: [{ path, text: "x\ny\n" }], fixed: [] };
}

test("a region holds what its span holds, in UTF-16 code units", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", "é", "😀", "\t") });
  fc.assert(fc.property(text, fc.nat(), fc.nat(), (text, a, b) => {
    const [start, end] = [a % (text.length + 1), b % (text.length + 1)].toSorted((x, y) => x - y);
    const before = text.slice(0, start).split("\n");
    const span = {
      start: start!,
      end: end!,
      line: before.length,
      column: before.at(-1)!.length + 1,
    };
    const { startLine, startColumn, endLine, endColumn } = regionOf(span, text);
    const lines = text.split("\n");
    const offset = (line: number, column: number) =>
      lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
    assert.equal(offset(startLine, startColumn), start);
    assert.equal(offset(endLine, endColumn), end);
  }));
});

test("a path is told from the root, with slashes", () => {
  assert.equal(pathFromRoot("/a/b/c.toml", "/a"), "b/c.toml");
  assert.equal(pathFromRoot("/a/b/c.toml", "/"), "a/b/c.toml");
  assert.equal(pathFromRoot("/ab/c.toml", "/a"), undefined);
  assert.equal(pathFromRoot("C:\\a\\b\\c.toml", "C:\\a"), "b/c.toml");
  assert.equal(pathFromRoot("/a/b\\c.toml", "/a"), "b\\c.toml");
});

test("an annotation is one command in one line, whatever its message and path hold", () => {
  const message = "100%0A, a:b\n::error::c\r::d\u202e";
  const [command, sum, end] = findingsGithub(told(message), STYLE).split("\n");
  assert.equal(
    command,
    "::error file=ws/a%25%2Cb%3Ac.toml,line=1,endLine=1,col=1,endColumn=2,title=caliban%3A schema::" +
      "100%250A, a:b\\u{a}::error::c\\u{d}::d\\u{202e}",
  );
  assert.deepEqual([sum, end], ["1 error in 1 file", ""]);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (hint) => {
    const text = findingsGithub(told("x", { hint, path: "/home/u/ws/a%,b:c.toml" }), STYLE);
    assert.equal(text.split(/[\r\n\u0085\u2028\u2029]/).length, 3);
  }));
});

test("columns are left out where an annotation has several lines, or is about the whole file", () => {
  const several = told("x", { span: { start: 0, end: 3, line: 1, column: 1 } });
  assert.match(findingsGithub(several, STYLE), /,line=1,endLine=2,title=/);
  const whole = told("x", { span: { start: 0, end: 0, line: 1, column: 1 }, severity: "note" });
  assert.match(findingsGithub(whole, STYLE), /^::notice file=[^,]+,line=1,title=/);
});

test("every finding of every case stands in each format, with printable characters only", () => {
  for (const [id, [first]] of Object.entries(CASES)) {
    const { rules, text, settings } = first!;
    const report = reportOf(text ?? tomlOf(rules ?? [], settings));
    const { findings } = report;
    const run = JSON.parse(findingsSarif(report, STYLE)).runs[0];
    assert.deepEqual(
      run.results.map(({ ruleId }: { ruleId: string }) => ruleId),
      findings.map((each) => each.id),
      id,
    );
    for (const { ruleId, ruleIndex } of run.results) {
      assert.equal(run.tool.driver.rules[ruleIndex].id, ruleId);
    }
    const junit = findingsJunit(report, STYLE);
    assert.equal(junit.match(/<testcase /g)?.length, Math.max(findings.length, 1), id);
    const failures = findings.filter(({ severity }) => severity !== "note").length;
    assert.equal(junit.match(/<failure /g)?.length ?? 0, failures, id);
    assert.equal(findingsGithub(report, STYLE).split("\n").length, findings.length + 2, id);
    const concise = findingsConcise(report, STYLE);
    const form = /^\.caliban\/permissions\.toml:\d+:\d+: (?:error|warning|note)\[[a-z-]+\] .+$/;
    const lines = concise.split("\n").slice(0, -1);
    assert.deepEqual(lines.filter((line) => !form.test(line)), []);
    assert.equal(lines.length, findings.length, id);
    const shownFormats = [
      junit,
      findingsGithub(report, STYLE),
      findingsSarif(report, STYLE),
      concise,
    ];
    for (const shown of shownFormats) {
      assert.doesNotMatch(shown.replaceAll("\n", ""), /\p{Cc}|\p{Cf}|\p{Cs}/u, id);
    }
  }
});

test("a file elsewhere is told whole to an editor", () => {
  const report = told("a\nb", { path: "/home/u/.config/a.toml" });
  assert.equal(
    findingsConcise(report, STYLE),
    "/home/u/.config/a.toml:1:1: error[schema] a\\u{a}b\n",
  );
});

test("a SARIF log says where its tool is described, and in which version", () => {
  const { driver } = sarifOf("").tool;
  assert.equal(driver.name, "caliban");
  assert.ok(URL.canParse(driver.informationUri), driver.informationUri);
});

test("a fingerprint stays when rules move, and tells findings apart", () => {
  const rules = ["allow Bash:git*", "allow Bash:npm*", "allow Bash:npm*", "deny Bash:git push *"];
  const prints = (text: string) =>
    new Map<string, string>(
      sarifOf(text).results.map((
        { partialFingerprints, ruleId, message }: {
          partialFingerprints: Record<string, string>;
          ruleId: string;
          message: { text: string };
        },
      ) => [partialFingerprints["primaryLocationLineHash"], `${ruleId} ${message.text.length}`]),
    );
  const [here, moved] = [tomlOf(rules), "# a\n\n# b\n" + tomlOf(rules)].map(prints);
  assert.ok(here!.size >= 4);
  assert.equal(here!.size, sarifOf(tomlOf(rules)).results.length);
  assert.deepEqual([...moved!.keys()], [...here!.keys()]);
  for (const print of here!.keys()) assert.match(print, /^[0-9a-f]{16}:\d+$/);
  const fewer = prints(tomlOf(rules.slice(0, 1)));
  for (const print of fewer.keys()) assert.ok(here!.has(print));
});

test("applying a fix of a SARIF log gives what --fix would write", () => {
  const text = tomlOf(["allow Bash(git status:*)", "allow Bash(git status:*)"]);
  const { results } = sarifOf(text);
  const { fixes: [fix], properties } = results.find(({ ruleId }: { ruleId: string }) =>
    ruleId === "duplicate"
  );
  assert.equal(properties.fixChangesVerdicts, false);
  const [{ artifactLocation, replacements }] = fix.artifactChanges;
  assert.deepEqual(artifactLocation, { uri: "ws/.caliban/permissions.toml", uriBaseId: "ROOT" });
  const lines = text.split("\n");
  const offset = (line: number, column: number) =>
    lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, column - 1);
  let fixed = text;
  for (const { deletedRegion, insertedContent } of replacements.toReversed()) {
    const { startLine, startColumn, endLine, endColumn } = deletedRegion;
    fixed = fixed.slice(0, offset(startLine, startColumn)) + (insertedContent?.text ?? "") +
      fixed.slice(offset(endLine, endColumn));
  }
  assert.deepEqual(lintText(fixed).findings.filter(({ id }) => id === "duplicate"), []);
  assert.equal(
    lintText(fixed).policy.rules.filter(({ source }) => source.kind === "project").length,
    1,
  );
});

test("a file elsewhere has a whole URI, and no pattern is a link", () => {
  const report = told('allow "[x](https://example.org)" is odd', { path: "/etc/a b\u00e9.toml" });
  const files = [{ path: "/etc/a b\u00e9.toml", text: "x" }];
  const [result] = JSON.parse(findingsSarif({ ...report, files }, STYLE)).runs[0].results;
  assert.deepEqual(result.locations[0].physicalLocation.artifactLocation, {
    uri: "file:///etc/a%20b%C3%A9.toml",
  });
  assert.equal(result.message.text, 'allow "[x\\](https://example.org)" is odd.');
});
