import type { Loss } from "../../model/loss.ts";
import { type Glob, literalGlob, literalHead, onlyText } from "../../pattern/glob.ts";
import { bashPrefix, bashWhole, beforeSpaceStar } from "../convert/bash_pattern.ts";
import { loseBeside, refuseOther } from "../convert/beside.ts";
import { entriesOf } from "../claude/import.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type {
  Format,
  FormatReading,
  FormatRule,
  FormatWriting,
  WriteContext,
} from "../convert/format.ts";
import { memberOf, parseJsonc } from "../../text/json_tree.ts";
import { orderLosses } from "../convert/order_losses.ts";
import { lossOf, type Part, partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

/** Factory Droid: `commandAllowlist`, `commandDenylist` (which asks) and `commandBlocklist` in `.factory/settings.json`. */
export const DROID: Format = {
  name: "droid",
  title: "Factory Droid settings.json",
  caveat:
    "whether Droid reads an entry as a whole command or as its beginning is not certain, so the stricter is taken",
  detect: (path, text) =>
    /\.factory[\\/]/.test(path) || /"command(?:Allow|Deny|Block)list"\s*:/.test(text),
  read: readDroid,
  write: writeDroid,
};

const LISTS = [
  ["commandBlocklist", "deny"],
  ["commandDenylist", "ask"],
  ["commandAllowlist", "allow"],
] as const;

function readDroid(text: string): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  const known = LISTS.map(([name]) => name);
  if (refuseOther(root, { known, draft })) return draft.finish();
  loseBeside(root, { known, draft });
  for (const [name, action] of LISTS) {
    const member = memberOf(root, name);
    if (member) {
      for (const subject of entriesOf(member, { action, draft })) readEntry(subject, draft);
    }
  }
  return draft.finish();
}

/** An allow is taken for the command alone, a deny or ask for all that begins with it. */
function readEntry(subject: Subject, draft: Draft): void {
  const text = subject.text.trim();
  if (text === "") return draft.unreadable(subject, "it names no command");
  if (/[*?]/.test(text)) {
    const head = literalHead([...literalGlob(text.replace(/[*?].*/s, ""))]);
    const pattern = bashWhole([...literalGlob(head), { kind: "star" }]);
    return draft.approximate(subject, {
      pattern,
      detail: "whether * and ? are wildcards there is not certain",
    });
  }
  const detail = "whether arguments may follow there is not certain";
  if (subject.action !== "allow") {
    return draft.broaden(subject, { pattern: bashPrefix(literalGlob(text)), detail });
  }
  draft.add(subject, bashWhole(literalGlob(text)));
  draft.lose("narrowed", subject, detail);
}

function writeDroid(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...settingsLosses(context.settings)];
  all.push(...orderLosses(rules, { context, agent: "Droid" }));
  const lists = LISTS.map(([name, action]) => {
    const texts = parts.filter(({ rule }) => rule.action === action).flatMap((part) => {
      const { text, loss } = entryFor(part);
      if (loss) all.push(loss);
      return text === undefined ? [] : [text];
    });
    return [name, [...new Set(texts)]] as const;
  });
  const settings = Object.fromEntries(lists.filter(([, texts]) => texts.length > 0));
  return { text: JSON.stringify(settings, null, 2) + "\n", losses: distinctLosses(all) };
}

function entryFor(part: Part): { readonly text?: string; readonly loss?: Loss } {
  const { spec: specifier, tool, rule: { action } } = part;
  if (
    part.isGlob || tool !== "Bash" || specifier.kind !== "argument" ||
    specifier.test.kind !== "command"
  ) {
    return { loss: lossOf(part, "dropped", "only commands can be named there") };
  }
  const { anchor, glob } = specifier.test;
  const plain = (each: Glob | undefined) => {
    const text = each && onlyText(each);
    return text !== undefined && !/[*?]/.test(text) ? text : undefined;
  };
  const prefix = anchor === "prefix" ? plain(glob) : undefined;
  if (action === "allow") {
    if (prefix !== undefined) {
      return {
        text: prefix,
        loss: lossOf(part, "narrowed", "whether arguments may follow there is not certain"),
      };
    }
    return {
      loss: lossOf(part, "dropped", "whether arguments may follow an entry there is not certain"),
    };
  }
  const text = prefix ??
    (anchor === "whole" ? plain(glob) ?? plain(beforeSpaceStar(glob)) : undefined);
  if (text === undefined) {
    return { loss: lossOf(part, "dropped", "only the beginning of a command can be named there") };
  }
  return {
    text,
    loss: lossOf(part, "widened", "whether it holds with arguments there is not certain"),
  };
}
