import { type Action, ACTIONS } from "../../model/action.ts";
import { literalGlob } from "../../pattern/glob.ts";
import { quoted } from "../../text/problems.ts";
import { bashPrefix } from "../convert/bash_pattern.ts";
import { type CodexCall, CodexFault, type CodexValue, parseCodex } from "./syntax.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { FormatReading } from "../convert/format.ts";
import { spansOf } from "../../text/text_places.ts";

const DECISIONS: ReadonlyMap<string, Action> = new Map([
  ["allow", "allow"],
  ["prompt", "ask"],
  ["forbidden", "deny"],
]);

/** Lists of alternatives are written out up to so many rules. */
const MOST_RULES = 256;

/** A rule of Codex that is read. */
interface PrefixRule {
  readonly subject: Subject;
  /** Its words; each place has one or more. */
  readonly places: readonly (readonly string[])[];
}

/** Reads `prefix_rule(…)` calls; of several that fit, the strictest decides. */
export function readCodex(text: string): FormatReading {
  const draft = new Draft();
  const rules: PrefixRule[] = [];
  try {
    for (const call of parseCodex(text, spansOf(text))) readCall(call, { text, draft, rules });
  } catch (error) {
    if (!(error instanceof CodexFault)) throw error;
    draft.problem(error.span, `Cannot read the file as rules: ${error.message}`, "unknown-value");
  }
  for (const action of ACTIONS) {
    for (const rule of rules) if (rule.subject.action === action) addRule(rule, draft);
  }
  return draft.finish();
}

interface Reading {
  readonly text: string;
  readonly draft: Draft;
  readonly rules: PrefixRule[];
}

function readCall(call: CodexCall, { text, draft, rules }: Reading): void {
  const { name, span, args } = call;
  const written = text.slice(span.start, span.end).replace(/\s+/g, " ");
  if (name === "network_rule") return readNetwork(call, { written, draft });
  if (name === "host_executable") {
    const detail = "a program by its absolute path needs an allow rule of its own here";
    return draft.loseSetting(written, { span, detail, kind: "narrowed" });
  }
  if (name !== "prefix_rule") {
    return draft.problem(
      span,
      `Cannot read ${quoted(name)}: only prefix_rule, network_rule and host_executable are known`,
    );
  }
  for (const key of args.keys()) {
    if (KEYS.includes(key)) continue;
    return draft.problem(span, `Cannot read rule: ${quoted(key)} is not known`, "unknown-key");
  }
  const action = decisionOf(call, draft);
  const pattern = args.get("pattern");
  const places = pattern?.kind === "list" ? pattern.items.map(wordsOf) : [];
  if (action === undefined) return;
  if (places.length === 0 || places.includes(undefined)) {
    return draft.problem(
      pattern?.span ?? span,
      "Cannot read rule: pattern must be a list of strings, or of lists of them",
    );
  }
  const why = args.get("justification");
  const said = why?.kind === "text" && why.value !== ""
    ? action === "deny" ? { reason: why.value } : { comment: why.value }
    : {};
  rules.push({
    subject: { text: written, action, span, ...said },
    places: places as readonly (readonly string[])[],
  });
}

const KEYS = ["pattern", "decision", "match", "not_match", "justification"];

/** Left out, the decision is allow. */
function decisionOf({ args, span }: CodexCall, draft: Draft): Action | undefined {
  const value = args.get("decision");
  if (value === undefined) return "allow";
  const action = value.kind === "text" ? DECISIONS.get(value.value) : undefined;
  if (action === undefined) {
    draft.problem(
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

function addRule({ subject, places }: PrefixRule, draft: Draft): void {
  let lines: readonly (readonly string[])[] = [[]];
  for (const words of places) {
    lines = lines.flatMap((line) => words.map((word) => [...line, word]));
    if (lines.length > MOST_RULES) return draft.unreadable(subject, "it has too many alternatives");
  }
  for (const line of lines) addLine(line, { subject, draft });
}

/** A word with white space in it cannot be told from several words: an allow is left out, a deny fits both. */
function addLine(
  words: readonly string[],
  { subject, draft }: { subject: Subject; draft: Draft },
): void {
  const prefix = bashPrefix(literalGlob(words.join(" ")));
  if (words.every((word) => word !== "" && !/\s/.test(word))) return draft.add(subject, prefix);
  const whole = words.findIndex((word) => word === "" || /\s/.test(word));
  const head = words.slice(0, whole).join(" ");
  const detail = "a word with white space in it fits several words here";
  const pattern = words.join("").trim() === ""
    ? "Bash"
    : words.includes("")
    ? head === "" ? "Bash" : bashPrefix(literalGlob(head))
    : prefix;
  draft.approximate(subject, { pattern, detail });
}

function readNetwork(
  { args, span }: CodexCall,
  { written, draft }: { written: string; draft: Draft },
): void {
  const host = args.get("host");
  const decision = args.get("decision");
  const denies = decision?.kind === "text" && ["deny", "forbidden"].includes(decision.value);
  if (!denies || host?.kind !== "text" || !/^[\w.-]+$/.test(host.value)) {
    const detail = "it opens Codex's sandbox, which is not asked here";
    return draft.loseSetting(written, { span, detail, kind: denies ? "widened" : "narrowed" });
  }
  const subject: Subject = { text: written, action: "deny", span };
  const detail = "it holds for the URLs of a call here, and for subdomains too";
  draft.broaden(subject, { pattern: `WebFetch:domain:${host.value}`, detail });
}
