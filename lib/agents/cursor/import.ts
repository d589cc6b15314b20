import { literalGlob, onlyText } from "../../pattern/glob.ts";
import { memberOf } from "../../text/json_node.ts";
import {
  bashPrefix,
  bashWhole,
  filePatterns,
  SHARED_NAME,
  sharesNames,
  wildGlob,
} from "../convert/patterns.ts";
import { loseUnknownKey, loseUnreadKeys, openJson } from "../convert/unread_keys.ts";
import type { ImportBuilder, Subject } from "../convert/import_builder.ts";
import type { Format, ImportResult } from "../convert/format.ts";
import { entriesOf } from "../convert/permission_lists.ts";
import { writeCursor } from "./export.ts";

const SETTINGS_FILE = /\.cursor[\\/](?:cli[\w-]*|hooks)\.json$/;

/** Cursor's command line: `permissions` in `cli-config.json` or `.cursor/cli.json`. */
export const format: Format = {
  name: "cursor",
  title: "Cursor CLI cli.json",
  caveat:
    "Cursor compares the first word of a command and its arguments, and asks about calls without a rule",
  detect: (path, text) =>
    SETTINGS_FILE.test(path) ||
    /^\s*[{/]/.test(text) && /"(?:Shell|Mcp)\(/.test(text),
  read: readCursor,
  write: writeCursor,
};

/** Reads `permissions` with `deny` and `allow`; a deny wins. */
function readCursor(text: string, path: string): ImportResult {
  const known = ["permissions"];
  const isSettings = SETTINGS_FILE.test(path);
  const { root, builder, isOther } = openJson(text, known, { isSettings });
  if (isOther) return builder.finish();
  const block = memberOf(root, "permissions");
  loseUnreadKeys(root, { known, builder });
  if (block === undefined) return builder.finish();
  if (block.value.type !== "object") {
    builder.problem(block.value.span, 'Cannot read key "permissions": expected an object');
    return builder.finish();
  }
  for (const action of ["deny", "allow"] as const) {
    const subjects = entriesOf(block.value, { key: action, action, builder });
    for (const subject of subjects) readEntry(subject, builder);
  }
  for (const member of block.value.members) {
    if (member.name === "deny" || member.name === "allow") continue;
    loseUnknownKey(member, builder);
  }
  return builder.finish();
}

function readEntry(subject: Subject, builder: ImportBuilder): void {
  const [, kind, content] = /^(\w+)\((.+)\)$/s.exec(subject.text.trim()) ?? [];
  if (kind === undefined || content === undefined || content.trim() === "") {
    return builder.unreadable(
      subject,
      "expected Shell(…), Read(…), Write(…), WebFetch(…) or Mcp(…)",
    );
  }
  switch (kind) {
    case "Shell":
      return readShell(subject, { content, builder });
    case "Read":
    case "Write":
      return readPath(subject, { kind: kind === "Read" ? "read" : "edit", content, builder });
    case "WebFetch":
      return readFetch(subject, { content, builder });
    case "Mcp":
      return readMcp(subject, { content, builder });
    default:
      return builder.unreadable(subject, `caliban does not know ${kind}`);
  }
}

interface WithContent {
  readonly content: string;
  readonly builder: ImportBuilder;
}

/** Reads `Shell(git)`, every call of git, and `Shell(git:push*)`, the calls whose arguments match. */
function readShell(subject: Subject, { content, builder }: WithContent): void {
  if (/^\*+$/.test(content)) return builder.add(subject, "Bash");
  const cut = content.indexOf(":");
  const name = cut < 0 ? content : content.slice(0, cut);
  const args = cut < 0 ? "*" : content.slice(cut + 1);
  const glob = wildGlob(name);
  if (onlyText(glob) === undefined || /[\s?{}[\]\\]/.test(name)) {
    const detail = "it is not certain how Cursor compares the first word of a command";
    return builder.approximate(subject, {
      pattern: bashWhole([...wildGlob(name.replace(/[?{}[\]\\].*/, "*")), { kind: "star" }]),
      detail,
    });
  }
  if (/^\*+$/.test(args)) return builder.add(subject, bashPrefix(literalGlob(name)));
  if (/[?{}[\]\\]/.test(args)) {
    const detail = "it is not certain how Cursor compares its arguments";
    return builder.approximate(subject, { pattern: bashPrefix(literalGlob(name)), detail });
  }
  builder.add(subject, bashWhole(wildGlob(`${name} ${args}`)));
}

function readPath(
  subject: Subject,
  { kind, content, builder }: WithContent & { kind: "read" | "edit" },
): void {
  const { action } = subject;
  const based = /^(\/|~\/|\.\/|\*\*)/.test(content) ? content : `./${content}`;
  const path = based.startsWith("**") ? `./${based}` : based;
  if (action === "allow") return builder.add(subject, ...filePatterns(kind, { path, action }));
  const plain = path.replace(/^\.\//, "");
  const pattern = filePatterns(kind, { path: plain === "**" ? undefined : plain, action });
  builder.broaden(subject, { pattern, detail: "in caliban it holds outside of the workspace too" });
}

function readFetch(subject: Subject, { content, builder }: WithContent): void {
  if (content === "*") return builder.add(subject, "WebFetch");
  const [, star = "", host] = /^(\*\.)?([\w.-]+)$/.exec(content) ?? [];
  if (host !== undefined) return builder.addHost(subject, { host, star });
  const detail = "caliban compares only hosts";
  builder.approximate(subject, { pattern: "WebFetch", detail });
}

function readMcp(subject: Subject, { content, builder }: WithContent): void {
  const [, server, tool] = /^([\w-]+|\*):([\w-]+|\*)$/.exec(content) ?? [];
  if (server === undefined || tool === undefined) {
    return builder.approximate(subject, { pattern: "mcp__*", detail: "expected server:tool" });
  }
  const pattern = server === "*" && tool === "*" ? "mcp__*" : `mcp__${server}__${tool}`;
  if (sharesNames(server)) builder.approximate(subject, { pattern, detail: SHARED_NAME });
  else builder.add(subject, pattern);
}
