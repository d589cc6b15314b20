// The XML of JUnit as Jenkins' xUnit plugin accepts it (its junit-10.xsd): elements, attributes and what stands in what.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findingsJunit } from "../../../lib/report/lint/findings_junit.ts";
import type { FindingStyle } from "../../../lib/report/lint/finding_report.ts";
import { PLAIN } from "../../../lib/report/color.ts";
import { suiteJunit } from "../../../lib/report/suite/suite_junit.ts";
import { CASES } from "../lint/cases.ts";
import { lintText, tomlOf } from "../lint/lint_text.ts";
import { suiteReportOf } from "../suite/suite_report_of.ts";

interface Element {
  /** Attributes that must be there. */
  readonly required: readonly string[];
  /** Attributes that can be there. */
  readonly optional: readonly string[];
  /** Elements that can stand in it, in any number and order; `text` for text. */
  readonly children: readonly string[];
}

const FAULT: Element = { required: [], optional: ["type", "message"], children: ["text"] };
const OUTPUT: Element = { required: [], optional: [], children: ["text"] };

const SCHEMA: Readonly<Record<string, Element>> = {
  testsuites: {
    required: [],
    optional: ["name", "time", "tests", "failures", "errors"],
    children: ["testsuite"],
  },
  testsuite: {
    required: ["name", "tests", "failures", "errors"],
    optional: [
      ...["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log"],
      "url",
    ],
    children: ["testsuite", "properties", "testcase", "system-out", "system-err"],
  },
  testcase: {
    required: ["name"],
    optional: ["time", "classname", "group"],
    children: ["skipped", "error", "failure", "system-out", "system-err"],
  },
  properties: { required: [], optional: [], children: ["property"] },
  property: { required: ["name", "value"], optional: [], children: [] },
  failure: FAULT,
  error: FAULT,
  skipped: FAULT,
  "system-out": OUTPUT,
  "system-err": OUTPUT,
};

/** Faults of a document by that schema. */
function faultsOf(xml: string): readonly string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const body = xml.replace(/^<\?xml [^?]*\?>\n/, "");
  for (const [, text, end, name, written, empty] of body.matchAll(TOKEN)) {
    const around = open.at(-1);
    if (text !== undefined) {
      const isAllowed = SCHEMA[around ?? ""]?.children.includes("text") ?? false;
      if (!isAllowed && text.trim() !== "") faults.push(`text in ${around}`);
    } else if (end !== undefined) {
      if (open.pop() !== end) faults.push(`</${end}> ends ${around}`);
    } else {
      faults.push(...startFaults({ name: name!, written: written!, around }));
      if (empty === "") open.push(name!);
    }
  }
  return [...faults, ...open.map((name) => `${name} does not end`)];
}

const TOKEN = /([^<]+)|<\/([\w-]+)>|<([\w-]+)((?: [\w-]+="[^"<]*")*)(\/?)>/g;

function startFaults(
  { name, written, around }: {
    readonly name: string;
    readonly written: string;
    readonly around: string | undefined;
  },
): readonly string[] {
  const element = SCHEMA[name];
  if (element === undefined) return [`unknown element ${name}`];
  const names = [...written.matchAll(/ ([\w-]+)="/g)].map(([, each]) => each!);
  const { required, optional } = element;
  const isPlaced = around === undefined
    ? name === "testsuites" || name === "testsuite"
    : SCHEMA[around]!.children.includes(name);
  return [
    ...(isPlaced ? [] : [`${name} in ${around}`]),
    ...required.filter((each) => !names.includes(each)).map((each) => `${name} lacks ${each}`),
    ...names.filter((each, at) => names.indexOf(each) !== at).map((each) => `${each} twice`),
    ...names.filter((each) => ![...required, ...optional].includes(each))
      .map((each) => `${name} has ${each}`),
  ];
}

test("the checker finds what the schema refuses", () => {
  const faults = '<testsuites><testsuite name="a" tests="1" failures="0">x' +
    '<testcase name="b" line="1"><testsuite name="c" tests="0" failures="0" errors="0"/></testcase>' +
    "</testsuite><other/></testsuites>";
  assert.deepEqual(faultsOf(faults), [
    "testsuite lacks errors",
    "text in testsuite",
    "testcase has line",
    "testsuite in testcase",
    "unknown element other",
  ]);
});

const STYLE: FindingStyle = {
  color: PLAIN,
  folders: { workspace: "/home/u/ws" },
  tryCommand: () => "caliban check Bash x",
  root: () => "/home/u",
};

test("the JUnit of every finding is what Jenkins takes", () => {
  for (const [id, [first]] of Object.entries(CASES)) {
    const { rules, text, settings } = first!;
    const report = lintText(text ?? tomlOf(rules ?? [], settings));
    assert.deepEqual(faultsOf(findingsJunit({ ...report, fixed: [] }, STYLE)), [], id);
  }
  const clean = lintText('[[permissions.rules]]\npattern = "Bash(x y:*)"\naction = "deny"\n');
  assert.deepEqual(faultsOf(findingsJunit({ ...clean, fixed: [] }, STYLE)), []);
});

test("the JUnit of tests and examples is what Jenkins takes", () => {
  const report = suiteReportOf({
    rules: '[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n' +
      'match = ["git x", "rm \\u001b < &"]\nnot_match = ["git ]]"]\n',
    tests: '[[tests]]\ncall = "Bash:git a"\nexpect = "allow"\n\n' +
      '[[tests]]\ncall = "Bash:rm <&>\\"\'"\nexpect = "deny"\nwhy = "\\n]]>"\nrule = "none"\n',
  });
  const xml = suiteJunit(report);
  assert.equal(xml.match(/<failure /g)?.length, 3);
  assert.deepEqual(faultsOf(xml), []);
});
