import type { Loss } from "../../model/loss.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import { writeGitignorePath } from "../convert/gitignore_path.ts";
import { editsFiles, lossOf, type Part, toolsOf } from "../convert/parts.ts";
import { allAllow, type Said } from "../convert/said.ts";
import { ALL_EDIT_TOOLS, EDIT_TOOLS } from "../convert/tool_pattern.ts";

interface Around {
  readonly parts: readonly Part[];
  readonly profiles: ToolProfiles;
}

/** What a part of a rule is in Claude Code's words. */
export function sayClaude(part: Part, around: Around): Said {
  if (part.isGlob) return sayTools(part, around);
  const { spec: specifier, tool } = part;
  if (specifier.kind === "any") return { texts: [tool], losses: [] };
  if (specifier.kind === "fields") {
    return unsaid(part, "conditions on fields of the input cannot be written");
  }
  switch (specifier.test.kind) {
    case "command":
      return tool === "Bash"
        ? sayCommand(part, specifier.test)
        : unsaid(part, `${tool} is not known there`);
    case "path":
      return sayPath(part, { test: specifier.test, parts: around.parts });
    case "domain":
    case "url":
      return sayUrl(part, specifier.test);
    case "text":
      return unsaid(part, `what ${tool} takes cannot be written`);
  }
}

/** An allow is left out; a deny or ask holds for the whole tool. */
export function unsaid(part: Part, detail: string): Said {
  if (part.rule.action === "allow") return { texts: [], losses: [lossOf(part, "dropped", detail)] };
  return {
    texts: editsFiles(part.tool) ? ALL_EDIT_TOOLS : [part.tool],
    losses: [lossOf(part, "narrowed", `${detail}, so it is the whole tool`)],
  };
}

function sayTools(part: Part, { profiles }: Around): Said {
  const { tool, rule } = part;
  if (/^mcp__[^*?]+__\*$/.test(tool) || tool === "mcp__*" && rule.action !== "allow") {
    return { texts: [tool], losses: [] };
  }
  const detail = "a wildcard in a tool's name cannot be written";
  if (rule.action === "allow") return { texts: [], losses: [lossOf(part, "dropped", detail)] };
  const known = toolsOf(part, profiles);
  const servers = tool === "*" ? ["mcp__*", "Agent", "Skill"] : [];
  return {
    texts: [...new Set([...known, ...servers])],
    losses: [lossOf(part, "widened", `${detail}: it is written for the known tools alone`)],
  };
}

function onlyTogether(part: Part): Said {
  const detail = `there one rule holds for every tool that edits, and not all of ${
    EDIT_TOOLS.join(", ")
  } are allowed that`;
  return { texts: [], losses: [lossOf(part, "dropped", detail)] };
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function sayCommand(part: Part, { anchor, glob }: CommandTest): Said {
  const wide = part.rule.action !== "allow";
  const odd = glob.some(({ kind }) => kind === "anyChar") || /[*\\]/.test(literals(glob));
  if (odd && !wide) {
    return {
      texts: [],
      losses: [lossOf(part, "dropped", "it has a ? or an escape, which cannot be written")],
    };
  }
  const text = wildText(glob);
  const losses = odd
    ? [lossOf(part, "narrowed", "its ? and escapes are any characters there")]
    : [];
  if (/[;&|<>\n(){}]/.test(literals(glob)) && wide) {
    losses.push(
      lossOf(
        part,
        "widened",
        "it speaks of more than one command, and is asked about one at a time there",
      ),
    );
  }
  if (anchor === "contains") return { texts: [`Bash(*${text}*)`], losses };
  if (anchor === "whole") return sayWhole(part, { glob, losses });
  if (onlyText(glob) !== undefined && !text.includes("*")) {
    return { texts: [`Bash(${text}:*)`], losses };
  }
  // Behind a wildcard the prefix form is not known there, and " *" fits no command without it.
  return { texts: [`Bash(${text})`, `Bash(${text} *)`], losses };
}

/** A glob over a whole command; a lone " *" at its end fits the command alone too there. */
function sayWhole(
  part: Part,
  { glob, losses }: { glob: Glob; losses: readonly Loss[] },
): Said {
  const wide = part.rule.action !== "allow";
  const text = wildText(glob);
  const head = beforeSpaceStar(glob);
  const stars = text.split("*").length - 1;
  if (head !== undefined && stars === 1) {
    if (wide) return { texts: [`Bash(${wildText(head)}:*)`], losses };
    const detail = `" *" fits the command alone too there; write Bash(${
      wildText(head)
    }:*) to mean that`;
    return { texts: [], losses: [lossOf(part, "dropped", detail)] };
  }
  if (head !== undefined && wide) {
    return { texts: [`Bash(${wildText(head)})`, `Bash(${text})`], losses };
  }
  if (text.endsWith(":*") || /^\s|\s$/.test(text)) {
    return unsaid(part, "its end would mean something else there");
  }
  return { texts: [`Bash(${text})`], losses };
}

function literals(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text : "").join("");
}

/** The glob with `*` for everything that is not plain text. */
export function wildText(glob: Glob): string {
  return glob.map((token) => token.kind === "text" ? token.text.replace(/[*\\]/g, "*") : "*").join(
    "",
  )
    .replace(/\*+/g, "*");
}

function sayPath(
  part: Part,
  { test, parts }: { test: Extract<ValueTest, { kind: "path" }>; parts: readonly Part[] },
): Said {
  const { tool, rule: { action } } = part;
  const isEdit = editsFiles(tool);
  if (!isEdit && tool !== "Read") return unsaid(part, `paths of ${tool} cannot be written`);
  if (isEdit && action === "allow" && !allAllow(part, { parts, tools: EDIT_TOOLS })) {
    return onlyTogether(part);
  }
  const written = writeGitignorePath(test.pattern, action === "allow" ? "strict" : "wide");
  const { texts, narrowed, widened } = written;
  if (texts.length === 0) return unsaid(part, narrowed ?? widened ?? "its path cannot be written");
  return {
    texts: texts.map((text) => `${isEdit ? "Edit" : "Read"}(${text})`),
    losses: [
      ...(narrowed === undefined ? [] : [lossOf(part, "narrowed", narrowed)]),
      ...(widened === undefined ? [] : [lossOf(part, "widened", widened)]),
    ],
  };
}

function sayUrl(part: Part, test: Extract<ValueTest, { kind: "domain" | "url" }>): Said {
  const { action } = part.rule;
  if (part.tool !== "WebFetch") return unsaid(part, `URLs of ${part.tool} cannot be written`);
  if (test.kind === "url") return unsaid(part, "of a URL only the host can be written");
  if (action === "allow") {
    const detail = "its subdomains are not known to count there";
    return { texts: [`WebFetch(domain:${test.host})`], losses: [lossOf(part, "narrowed", detail)] };
  }
  const detail = "whether the entry for its subdomains counts there is not certain";
  return {
    texts: [`WebFetch(domain:${test.host})`, `WebFetch(domain:*.${test.host})`],
    losses: [lossOf(part, "widened", detail)],
  };
}
