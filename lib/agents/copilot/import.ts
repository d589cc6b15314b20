import type { Action } from "../../model/action.ts";
import { type Glob, literalGlob } from "../../pattern/glob.ts";
import { quoted } from "../../text/problems.ts";
import { bashPrefix, bashWhole } from "../convert/bash_pattern.ts";
import type { Draft, Subject } from "../convert/draft.ts";
import { type JsonMember, type JsonNode, memberOf } from "../../text/json_tree.ts";
import { globsOfRegex } from "../convert/regex_glob.ts";
import { filePatterns } from "../convert/tool_pattern.ts";

interface Pass {
  /** The entries that are read in this pass. */
  readonly action: Action;
  readonly draft: Draft;
}

/** An entry, with what it says. */
interface Entry {
  readonly subject: Subject;
  readonly key: string;
  readonly value: JsonNode;
}

/** Reads `"git status": true`, `"/^git (a|b)$/": { "approve": true, "matchCommandLine": true }`. */
export function readTerminal(member: JsonMember, { action, draft }: Pass): void {
  for (const { subject, key, value } of entriesOf(member, { action, draft })) {
    const line = memberOf(value, "matchCommandLine")?.value;
    if (line?.type === "boolean" && line.value) {
      const detail = "a line is never compared as a whole by an allow here";
      draft.approximate(subject, { pattern: "Bash", detail });
      continue;
    }
    readCommand(subject, { key, draft });
  }
}

/** A plain key is a beginning of a command that a word ends; between slashes stands an expression. */
function readCommand(subject: Subject, { key, draft }: { key: string; draft: Draft }): void {
  const regex = /^\/(.*)\/([a-z]*)$/s.exec(key);
  if (!regex) {
    if (key.trim() === "") return draft.unreadable(subject, "it names no command");
    const glob = literalGlob(key.trim());
    if (subject.action === "allow") {
      draft.add(subject, bashPrefix(glob));
      return draft.lose(
        "narrowed",
        subject,
        "it also begins words that go on behind a - or a . there",
      );
    }
    return draft.broaden(subject, {
      pattern: bashWhole([...glob, { kind: "star" }]),
      detail: "it holds for longer words too here",
    });
  }
  const [, source = "", flags = ""] = regex;
  const anchored = source.startsWith("^");
  const globs = anchored && flags === "" ? globsOfRegex(source.slice(1)) : undefined;
  // "." fits no line end there, and a "?" one character here, which an expression may count in another way.
  if (globs?.exact?.every(isPlain)) return draft.add(subject, ...globs.exact.map(bashWhole));
  const detail = "its expression cannot be said as a pattern";
  const head = flags === "" ? globs?.head ?? "" : "";
  const pattern = head === "" ? "Bash" : bashWhole([...literalGlob(head), { kind: "star" }]);
  draft.approximate(subject, { pattern, detail });
}

function isPlain(glob: Glob): boolean {
  return glob.every(({ kind }, index) => kind !== "anyChar" || glob[index + 1]?.kind === "star");
}

/** Reads a path glob to true (no question) or false. */
export function readEdits(member: JsonMember, { action, draft }: Pass): void {
  for (const { subject, key } of entriesOf(member, { action, draft })) {
    const path = /^(\/|~\/|\*\*)/.test(key) ? key : `./${key}`;
    if (action === "allow") {
      const inside = path.startsWith("**") ? `./${path}` : path;
      draft.add(subject, ...filePatterns("edit", { path: inside, action }));
      draft.lose("narrowed", subject, "files outside of the workspace are not meant here");
    } else draft.add(subject, `Edit:${path.replace(/^\.\//, "")}`);
  }
}

/** Reads a URL to true or false; a request and its answer are not told apart. */
export function readUrls(member: JsonMember, { action, draft }: Pass): void {
  for (const { subject, key } of entriesOf(member, { action, draft })) {
    if (action === "allow" && /^https?:\/\/[\w.-]+(:\d+)?(\/[^*?]*)?\/?\*?$/.test(key)) {
      draft.add(subject, `WebFetch:${key}`);
    } else {draft.approximate(subject, {
        pattern: "WebFetch",
        detail: "only a URL with its whole host is compared here",
      });}
  }
}

/** Whether a member of an entry is none that is known, or no boolean. */
function isOdd({ name, value }: JsonMember): boolean {
  return value.type !== "boolean" ||
    !["approve", "approveRequest", "approveResponse", "matchCommandLine"].includes(name);
}

/** The entries that say this action: true allows, false asks, null takes a default back and says nothing. */
function entriesOf({ name, value }: JsonMember, { action, draft }: Pass): readonly Entry[] {
  if (value.type !== "object") {
    if (action === "ask") {
      draft.problem(value.span, `Cannot read ${quoted(name)}: expected an object`);
    }
    return [];
  }
  return value.members.flatMap(({ name: key, key: span, value: said }): readonly Entry[] => {
    const approve = said.type === "object"
      ? memberOf(said, "approve")?.value ?? memberOf(said, "approveRequest")?.value
      : said;
    if (said.type === "null") return [];
    const odd = said.type === "object" ? said.members.find(isOdd) : undefined;
    if (odd) {
      if (action === "ask") {
        draft.problem(odd.key, `Cannot read key ${quoted(odd.name)} of entry ${quoted(key)}`);
      }
      return [];
    }
    if (approve?.type !== "boolean") {
      if (action === "ask") {
        draft.problem(said.span, `Cannot read entry ${quoted(key)}: expected true, false or null`);
      }
      return [];
    }
    if (approve.value !== (action === "allow")) return [];
    return [{ subject: { text: `${key}: ${approve.value}`, action, span }, key, value: said }];
  });
}
