import { type Action, ACTIONS } from "../../model/action.ts";
import type { Loss } from "../../model/loss.ts";
import { literalHead, onlyText } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import { readCodex } from "./import.ts";
import type { Format, FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { byAction, orderLosses } from "../convert/order_losses.ts";
import { lossOf, type Part, partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

const WORDS: Readonly<Record<Action, string>> = {
  allow: "allow",
  ask: "prompt",
  deny: "forbidden",
};

/** Codex: `prefix_rule(…)` in `.rules` files; written against codex-cli 0.169. */
export const CODEX: Format = {
  name: "codex",
  title: "Codex .rules",
  caveat:
    "Codex compares the words of one program call, and decides by its sandbox what no rule names",
  detect: (path, text) => /\.rules$/.test(path) || /^\s*prefix_rule\s*\(/m.test(text),
  read: (text) => readCodex(text),
  write: writeCodex,
};

function writeCodex(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...orderLosses(rules, { context, agent: "Codex" })];
  const lines: string[] = [];
  for (const action of ACTIONS) {
    for (const part of byAction(parts, action)) {
      const { words, loss } = wordsFor(part);
      if (loss) all.push(loss);
      if (words) lines.push(lineFor(part.rule, words));
    }
  }
  all.push(...settingsLosses(context.settings));
  const text = lines.length === 0
    ? "# No rule of the policy can be said here.\n"
    : [...new Set(lines)].join("");
  return { text, losses: distinctLosses(all) };
}

interface Words {
  readonly words?: readonly string[];
  readonly loss?: Loss;
}

/** The words that a command must begin with. */
function wordsFor(part: Part): Words {
  if (part.isGlob || part.tool !== "Bash") {
    return { loss: lossOf(part, "dropped", "only commands of the shell can be named") };
  }
  const { spec: specifier } = part;
  if (specifier.kind !== "argument" || specifier.test.kind !== "command") {
    return {
      loss: lossOf(part, "dropped", "only the words at the beginning of a command can be named"),
    };
  }
  return part.rule.action === "allow"
    ? strictWords(part, specifier.test)
    : wideWords(part, specifier.test);
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function strictWords(part: Part, { anchor, glob }: CommandTest): Words {
  const text = onlyText(glob);
  const words = text === undefined ? undefined : plainWords(text);
  if (anchor === "prefix" && words) return { words };
  const head = beforeSpaceStar(glob);
  const better = head && onlyText(head) !== undefined && anchor === "whole"
    ? `; write Bash(${onlyText(head)}:*) if the command alone may run too`
    : "";
  return {
    loss: lossOf(
      part,
      "dropped",
      `a rule there fits a command with any arguments, and without${better}`,
    ),
  };
}

function wideWords(part: Part, { anchor, glob }: CommandTest): Words {
  if (anchor === "contains") {
    return { loss: lossOf(part, "dropped", "only the beginning of a command can be named") };
  }
  const whole = anchor === "prefix" ? glob : beforeSpaceStar(glob);
  const text = whole && onlyText(whole);
  const exact = text === undefined ? undefined : plainWords(text);
  if (exact) return { words: exact };
  const fixed = onlyText(glob);
  const head = fixed === undefined ? literalHead(glob).replace(/\S*$/, "") : fixed;
  const words = plainWords(head.trim());
  if (!words) return { loss: lossOf(part, "dropped", "its first word is not plain text") };
  return {
    words,
    loss: lossOf(part, "narrowed", `it holds for every command that begins with "${head.trim()}"`),
  };
}

/** The words of a text that no shell would read as anything else. */
function plainWords(text: string): readonly string[] | undefined {
  return /^[\w@%+=:,./^-]+(?: [\w@%+=:,./^-]+)*$/.test(text) ? text.split(" ") : undefined;
}

function lineFor({ action, comment, reason }: FormatRule, words: readonly string[]): string {
  const why = reason ?? comment;
  const said = why === undefined
    ? ""
    : `, justification = ${JSON.stringify(why.replace(/\p{Cc}/gu, " "))}`;
  const pattern = words.map((word) => JSON.stringify(word)).join(", ");
  return `prefix_rule(pattern = [${pattern}], decision = "${WORDS[action]}"${said})\n`;
}
