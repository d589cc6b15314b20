import type { Action } from "../model/action.ts";
import { literalHead } from "../pattern/glob.ts";
import { commandGlobs, type CommandTest } from "../policy/compile/command_matcher.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { lookAtCommand } from "../shell/plain_command.ts";
import { firstOpen, shownShape } from "../shell/parse/parse_word.ts";
import type { Effect } from "../shell/unit.ts";
import type { Request } from "../policy/compile/facts.ts";
import { quoted } from "../text/quoted.ts";

/** What is asked about. */
interface Question {
  readonly action: Action;
  readonly request: Request;
  readonly text: string;
}

/** Why a command glob does not fit a command line or one unit of it, or cannot be evaluated for it. */
export function whyNotCommand(
  test: CommandTest,
  { action, request, text }: Question,
): string {
  const { part, profile } = request;
  if (!part) {
    if (profile.shell === "other") return whyNotForeign(test, { action, text });
    return differs(test, text);
  }
  const { effect } = part;
  if (action === "allow") return notCovered(test, effect);
  if (effect.kind === "opaque") {
    return `what ${quoted(effect.text)} does cannot be known: ${effect.why}`;
  }
  const open = effect.denyTexts.find(({ text: written, template }) => written !== template);
  const head = literalHead(test.glob);
  const fixed = open?.template.slice(0, firstOpen(open.template));
  if (fixed !== undefined && test.anchor !== "contains" && head !== "") {
    if (head.startsWith(fixed) || fixed.startsWith(head.trimEnd())) {
      return `the line does not fix what stands behind ${quoted(fixed.trimEnd())}`;
    }
  }
  return differs(test, nearestText(effect, head));
}

/** The spelling of a unit that the rule's beginning is nearest to. */
function nearestText(effect: Effect, head: string): string {
  const texts = effect.denyTexts.map(({ text }) => text);
  return texts.find((text) => text.startsWith(head.split(" ")[0] ?? head)) ?? texts.at(-1) ??
    effect.text;
}

/** Why an allow rule that may fit the text does not cover the unit. */
function notCovered(test: CommandTest, effect: Effect): string {
  const globs = commandGlobs(test);
  const near = effect.allowTexts.find(({ text }) => globs.some((glob) => matchGlob(glob, text)));
  if (effect.allowTexts.length === 0) {
    return `${
      quoted(effect.name ?? effect.text)
    } is a relative program, and the line changes the folder before`;
  }
  if (!near) return differs(test, shownShape(effect.allowTexts[0]!.text));
  if (effect.kind === "opaque") {
    return `${quoted(effect.text)} does what the rule does not name: ${effect.why}`;
  }
  if (near.redirect !== undefined) {
    return `it does not name the redirection ${quoted(near.redirect)}`;
  }
  if (literalHead(test.glob).length > near.maxLiteral) {
    return "a word of the command holds blanks, which the rule does not show";
  }
  if (effect.depth > 0 && effect.via !== null) {
    return `${quoted(effect.text)} is run by ${quoted(effect.via)}, and the rule does not name it`;
  }
  return `it does not name ${quoted(near.text.slice(0, Math.min(near.minLiteral, 200)).trimEnd())}`;
}

/** Where the text and the glob part. */
function differs({ glob, anchor }: CommandTest, text: string): string {
  if (anchor === "contains") return "the text is not in the command";
  const head = literalHead(glob);
  if (head === "" || text.startsWith(head.trimEnd())) {
    return text.length < head.length
      ? `the command ends before ${
        head.slice(text.length).trim() === ""
          ? "a space and more"
          : quoted(head.slice(text.length).trim())
      }`
      : "the rest of the command is different";
  }
  return `the command starts with ${quoted(startLike(text, head))}`;
}

/** As many words of the command as the pattern's head has, so that the two can be laid side by side. */
function startLike(text: string, head: string): string {
  const words = head.trim().split(/\s+/).length;
  return text.trimStart().split(/\s+/).slice(0, words).join(" ");
}

function whyNotForeign(
  test: CommandTest,
  { action, text }: { action: Action; text: string },
): string {
  if (action === "allow") {
    return "the lines of this shell are not taken apart, so only the very line fits";
  }
  const look = lookAtCommand(text);
  if (look.kind === "compound") {
    return `the command has ${look.because}, so it may run more than it shows`;
  }
  if (look.kind === "quoted") {
    return `the command has ${look.because}, so it may not be what it says`;
  }
  return differs(test, text);
}
