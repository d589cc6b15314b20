import type { AllowText } from "../../effect.ts";
import type { Word } from "../../parse/tree.ts";
import { hasUse } from "../../programs/program_use.ts";
import { type CommandContext, outerAllowTexts, useAllowTexts } from "../command_context.ts";
import type { CommandTexts } from "./command_texts.ts";
import type { SimpleCommand } from "../simple_command.ts";

/** The words of a command that name a URL, and those by which it reaches more than this URL. */
interface Reach {
  /** The index of the word of its first URL. */
  readonly url: number;
  /** The index of the last word of another URL, or of a file that it reads; NaN for its standard input. */
  readonly last: number;
  /** The number of characters at the end of that word which a rule need not name: the path of a URL. */
  readonly spare: number;
}

/** The first URL of a command that reaches more: another URL, or a file, whose text it may send there. */
function reachOf({ words, reading }: SimpleCommand, isFed: boolean): Reach | undefined {
  if (!hasUse(reading, "url")) return undefined;
  const urls = reading.uses.filter(({ kind }) => kind === "url").map(({ lastWord }) => lastWord);
  const url = Math.min(...urls);
  const first = urls.indexOf(url);
  const others = urls.filter((_, at) => at !== first);
  const files = reading.uses.filter(({ kind }) => kind === "read").map(({ lastWord }) => lastWord);
  const more = [...others, ...files];
  if (reading.sendsInput && isFed) return { url, last: NaN, spare: 0 };
  if (more.length === 0) return undefined;
  const last = Math.max(...more);
  const isUrl = others.includes(last) && !files.includes(last);
  const { shape } = words[last]!;
  return { url, last, spare: isUrl ? shape.length - HOST.exec(shape)![0].length : 0 };
}

/** The scheme and host of a URL. */
const HOST = /^(?:--?[\w-]+=)?(?:[A-Za-z][A-Za-z0-9+.-]*:\/\/)?[^/?#]*/;

/**
 * The texts by which an allow rule allows a command. A rule that names a URL speaks of that one: what else the command fetches,
 * and the files that it may send, must stand in the rule's literal text. A rule that ends before the first URL names none.
 */
export function allowTextsOf(
  command: SimpleCommand,
  { context, isFed }: { context: CommandContext; isFed: boolean },
): readonly AllowText[] {
  const { texts, words } = command;
  const outers = outerAllowTexts(context);
  const all = outers.length === 0 ? texts.own : [...texts.own, ...outers];
  const reach = reachOf(command, isFed);
  if (reach === undefined) return all;
  const named = useAllowTexts(texts, { last: reach.last, context })
    .map((each) => ({ ...each, minLiteral: each.minLiteral - reach.spare }));
  const own = texts.own.flatMap((each) => {
    const start = startOf(reach.url, { text: each.text, texts, words });
    return start === undefined ? [] : [beforeUrl(each, start)];
  });
  const outer = context.outers.flatMap(({ texts: { resolved, ends, maxLiteral }, ...rest }) => {
    const { wordOffset, isOnly } = rest;
    const start = ends[reach.url - 1 + (wordOffset ?? NaN)];
    if (wordOffset === undefined || !isOnly || start === undefined) return [];
    const minLiteral = ends[wordOffset] ?? Infinity;
    return [beforeUrl({ text: resolved, minLiteral, maxLiteral }, start + 1)];
  });
  const ofInterpreters = all.filter(({ interpreter }) => interpreter !== undefined);
  return [...named, ...own, ...outer, ...ofInterpreters];
}

/** The offset of a word in one of the texts of its command; undefined if it is not known. */
function startOf(
  word: number,
  { text, texts, words }: { text: string; texts: CommandTexts; words: readonly Word[] },
): number | undefined {
  const known = [texts, texts.reordered].find((each) => each?.resolved === text);
  const { shape, raw } = words[word]!;
  if (known) return known.ends[word]! - shape.length;
  const found = [raw, shape].map((each) => text.indexOf(each)).filter((at) => at >= 0);
  return found.length === 0 ? undefined : Math.min(...found);
}

function beforeUrl(text: AllowText, start: number): AllowText {
  return { ...text, maxLiteral: Math.min(text.maxLiteral, start), namesNoMore: true };
}
