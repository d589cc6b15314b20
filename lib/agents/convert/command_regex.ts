import type { Glob } from "../../pattern/glob.ts";
import type { CommandTest, Part } from "./parts.ts";
import { beforeSpaceStar, escapeRegex } from "./patterns.ts";

/** The source of a regular expression that matches the commands of a rule; a final ` *` is optional in a deny and an ask. */
export function commandRegex({ anchor, glob }: CommandTest, { rule }: Part): string {
  if (anchor === "contains") return regexOf(glob);
  const head = rule.action !== "allow" && anchor === "whole" ? beforeSpaceStar(glob) : undefined;
  const source = regexOf(head ?? glob);
  return anchor === "prefix" || head ? `^${source}(?:$| )` : `^${source}$`;
}

function regexOf(glob: Glob): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return escapeRegex(token.text).replaceAll("\n", "\\n");
      case "star":
        return "[^\\n]*";
      case "anyChar":
        return "[^\\n]";
    }
  }).join("");
}
