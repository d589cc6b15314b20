import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import { wildText } from "../claude/say.ts";
import { editsFiles, lossOf, type Part, toolsOf } from "../convert/parts.ts";
import type { Said } from "../convert/said.ts";
import { ALL_EDIT_TOOLS } from "../convert/tool_pattern.ts";

/** What a part of a rule is in Kimi Code's words. */
export function sayKimi(part: Part, profiles: ToolProfiles): Said {
  const { spec: specifier, tool, rule: { action } } = part;
  const wide = action !== "allow";
  if (part.isGlob) {
    if (tool.startsWith("mcp__")) return { texts: [tool], losses: [] };
    const detail = "a wildcard in a tool's name cannot be written";
    if (!wide) return { texts: [], losses: [lossOf(part, "dropped", detail)] };
    return {
      texts: [...toolsOf(part, profiles), "mcp__*"],
      losses: [lossOf(part, "widened", `${detail}: it is written for the known tools alone`)],
    };
  }
  if (specifier.kind === "any") return { texts: [tool], losses: [] };
  if (specifier.kind === "argument" && specifier.test.kind === "command" && tool === "Bash") {
    return sayCommand(part, specifier.test);
  }
  const detail = "how it is compared there is not certain";
  if (!wide) return { texts: [], losses: [lossOf(part, "dropped", detail)] };
  return {
    texts: editsFiles(tool) ? ALL_EDIT_TOOLS : [tool],
    losses: [
      lossOf(part, "narrowed", `${detail}, so it is the whole tool`),
      ...isFile(part) ? [lossOf(part, "widened", KIN)] : [],
    ],
  };
}

const KIN =
  "what other tools do to the same files is not covered there, and neither are commands that name them";

function isFile({ spec: specifier }: Part): boolean {
  return specifier.kind === "argument" && specifier.test.kind === "path";
}

type Test = Extract<Extract<Part["spec"], { kind: "argument" }>["test"], { kind: "command" }>;

function sayCommand(part: Part, { anchor, glob }: Test): Said {
  const wide = part.rule.action !== "allow";
  const odd = glob.some((token) =>
    token.kind === "anyChar" || token.kind === "text" && /[*?[\]{}\\]/.test(token.text)
  );
  if (odd && !wide) {
    return {
      texts: [],
      losses: [lossOf(part, "dropped", "what its characters mean there is not certain")],
    };
  }
  const text = wildText(glob).replace(/[?[\]{}\\]/g, "*");
  const losses = odd ? [lossOf(part, "narrowed", "its odd characters are any there")] : [];
  if (!wide) {
    return sayAllow(part, {
      open: anchor !== "whole" || glob.some(({ kind }) => kind !== "text"),
      text,
      reach: anchor,
    });
  }
  losses.push(
    lossOf(
      part,
      "widened",
      "a line is compared as one text there, so that it is found at its beginning alone",
    ),
  );
  if (anchor === "contains") {
    return { texts: [`Bash(*${text}*)`], losses: odd ? losses.slice(0, 1) : [] };
  }
  const head = anchor === "prefix"
    ? text
    : beforeSpaceStar(glob) && wildText(beforeSpaceStar(glob)!);
  if (head) return { texts: [`Bash(${head})`, `Bash(${head} *)`], losses };
  return { texts: [`Bash(${text})`], losses };
}

/** A line is compared as one text there, so that a final * would let any second command through. */
function sayAllow(
  part: Part,
  { open, text, reach }: { open: boolean; text: string; reach: Test["anchor"] },
): Said {
  if (!open) return { texts: [`Bash(${text})`], losses: [] };
  const detail =
    "a line is compared as one text there, so that a * would let a second command through";
  return {
    texts: reach === "prefix" ? [`Bash(${text})`] : [],
    losses: [lossOf(part, reach === "prefix" ? "narrowed" : "dropped", detail)],
  };
}
