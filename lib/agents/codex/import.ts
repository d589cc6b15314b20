import { type Action, ACTIONS } from "../../model/call.ts";
import { literalGlob } from "../../pattern/glob.ts";
import { quoted } from "../../model/problem.ts";
import { bashPrefix } from "../convert/patterns.ts";
import { type CodexCall, CodexFault, type CodexValue, parseCodex } from "./syntax.ts";
import { ImportBuilder, type Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import {
  isPermissionKey,
  loseUnreadKey,
  loseUnreadKeys,
  openJson,
} from "../convert/unread_keys.ts";
import { parseToml } from "../../text/toml_tree.ts";
import { spansOf } from "../../text/text_lines.ts";
import { writeCodex } from "./export.ts";

const SETTINGS_FILE = /\.codex[\\/](?:config\.toml|hooks\.json)$/;

/** Reads the settings, which have no rules: their keys about permissions are losses. */
function readSettings(text: string): ImportResult {
  if (text.trimStart().startsWith("{")) {
    const { root, builder } = openJson(text, ["hooks"]);
    loseUnreadKeys(root, { known: [], builder });
    return builder.finish();
  }
  const { root, problems } = parseToml(text);
  const builder = new ImportBuilder(problems);
  for (const { name, key } of root.members.values()) {
    if (isPermissionKey(name)) loseUnreadKey(builder, { name, text: name, span: key });
  }
  return builder.finish();
}

/** Codex: `prefix_rule(…)` in `.rules` files; written against codex-cli 0.169. */
export const format: Format = {
  name: "codex",
  title: "Codex .rules",
  caveat:
    "Codex compares the words of one program call, and its sandbox decides about calls without a rule",
  detect: (path, text) => /\.rules$/.test(path) || /^\s*prefix_rule\s*\(/m.test(text),
  settings: SETTINGS_FILE,
  read: (text, path) => SETTINGS_FILE.test(path) ? readSettings(text) : readCodex(text),
  write: writeCodex,
};

const DECISIONS: ReadonlyMap<string, Action> = new Map([
  ["allow", "allow"],
  ["prompt", "ask"],
  ["forbidden", "deny"],
]);

/** The limit of rules that alternatives are expanded to. */
const MOST_RULES = 256;

/** A rule of Codex. */
interface PrefixRule {
  readonly subject: Subject;
  /** The words; each place has at least one. */
  readonly places: readonly (readonly string[])[];
}

/** Reads `prefix_rule(…)` calls. Of several that match, the strictest decides. */
function readCodex(text: string): ImportResult {
  const builder = new ImportBuilder();
  const rules: PrefixRule[] = [];
  try {
    for (const call of parseCodex(text, spansOf(text))) readCall(call, { text, builder, rules });
  } catch (error) {
    if (!(error instanceof CodexFault)) throw error;
    builder.problem(error.span, `Cannot read the file as rules: ${error.message}`, "unknown-value");
  }
  for (const action of ACTIONS) {
    for (const rule of rules) if (rule.subject.action === action) addRule(rule, builder);
  }
  return builder.finish();
}

interface CodexFile {
  readonly text: string;
  readonly builder: ImportBuilder;
  readonly rules: PrefixRule[];
}

function readCall(call: CodexCall, { text, builder, rules }: CodexFile): void {
  const { name, span, args } = call;
  const written = text.slice(span.start, span.end).replace(/\s+/g, " ");
  if (name === "network_rule") return readNetwork(call, { written, builder });
  if (name === "host_executable") {
    const detail = "in caliban a program by its absolute path needs its own allow rule";
    return builder.loseSetting(written, { span, detail, kind: "narrowed" });
  }
  if (name !== "prefix_rule") {
    return builder.problem(
      span,
      `Cannot read ${quoted(name)}: expected prefix_rule, network_rule or host_executable`,
    );
  }
  const action = decisionOf(call, builder);
  if (action === undefined) return;
  const why = args.get("justification");
  const note = why?.kind === "text" && why.value !== ""
    ? action === "deny" ? { reason: why.value } : { comment: why.value }
    : {};
  const subject: Subject = { text: written, action, span, ...note };
  builder.entry(subject, () => {
    const places = placesOf(call, builder);
    if (places !== undefined) rules.push({ subject, places });
  });
}

/** The words of a rule, by their places; undefined with a problem. */
function placesOf(
  { args, span }: CodexCall,
  builder: ImportBuilder,
): PrefixRule["places"] | undefined {
  for (const key of args.keys()) {
    if (KEYS.includes(key)) continue;
    builder.problem(span, `Cannot read rule: unknown key ${quoted(key)}`, "unknown-key");
    return undefined;
  }
  const pattern = args.get("pattern");
  const places = pattern?.kind === "list" ? pattern.items.map(wordsOf) : [];
  const known = places.filter((words) => words !== undefined);
  if (known.length > 0 && known.length === places.length) return known;
  builder.problem(
    pattern?.span ?? span,
    "Cannot read rule: pattern must be a list of strings, or of lists of them",
  );
  return undefined;
}

const KEYS = ["pattern", "decision", "match", "not_match", "justification"];

/** The decision; without one it is allow. */
function decisionOf({ args, span }: CodexCall, builder: ImportBuilder): Action | undefined {
  const value = args.get("decision");
  if (value === undefined) return "allow";
  const action = value.kind === "text" ? DECISIONS.get(value.value) : undefined;
  if (action === undefined) {
    builder.problem(
      value.span ?? span,
      "Cannot read decision: expected allow, prompt or forbidden",
      "unknown-value",
    );
  }
  return action;
}

/** The words of one place: one, or a list of alternatives. */
function wordsOf(value: CodexValue): readonly string[] | undefined {
  const items = value.kind === "list" ? value.items : [value];
  const words = items.flatMap((item) => item.kind === "text" ? [item.value] : []);
  return words.length === items.length && words.length > 0 ? words : undefined;
}

function addRule({ subject, places }: PrefixRule, builder: ImportBuilder): void {
  let lines: readonly (readonly string[])[] = [[]];
  for (const words of places) {
    lines = lines.flatMap((line) => words.map((word) => [...line, word]));
    if (lines.length > MOST_RULES) {
      return builder.unreadable(subject, "it has too many alternatives");
    }
  }
  for (const line of lines) addLine(line, { subject, builder });
}

/** A word with white space looks like several words in caliban: an allow is dropped, a deny matches both. */
function addLine(
  words: readonly string[],
  { subject, builder }: { subject: Subject; builder: ImportBuilder },
): void {
  const prefix = bashPrefix(literalGlob(words.join(" ")));
  if (words.every((word) => word !== "" && !/\s/.test(word))) return builder.add(subject, prefix);
  const whole = words.findIndex((word) => word === "" || /\s/.test(word));
  const head = words.slice(0, whole).join(" ");
  const detail = "in caliban a word with white space matches several words";
  const pattern = words.join("").trim() === ""
    ? "Bash"
    : words.includes("")
    ? head === "" ? "Bash" : bashPrefix(literalGlob(head))
    : prefix;
  builder.approximate(subject, { pattern, detail });
}

function readNetwork(
  { args, span }: CodexCall,
  { written, builder }: { written: string; builder: ImportBuilder },
): void {
  const host = args.get("host");
  const decision = args.get("decision");
  const denies = decision?.kind === "text" && ["deny", "forbidden"].includes(decision.value);
  if (!denies || host?.kind !== "text" || !/^[\w.-]+$/.test(host.value)) {
    const detail = "it opens Codex's sandbox, which caliban does not use";
    return builder.loseSetting(written, { span, detail, kind: denies ? "widened" : "narrowed" });
  }
  const subject: Subject = { text: written, action: "deny", span };
  const detail = "in caliban it holds for the URLs of a call, and for subdomains too";
  builder.broaden(subject, { pattern: `WebFetch:domain:${host.value}`, detail });
}
