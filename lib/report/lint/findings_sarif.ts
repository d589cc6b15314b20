import { printedJson } from "../../text/printed_json.ts";
import { docsOf } from "../../lint/registry.ts";
import type { Finding, Severity, TextEdit } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import { visible } from "../../text/visible.ts";
import { findingLines, type FindingReport, type FindingStyle, rootOf } from "./finding_report.ts";
import { pathFromRoot, regionOf } from "../place_text.ts";
import { jsonEscaped } from "../../text/json_value.ts";

const SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";
const ROOT_ID = "ROOT";

/** The package that describes the tool, as a package URL; it has no page of its own. */
const PACKAGE = "pkg:npm/%40caliban/perms";

/** The context of every part of a log. */
interface Scene {
  readonly style: FindingStyle;
  readonly root: string;
  readonly texts: ReadonlyMap<string, string>;
  /** Ids of the findings, in the order of the log's rules. */
  readonly ids: readonly string[];
}

/**
 * Findings as a SARIF 2.1.0 log, which code scanning reads. Paths are relative to the repository; a fingerprint stays the
 * same when a finding's rule moves within its file.
 */
export function findingsSarif(
  report: FindingReport,
  style: FindingStyle,
): string {
  const { findings, files } = report;
  const scene: Scene = {
    style,
    root: rootOf(style),
    texts: new Map(files.map(({ path, text }) => [path, text])),
    ids: [...new Set(findings.map(({ id }) => id))].toSorted(),
  };
  const prints = fingerprints(findings, ({ path }) => uriOf(path, scene).uri);
  const version = style.version === undefined ? {} : { version: style.version };
  const run = {
    tool: {
      driver: {
        name: "caliban",
        informationUri: PACKAGE,
        ...version,
        rules: scene.ids.map(ruleOf),
      },
    },
    columnKind: "utf16CodeUnits",
    originalUriBaseIds: {
      [ROOT_ID]: { description: { text: "The folder of the repository." } },
    },
    artifacts: files.map(({ path }) => ({ location: uriOf(path, scene) })),
    results: findings.map((finding, at) => resultOf(finding, { scene, print: prints[at] ?? "" })),
  };
  return ascii(
    printedJson({ $schema: SCHEMA, version: "2.1.0", runs: [run] }, { indent: 2 }),
  ) + "\n";
}

function ruleOf(id: string) {
  const { severity, docs: { what, why, avoid, prefer } } = docsOf(id);
  return {
    id,
    shortDescription: { text: `${what}.` },
    fullDescription: { text: why },
    help: {
      text: `${what}. ${why}\n\nAvoid:\n\n${avoid}\n\nPrefer:\n\n${prefer}`,
      markdown: `${why}\n\nAvoid:\n\n${toml(avoid)}\n\nPrefer:\n\n${toml(prefer)}`,
    },
    defaultConfiguration: { level: severity },
    properties: {
      precision: "very-high",
      "problem.severity": PROBLEM_SEVERITIES[severity],
    },
  };
}

function toml(text: string): string {
  return `\`\`\`toml\n${text.trimEnd()}\n\`\`\``;
}

/** As code scanning calls them. */
const PROBLEM_SEVERITIES: Readonly<Record<Severity, string>> = {
  error: "error",
  warning: "warning",
  note: "recommendation",
};

function resultOf(
  finding: Finding,
  { scene, print }: { scene: Scene; print: string },
) {
  const { id, severity, path, related, witness, verdict, fix } = finding;
  const places = related.filter(({ source }) => source.kind !== "builtin");
  return {
    ruleId: id,
    ruleIndex: scene.ids.indexOf(id),
    level: severity,
    message: { text: messageText(finding, scene) },
    locations: [{
      physicalLocation: {
        artifactLocation: uriOf(path, scene),
        region: shownRegion(finding, scene),
      },
    }],
    ...(places.length === 0
      ? {}
      : { relatedLocations: places.map((rule) => relatedOf(rule, scene)) }),
    // GitHub looks at the first name alone, and would else make one of the line and those below it.
    partialFingerprints: {
      primaryLocationLineHash: print,
      "calibanFinding/v1": print,
    },
    ...(fix === undefined ? {} : {
      fixes: [{
        description: { text: `${visible(fix.title)}.` },
        artifactChanges: [{
          artifactLocation: uriOf(path, scene),
          replacements: fix.edits.map((edit) => replacementOf(edit, scene.texts.get(path) ?? "")),
        }],
      }],
    }),
    properties: {
      ...(witness === undefined ? {} : { witness, verdict }),
      ...(fix === undefined ? {} : { fixChangesVerdicts: fix.verdicts === "changes" }),
    },
  };
}

/** The message, with `](` escaped so that a pattern is not read as a link. */
function messageText(finding: Finding, { style }: Scene): string {
  const [what = "", ...more] = findingLines(finding, style);
  return [/[.!?]$/.test(what) ? what : `${what}.`, ...more].join("\n")
    .replaceAll("](", "\\](");
}

/** The region of a finding; one about the whole file is placed at line 1. */
function shownRegion({ span, path }: Finding, { texts }: Scene) {
  if (span.end === span.start) return { startLine: span.line };
  const text = texts.get(path) ?? "";
  return {
    ...regionOf(span, text),
    snippet: { text: text.slice(span.start, span.end) },
  };
}

function relatedOf({ action, pattern, source }: Rule, scene: Scene) {
  return {
    message: { text: `${action} ${visible(pattern)}`.replaceAll("](", "\\](") },
    physicalLocation: {
      artifactLocation: uriOf(source.path, scene),
      region: { startLine: source.line, startColumn: source.column },
    },
  };
}

function replacementOf({ span, text }: TextEdit, whole: string) {
  return {
    deletedRegion: regionOf(span, whole),
    ...(text === "" ? {} : { insertedContent: { text } }),
  };
}

/** The URI of a file: relative to the repository, else absolute. */
function uriOf(
  path: string,
  { root }: Scene,
): { readonly uri: string; readonly uriBaseId?: string } {
  const below = pathFromRoot(path, root);
  if (below !== undefined) return { uri: encoded(below), uriBaseId: ROOT_ID };
  const slashed = path.replaceAll("\\", "/");
  return {
    uri: `file://${slashed.startsWith("/") ? "" : "/"}${encoded(slashed)}`,
  };
}

function encoded(path: string): string {
  return path.toWellFormed().split("/").map(encodeURIComponent).join("/");
}

/** The same JSON with everything but printable ASCII escaped, for it may be shown in a terminal. */
function ascii(json: string): string {
  return json.replace(/[^\n -~]/g, jsonEscaped);
}

/**
 * A fingerprint of each finding, in their order: sixteen hexadecimal digits for its subject, independent of its position in
 * its file, then `:` and its number among those that are alike.
 */
function fingerprints(
  findings: readonly Finding[],
  fileOf: (finding: Finding) => string,
): readonly string[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const hash = hashOf([finding.id, fileOf(finding), ...subjectOf(finding)]);
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  });
}

/** The rule, without its line; what is about no rule is told by its sentence, and the numbers in that are mostly lines. */
function subjectOf({ rule, message }: Finding): readonly string[] {
  return rule === null ? [message.replaceAll(/\d+/g, "#")] : [rule.action, rule.pattern];
}

const PRIME = 0x100000001b3n;
const BASIS = 0xcbf29ce484222325n;

/** FNV-1a of 64 bits, over UTF-16 code units; it tells findings apart and keeps no secret. */
function hashOf(parts: readonly string[]): string {
  const text = JSON.stringify(parts);
  let hash = BASIS;
  for (let at = 0; at < text.length; at++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}
