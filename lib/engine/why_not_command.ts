import type { Action } from "../model/action.ts";
import { literalHead } from "../pattern/glob.ts";
import { commandGlobs, type CommandTest } from "../policy/command_matcher.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { lookAtCommand } from "../shell/plain_command.ts";
import { firstOpen, shownShape } from "../shell/parse_word.ts";
import type { Unit } from "../shell/unit.ts";
import type { Facts } from "../tools/facts.ts";
import { quoted } from "./quoted.ts";

/** What is asked about. */
interface Question {
  readonly action: Action;
  readonly facts: Facts;
  readonly text: string;
}

/** Why a command glob does not fit a command line or one unit of it, or cannot be evaluated for it. */
export function whyNotCommand(test: CommandTest, { action, facts, text }: Question): string {
  const { part, profile } = facts;
  if (!part) {
    if (profile.shell === "other") return whyNotForeign(test, { action, text });
    return differs(test, text);
  }
  const { unit } = part;
  if (action === "allow") return notCovered(test, unit);
  if (unit.kind === "opaque") return `what ${quoted(unit.text)} does cannot be known: ${unit.why}`;
  const open = unit.wide.find(({ text: written, shape }) => written !== shape);
  const head = literalHead(test.glob);
  const fixed = open?.shape.slice(0, firstOpen(open.shape));
  if (fixed !== undefined && test.reach !== "inside" && head !== "") {
    if (head.startsWith(fixed) || fixed.startsWith(head.trimEnd())) {
      return `the line does not fix what stands behind ${quoted(fixed.trimEnd())}`;
    }
  }
  return differs(test, nearestText(unit, head));
}

/** The spelling of a unit that the rule's beginning is nearest to. */
function nearestText(unit: Unit, head: string): string {
  const texts = unit.wide.map(({ text }) => text);
  return texts.find((text) => text.startsWith(head.split(" ")[0] ?? head)) ?? texts.at(-1) ??
    unit.text;
}

/** Why an allow rule that may fit the text does not cover the unit. */
function notCovered(test: CommandTest, unit: Unit): string {
  const globs = commandGlobs(test);
  const near = unit.covers.find(({ text }) => globs.some((glob) => matchGlob(glob, text)));
  if (unit.covers.length === 0) {
    return `${
      quoted(unit.name ?? unit.text)
    } is a relative program, and the line changes the folder before`;
  }
  if (!near) return differs(test, shownShape(unit.covers[0]!.text));
  if (unit.kind === "opaque") {
    return `${quoted(unit.text)} does what the rule does not name: ${unit.why}`;
  }
  if (near.holds !== undefined) return `it does not name the redirection ${quoted(near.holds)}`;
  if (literalHead(test.glob).length > near.limit) {
    return "a word of the command holds blanks, which the rule does not show";
  }
  if (unit.depth > 0 && unit.via !== null) {
    return `${quoted(unit.text)} is run by ${quoted(unit.via)}, and the rule does not name it`;
  }
  return `it does not name ${quoted(near.text.slice(0, Math.min(near.need, 200)).trimEnd())}`;
}

/** Where the text and the glob part. */
function differs({ glob, reach }: CommandTest, text: string): string {
  if (reach === "inside") return "the text is not in the command";
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
