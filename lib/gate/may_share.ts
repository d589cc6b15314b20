import { type Glob, literalHead } from "../pattern/glob.ts";
import type { PathContext } from "../pattern/path/path_facts.ts";
import type { PathPattern } from "../pattern/path/path_pattern.ts";
import type { ValueTest } from "../pattern/pattern.ts";
import type { ToolRule } from "../policy/compile/rule_table.ts";

/** Whether an allow rule and a deny rule of one tool may fit the same call; only what surely fits none is told apart. */
export function mayShare(
  allow: ToolRule,
  { entry: deny, context }: { readonly entry: ToolRule; readonly context: PathContext },
): boolean {
  if (allow.specifier?.kind !== "argument" || deny.specifier?.kind !== "argument" || deny.also) {
    return true;
  }
  const [one, other] = [allow.specifier.test, deny.specifier.test];
  if (one.kind === "command" && other.kind === "command") return commandsMeet(one, other);
  if (one.kind === "path" && other.kind === "path") {
    return pathsMeet(one.pattern, { deny: other.pattern, context });
  }
  return hostsMeet(hostOf(one), hostOf(other));
}

/** The beginning of a word, or all of it. */
interface Word {
  readonly text: string;
  readonly isWhole: boolean;
}

type CommandTest = Extract<ValueTest, { readonly kind: "command" }>;

/**
 * By their programs, and by the word behind these where it is no option. Any literal word of the allow rule may be a
 * program, as in `sudo apt *`; a deny rule may be about the whole line.
 */
function commandsMeet(allow: CommandTest, deny: CommandTest): boolean {
  const own = wordsOf(allow);
  const [program, next] = wordsOf(deny);
  if (program === undefined || deny.anchor === "contains" || own.length === 0) return true;
  const isPlain = (text: string) => !/["'\\$`=|;&<>(){}\n]/.test(text);
  if (
    !isPlain(literalHead(allow.glob)) ||
    !deny.glob.every((each) => each.kind !== "text" || isPlain(each.text))
  ) return true;
  const at = own.findIndex((word, index) => (word.isWhole || index === 0) && meet(word, program));
  if (at < 0) return false;
  const behind = own[1];
  if (at > 0 || behind === undefined || next === undefined) return true;
  if (/^-|^$/.test(behind.text) || /^-|^$/.test(next.text)) return true;
  return own.slice(1).some((word) => word.isWhole && meet(word, program)) || meet(behind, next);
}

function wordsOf({ glob, anchor }: CommandTest): readonly Word[] {
  const head = literalHead(glob);
  const isAll = glob.length <= 1 && anchor !== "contains";
  const texts = head.split(" ");
  return texts.map((text, index) => ({ text, isWhole: isAll || index < texts.length - 1 }))
    .filter(({ text }, index) => text !== "" || index > 0);
}

function meet(one: Word, other: Word): boolean {
  const [first, second] = [nameOf(one), nameOf(other)];
  if (one.isWhole && other.isWhole) return first === second;
  if (one.isWhole) return first.startsWith(second);
  return other.isWhole
    ? second.startsWith(first)
    : first.startsWith(second) || second.startsWith(first);
}

/** Without its directory; capitals count for none, since some file systems know none. */
function nameOf({ text }: Word): string {
  return text.replace(/^.*\//s, "").toLowerCase();
}

/** By their literal beginnings: a deny rule fits all that is below what it names, and a plain one anywhere. */
function pathsMeet(
  allow: PathPattern,
  { deny, context }: { readonly deny: PathPattern; readonly context: PathContext },
): boolean {
  if (deny.base === "plain") return true;
  const [one, other] = [headOf(allow, context), headOf(deny, context)];
  if (one === undefined || other === undefined) return true;
  return one.startsWith(other) || other.startsWith(one);
}

function headOf({ base, glob }: PathPattern, { workspace, home }: PathContext): string | undefined {
  const [folder] = base === "root" ? [""] : base === "home" ? home : workspace;
  const [first] = glob;
  if (folder === undefined) return undefined;
  return `${folder}/${first?.kind === "text" ? first.text : ""}`.toLowerCase();
}

/** A host, and whether those below it count too. */
interface Host {
  readonly name: string;
  readonly below: boolean;
}

function hostOf(test: ValueTest): Host | undefined {
  if (test.kind === "domain") return { name: test.host.toLowerCase(), below: true };
  return test.kind === "url" ? hostIn(test.glob) : undefined;
}

function hostIn(glob: Glob): Host | undefined {
  const name = /^[a-z][a-z0-9+.-]*:\/\/([^/:@?#\\]+)[/:]/i.exec(literalHead(glob))?.[1];
  return name === undefined ? undefined : { name: name.toLowerCase(), below: false };
}

function hostsMeet(one: Host | undefined, other: Host | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.name === other.name || one.below && other.name.endsWith(`.${one.name}`) ||
    other.below && one.name.endsWith(`.${other.name}`);
}
