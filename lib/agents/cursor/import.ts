import { literalGlob, onlyText } from "../../pattern/glob.ts";
import { bashPrefix, bashWhole, wildGlob } from "../convert/bash_pattern.ts";
import { loseBeside, refuseOther } from "../convert/beside.ts";
import { entriesOf } from "../claude/import.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { FormatReading } from "../convert/format.ts";
import { memberOf, parseJsonc, shown } from "../../text/json_tree.ts";
import { filePatterns } from "../convert/tool_pattern.ts";

/** Reads `permissions` with `deny` and `allow`; a deny wins. */
export function readCursor(text: string): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  const block = memberOf(root, "permissions");
  const known = ["permissions"];
  if (refuseOther(root, { known, draft })) return draft.finish();
  loseBeside(root, { known, draft });
  if (block === undefined) return draft.finish();
  if (block.value.type !== "object") {
    draft.problem(block.value.span, 'Cannot read key "permissions": expected an object');
    return draft.finish();
  }
  for (const action of ["deny", "allow"] as const) {
    const member = memberOf(block.value, action);
    if (member) {
      for (const subject of entriesOf(member, { action, draft })) readEntry(subject, draft);
    }
  }
  for (const member of block.value.members) {
    if (member.name === "deny" || member.name === "allow") continue;
    draft.loseSetting(shown(member), {
      span: member.key,
      detail: "there is no such key here",
      kind: "widened",
    });
  }
  return draft.finish();
}

function readEntry(subject: Subject, draft: Draft): void {
  const [, kind, content] = /^(\w+)\((.+)\)$/s.exec(subject.text.trim()) ?? [];
  if (kind === undefined || content === undefined || content.trim() === "") {
    return draft.unreadable(subject, "expected Shell(…), Read(…), Write(…), WebFetch(…) or Mcp(…)");
  }
  switch (kind) {
    case "Shell":
      return readShell(subject, { content, draft });
    case "Read":
    case "Write":
      return readPath(subject, { kind: kind === "Read" ? "read" : "edit", content, draft });
    case "WebFetch":
      return readFetch(subject, { content, draft });
    case "Mcp":
      return readMcp(subject, { content, draft });
    default:
      return draft.unreadable(subject, `${kind} is not known`);
  }
}

interface WithContent {
  readonly content: string;
  readonly draft: Draft;
}

/** `Shell(git)` is every call of git, `Shell(git:push*)` one whose arguments fit. */
function readShell(subject: Subject, { content, draft }: WithContent): void {
  if (/^\*+$/.test(content)) return draft.add(subject, "Bash");
  const cut = content.indexOf(":");
  const name = cut < 0 ? content : content.slice(0, cut);
  const args = cut < 0 ? "*" : content.slice(cut + 1);
  const glob = wildGlob(name);
  if (onlyText(glob) === undefined || /[\s?{}[\]\\]/.test(name)) {
    const detail = "only a command's first word is compared there, and how is not certain";
    return draft.approximate(subject, {
      pattern: bashWhole([...wildGlob(name.replace(/[?{}[\]\\].*/, "*")), { kind: "star" }]),
      detail,
    });
  }
  if (/^\*+$/.test(args)) return draft.add(subject, bashPrefix(literalGlob(name)));
  if (/[?{}[\]\\]/.test(args)) {
    const detail = "how its arguments are compared there is not certain";
    return draft.approximate(subject, { pattern: bashPrefix(literalGlob(name)), detail });
  }
  draft.add(subject, bashWhole(wildGlob(`${name} ${args}`)));
}

function readPath(
  subject: Subject,
  { kind, content, draft }: WithContent & { kind: "read" | "edit" },
): void {
  const { action } = subject;
  const based = /^(\/|~\/|\.\/|\*\*)/.test(content) ? content : `./${content}`;
  const path = based.startsWith("**") ? `./${based}` : based;
  if (action === "allow") return draft.add(subject, ...filePatterns(kind, { path, action }));
  const wide = path.replace(/^\.\//, "");
  const pattern = filePatterns(kind, { path: wide === "**" ? undefined : wide, action });
  draft.broaden(subject, { pattern, detail: "it holds outside of the workspace too here" });
}

function readFetch(subject: Subject, { content, draft }: WithContent): void {
  if (content === "*") return draft.add(subject, "WebFetch");
  const [, star, host] = /^(\*\.)?([\w.-]+)$/.exec(content) ?? [];
  if (host === undefined) {
    return draft.approximate(subject, {
      pattern: "WebFetch",
      detail: "only hosts are compared here",
    });
  }
  if (subject.action !== "allow") {
    return draft.broaden(subject, {
      pattern: `WebFetch:domain:${host}`,
      detail: "it holds for subdomains too here",
    });
  }
  const name = `${star ?? ""}${host}`;
  draft.add(subject, `WebFetch:https://${name}`, `WebFetch:http://${name}`);
}

function readMcp(subject: Subject, { content, draft }: WithContent): void {
  const [, server, tool] = /^([\w-]+|\*):([\w-]+|\*)$/.exec(content) ?? [];
  if (server === undefined || tool === undefined || server.includes("__")) {
    return draft.approximate(subject, { pattern: "mcp__*", detail: "expected server:tool" });
  }
  draft.add(subject, server === "*" && tool === "*" ? "mcp__*" : `mcp__${server}__${tool}`);
}
