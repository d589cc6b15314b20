import { fromBoolean, type Match } from "../model/match.ts";
import { foldGlob, type Glob, literalHead, onlyText } from "../pattern/glob.ts";
import { foldCase } from "../pattern/fold_case.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import type { ValueTest } from "../pattern/pattern.ts";
import { lookAtCommand, singleSpaced } from "../shell/plain_command.ts";
import type { Reading } from "./value_matcher.ts";

type CommandTest = Extract<ValueTest, { kind: "command" }>;

/**
 * The matcher of a command glob. With `shell = "parsed"` a line that may run more than one program is fitted by an allow
 * rule only when the rule is that very line, and a deny or ask rule that does not fit its text cannot be evaluated.
 */
export function commandMatcher(test: CommandTest, reading: Reading): (text: string) => Match {
  const globs = spellings(test, reading);
  const folded = reading.reach === "wide" && reading.context.ignoreCase ? globs.map(foldGlob) : [];
  const fits = (text: string) =>
    globs.some((glob) => matchGlob(glob, text)) ||
    folded.some((glob) => matchGlob(glob, foldCase(text)));
  if (reading.shell === "literal") return (text) => fromBoolean(fits(text));
  if (reading.reach === "strict") {
    const line = test.reach === "whole" ? onlyText(test.glob) : undefined;
    return (text) =>
      fromBoolean(text === line || fits(text) && lookAtCommand(text).kind !== "compound");
  }
  const head = test.reach === "inside" ? undefined : foldCase(literalHead(test.glob));
  return (text) => {
    if (fits(text)) return "yes";
    const spaced = singleSpaced(text);
    if (spaced !== text && fits(spaced)) return "yes";
    return head === undefined ? "no" : couldFit(spaced, head);
  };
}

/** The globs of which one must fit the whole text. */
function spellings(test: CommandTest, reading: Reading): readonly Glob[] {
  const { glob } = test;
  switch (test.reach) {
    case "whole": {
      const bare = reading.reach === "wide" && reading.shell === "parsed"
        ? withoutTail(glob)
        : undefined;
      return bare ? [glob, bare] : [glob];
    }
    case "prefix":
      return [glob, [...glob, { kind: "text", text: " " }, { kind: "run" }]];
    case "inside":
      return [[{ kind: "run" }, ...glob, { kind: "run" }]];
  }
}

/** `git push *` without its final ` *`, so that a deny stops a bare `git push`; undefined when it has none. */
function withoutTail(glob: Glob): Glob | undefined {
  const text = glob.at(-2);
  if (glob.at(-1)?.kind !== "run" || text?.kind !== "text" || !text.text.endsWith(" ")) {
    return undefined;
  }
  const rest = text.text.replace(/ +$/, "");
  return rest === "" ? undefined : [...glob.slice(0, -2), { kind: "text", text: rest }];
}

/** Whether a line whose text does not fit may still run what a glob stands for; `head` is the folded text it begins with. */
function couldFit(text: string, head: string): Match {
  const look = lookAtCommand(text);
  switch (look.kind) {
    case "plain":
      return "no";
    case "compound":
      return "unknown";
    case "quoted": {
      const written = foldCase(look.head);
      return written.startsWith(head) || head.startsWith(written) ? "unknown" : "no";
    }
  }
}
