import { fromBoolean, type Match } from "../../model/match.ts";
import { foldCase } from "../../pattern/fold_case.ts";
import { literalHead, onlyText } from "../../pattern/glob.ts";
import { lookAtCommand, singleSpaced } from "../../shell/plain_command.ts";
import { commandGlobs, type CommandMatcher, type CommandTest, fitsAny } from "./command_matcher.ts";
import type { MatcherContext } from "./value_matcher.ts";

/**
 * The matcher of a command glob for a tool whose lines are no POSIX shell's (PowerShell, cmd): they are not taken apart, so
 * an allow rule must be the line, and a deny or ask rule that does not fit a line with more than plain words cannot be
 * evaluated.
 */
export function foreignMatcher(test: CommandTest, reading: MatcherContext): CommandMatcher {
  if (reading.semantics === "must") {
    const line = test.anchor === "whole" ? onlyText(test.glob) : undefined;
    return (text) => fromBoolean(text === line);
  }
  const fits = fitsAny(commandGlobs(test), reading);
  const head = test.anchor === "contains" ? undefined : foldCase(literalHead(test.glob));
  return (text) => {
    if (fits(text)) return "yes";
    const spaced = singleSpaced(text);
    // A space at the end stands for the one before a final "*".
    if (fits(spaced) || fits(`${spaced} `)) return "yes";
    return head === undefined ? "no" : couldFit(spaced, head);
  };
}

/** Whether a line whose text does not fit may still run what a glob stands for; `head` is the folded text it begins with. */
function couldFit(text: string, head: string): Match {
  const look = lookAtCommand(text);
  switch (look.kind) {
    case "plain":
      return "no";
    case "compound":
      return "indeterminate";
    case "quoted": {
      const written = foldCase(look.head);
      return written.startsWith(head) || head.startsWith(written) ? "indeterminate" : "no";
    }
  }
}
