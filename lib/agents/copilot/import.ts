import type { Action } from "../../model/call.ts";
import { type Glob, literalGlob } from "../../pattern/glob.ts";
import { type JsonMember, type JsonNode, memberOf, shown } from "../../text/json_node.ts";
import { quoted } from "../../model/problem.ts";
import { bashPrefix, bashWhole, filePatterns } from "../convert/patterns.ts";
import { isPermissionKey, loseUnreadKey, lossWithout, openJson } from "../convert/unread_keys.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { globsOfRegex } from "../convert/regex_glob.ts";
import { alternates } from "../convert/regex_text.ts";
import { writeCopilot } from "./export.ts";

const SETTINGS_FILE = /\.vscode[\\/]settings\.json$|[\\/]Code[\w -]*[\\/]User[\\/]settings\.json$/;

/** VS Code with Copilot: `chat.tools.….autoApprove` in `settings.json`. */
export const format: Format = {
  name: "copilot",
  title: "VS Code settings.json (Copilot's autoApprove)",
  caveat:
    "VS Code cannot deny: it asks about calls that are not approved, and its own default list counts too",
  detect: (_path, text) => /"chat\.tools\.(?:terminal|edits|urls)\.autoApprove"\s*:/.test(text),
  settings: SETTINGS_FILE,
  read: readCopilot,
  write: writeCopilot,
};

const TERMINAL = "chat.tools.terminal.autoApprove";
/** The setting that switches all approvals of the terminal off. */
const OFF = "chat.tools.terminal.enableAutoApprove";
const CHAT = /^(?:chat|github\.copilot)\./;

const READERS: ReadonlyMap<string, typeof readTerminal> = new Map([
  [TERMINAL, readTerminal],
  ["chat.tools.edits.autoApprove", readEdits],
  ["chat.tools.urls.autoApprove", readUrls],
]);

/** The keys about permissions in VS Code's settings. */
function keysOf(root: JsonNode): readonly string[] {
  const members = root.type === "object" ? root.members : [];
  return members.map(({ name }) => name).filter((name) => CHAT.test(name) && isPermissionKey(name));
}

/** Reads asks above allows: VS Code asks about a command if any entry refuses it. */
function readCopilot(text: string, path: string): ImportResult {
  const { root, builder, isOther } = openJson(text, [...READERS.keys()], {
    keys: keysOf,
    isSettings: SETTINGS_FILE.test(path),
  });
  if (isOther || root.type !== "object") return builder.finish();
  const off = memberOf(root, OFF)?.value;
  const isOff = off !== undefined && !(off.type === "boolean" && off.value);
  for (const action of ["ask", "allow"] as const) {
    for (const member of root.members) {
      if (isOff && action === "allow" && member.name === TERMINAL) continue;
      READERS.get(member.name)?.(member, { action, builder });
    }
  }
  if (isOff) {
    const detail = "it switches off all approvals in the terminal, so they are left out";
    builder.loseSetting(`${OFF}: false`, { span: off.span, detail, kind: "narrowed" });
  }
  const keys = keysOf(root);
  for (const member of root.members) {
    const { name, key: span } = member;
    if (!keys.includes(name) || READERS.has(name) || name === OFF) continue;
    if (/[aA]utoApprove$/.test(name)) {
      const detail = "it approves everything, which no file may do in caliban";
      builder.loseSetting(shown(member), { span, detail, kind: lossWithout(name) });
    } else loseUnreadKey(builder, { name, text: shown(member), span });
  }
  return builder.finish();
}

interface Pass {
  /** The entries that are read in this pass. */
  readonly action: Action;
  readonly builder: ImportBuilder;
}

/** An entry with its value. */
interface Entry {
  readonly subject: Subject;
  readonly key: string;
  readonly value: JsonNode;
}

/** Reads `"git status": true`, `"/^git (a|b)$/": { "approve": true, "matchCommandLine": true }`. */
function readTerminal(member: JsonMember, { action, builder }: Pass): void {
  for (const { subject, key, value } of entriesOf(member, { action, builder })) {
    const line = memberOf(value, "matchCommandLine")?.value;
    if (line?.type === "boolean" && line.value) {
      const detail = "in caliban an allow never matches a line as a whole";
      builder.approximate(subject, { pattern: "Bash", detail });
      continue;
    }
    readCommand(subject, { key, builder });
  }
}

/** Reads a key: the first words of a command, or a regular expression between slashes. */
function readCommand(
  subject: Subject,
  { key, builder }: { key: string; builder: ImportBuilder },
): void {
  const regex = /^\/(.*)\/([a-z]*)$/s.exec(key);
  if (!regex) {
    if (key.trim() === "") return builder.unreadable(subject, "it names no command");
    const glob = literalGlob(key.trim());
    if (subject.action === "allow") {
      builder.add(subject, bashPrefix(glob));
      return builder.lose(
        "narrowed",
        subject,
        "in VS Code it also matches words that continue with a - or a .",
      );
    }
    return builder.broaden(subject, {
      pattern: bashWhole([...glob, { kind: "star" }]),
      detail: "in caliban it holds for longer words too",
    });
  }
  const [, source = "", flags = ""] = regex;
  const anchored = source.startsWith("^") && !alternates(source);
  const globs = anchored && flags === "" ? globsOfRegex(source.slice(1)) : undefined;
  // In an expression "." matches no line end, and "?" in caliban one character, which an expression may count in another way.
  if (globs?.exact?.every(isPlain)) return builder.add(subject, ...globs.exact.map(bashWhole));
  const detail = "no pattern can express its regular expression";
  const head = flags === "" ? globs?.head ?? "" : "";
  const pattern = head === "" ? "Bash" : bashWhole([...literalGlob(head), { kind: "star" }]);
  builder.approximate(subject, { pattern, detail });
}

function isPlain(glob: Glob): boolean {
  return glob.every(({ kind }, index) => kind !== "anyChar" || glob[index + 1]?.kind === "star");
}

/** Reads a path glob to true (no question) or false. */
function readEdits(member: JsonMember, { action, builder }: Pass): void {
  for (const { subject, key } of entriesOf(member, { action, builder })) {
    const path = /^(\/|~\/|\*\*)/.test(key) ? key : `./${key}`;
    if (action === "allow") {
      const inside = path.startsWith("**") ? `./${path}` : path;
      builder.add(subject, ...filePatterns("edit", { path: inside, action }));
      builder.lose(
        "narrowed",
        subject,
        "in caliban it does not hold for files outside of the workspace",
      );
    } else builder.add(subject, `Edit:${path.replace(/^\.\//, "")}`);
  }
}

/** Reads a URL to true or false. A request and its response count as one. */
function readUrls(member: JsonMember, { action, builder }: Pass): void {
  for (const { subject, key } of entriesOf(member, { action, builder })) {
    if (action === "allow" && /^https?:\/\/[\w.-]+(:\d+)?(\/[^*?]*)?\/?\*?$/.test(key)) {
      builder.add(subject, `WebFetch:${key}`);
    } else {builder.approximate(subject, {
        pattern: "WebFetch",
        detail: "caliban compares only a URL with its whole host",
      });}
  }
}

/** True if a member of an entry is unknown, or not a boolean. */
function isUnknown({ name, value }: JsonMember): boolean {
  return value.type !== "boolean" ||
    !["approve", "approveRequest", "approveResponse", "matchCommandLine"].includes(name);
}

/** The entries with this action: true allows, false asks, and null only removes a default. */
function entriesOf({ name, value }: JsonMember, { action, builder }: Pass): readonly Entry[] {
  if (value.type !== "object") {
    if (action === "ask") {
      builder.problem(value.span, `Cannot read ${quoted(name)}: expected an object`);
    }
    return [];
  }
  return value.members.flatMap(({ name: key, key: span, value: entry }): readonly Entry[] => {
    const approve = entry.type === "object"
      ? memberOf(entry, "approve")?.value ?? memberOf(entry, "approveRequest")?.value
      : entry;
    if (entry.type === "null") return [];
    const unknown = entry.type === "object" ? entry.members.find(isUnknown) : undefined;
    if (unknown) {
      const isAllow = approve?.type === "boolean" && approve.value;
      const subject: Subject = { text: `${key}: {…}`, action: isAllow ? "allow" : "ask", span };
      const message = `Cannot read key ${quoted(unknown.name)} of entry ${quoted(key)}`;
      if (subject.action === action) {
        builder.entry(subject, () => builder.problem(unknown.key, message));
      }
      return [];
    }
    if (approve?.type !== "boolean") {
      if (action === "ask") {
        builder.problem(
          entry.span,
          `Cannot read entry ${quoted(key)}: expected true, false or null`,
        );
      }
      return [];
    }
    if (approve.value !== (action === "allow")) return [];
    return [{ subject: { text: `${key}: ${approve.value}`, action, span }, key, value: entry }];
  });
}
