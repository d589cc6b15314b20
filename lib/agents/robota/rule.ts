import { bashWhole, wildGlob } from "../convert/bash_pattern.ts";
import type { Draft, Subject } from "../convert/draft.ts";
import { ALL_EDIT_TOOLS, toolPattern } from "../convert/tool_pattern.ts";

const FILES: readonly string[] = ["Read", ...ALL_EDIT_TOOLS];

/** Characters that are no wildcards in robota's documentation, and in many globs are. */
const ODD = /[?[\]{}\\]/;

/** Reads `Tool`, `Tool(*)` and `Tool(glob)`; what our patterns would make of the glob besides is plain text there. */
export function readRobotaRule(subject: Subject, draft: Draft): void {
  if (subject.action === "ask") return draft.unreadable(subject, "there is no ask list in robota");
  const [, tool, content] = /^([^()\s:]+)(?:\((.*)\))?$/s.exec(subject.text.trim()) ?? [];
  if (tool === undefined || content?.trim() === "") {
    return draft.unreadable(subject, "expected Tool or Tool(…)");
  }
  if (content === undefined || content === "*") {
    return draft.add(subject, tool.includes("*") ? tool : toolPattern(tool));
  }
  if (ODD.test(content)) return readOdd(subject, { tool, content, draft });
  if (tool === "Bash") return draft.add(subject, bashWhole(wildGlob(content)));
  if (FILES.includes(tool)) return draft.add(subject, `${tool}:${pathOf(content)}`);
  if (tool === "WebFetch" && !/^(?:domain:|\w+!?=|~)/.test(content)) {
    return draft.add(subject, `${tool}:${content}`);
  }
  draft.approximate(subject, {
    pattern: toolPattern(tool),
    detail: `what ${tool} takes is not compared here, so it is the whole tool`,
  });
}

interface Odd {
  readonly tool: string;
  readonly content: string;
  readonly draft: Draft;
}

function readOdd(subject: Subject, { tool, content, draft }: Odd): void {
  const detail = "what ? [ { and \\ mean there is not certain";
  const head = wildGlob(content.replace(new RegExp(`${ODD.source}.*`, "s"), "*"));
  draft.approximate(subject, {
    pattern: tool === "Bash" ? bashWhole(head) : toolPattern(tool),
    detail,
  });
}

/** A path that is not to be read as a condition on a field. */
function pathOf(content: string): string {
  return /^[\w.]+!?=/.test(content) ? `\\${content}` : content;
}
