import type { AllowText, CommandLine, Effect } from "../effect.ts";
import {
  type Block,
  type Expansions,
  fixedWord,
  type Node,
  type Pipe,
  type Sequence,
  type Simple,
} from "../parse/tree.ts";
import { mayBeZsh } from "../parse/shell.ts";
import {
  type CommandContext,
  exactText,
  innerContext,
  type Line,
  type LineReader,
  type Place,
  testEffect,
  TOP,
  type UnknownEffect,
  unknownEffect,
  type UnknownPlace,
} from "./command_context.ts";
import { readSimple } from "./command_effects.ts";
import {
  alwaysIn,
  anyFolders,
  eitherFolders,
  type Folders,
  type FoldersAfter,
  START,
} from "./folders.ts";
import { LineState } from "./line_state.ts";
import { forkBombEffect, isForkBomb } from "./fork_bomb.ts";
import { type ListedNames, listedNames, mayTakeNames } from "./listed_names.ts";
import { mayChangeFolder } from "./may_change_tree.ts";
import { isRacy, mayRelink } from "./may_relink.ts";
import { feedsInput, redirectEffects } from "./redirect_effects.ts";
import { type Feeds, withRunOutput } from "./texts/run_output.ts";
import { inPipe, ReadCommands } from "./read_commands.ts";
import { isHarmlessReader, safeLoopWords, type SimpleCommand } from "./simple_command.ts";

const NUMBER = fixedWord("0");

/** The deepest nesting of commands in commands; a deeper one is unknown. */
const MAX_DEPTH = 64;

/** The most words that are read, those of a wrapper's command once more for each wrapper. */
const MAX_WORDS = 200_000;

/** The effects of a parsed line. */
export function effectsOf(line: Line): Pick<CommandLine, "effects" | "plainNames"> {
  const reader = new EffectReader(line, { trustsLoops: true });
  if (!reader.readLine(line)) return reader.finish();
  const second = new EffectReader(line, { trustsLoops: false });
  second.readLine(line);
  return second.finish();
}

/** Collects the effects of one line: here of lists, pipelines and compound commands; `readSimple` reads simple commands. */
class EffectReader implements LineReader {
  readonly state: LineState;
  readonly #effects: Effect[] = [];
  /** The effects of the earlier commands of the pipelines around the place that is being read. */
  #feeds: Feeds | undefined;
  readonly #commands: ReadCommands;
  readonly #node: Node;
  #changesFolder: boolean | undefined;
  readonly #readOutside = (simple: Simple) => this.#commandOf(simple, TOP);
  readonly #trustsLoops: boolean;
  #words = 0;

  /** `trustsLoops`: only a loop itself sets its variable. */
  constructor(line: Line, { trustsLoops }: { trustsLoops: boolean }) {
    this.state = new LineState(line);
    this.#node = line.node;
    this.#commands = new ReadCommands(line.catalog);
    this.#trustsLoops = trustsLoops;
    // The body of a function is read where it stands, and runs later.
    if (this.state.hasFunctions) this.#expectLinks(line.node, TOP);
  }

  get changesFolder(): boolean {
    return this.#changesFolder ??= mayChangeFolder(this.#node);
  }

  /** Reads the whole line. Returns true if it took a variable for a loop's that something else sets too. */
  readLine({ node }: Line): boolean {
    this.read(node, { context: TOP, folders: START });
    return this.state.mistookLoop();
  }

  /** All effects; those that depend on the whole line come last. */
  finish(): Pick<CommandLine, "effects" | "plainNames"> {
    this.state.checkArithmetic();
    const { plainNames } = this.state;
    const effects = this.#effects;
    return plainNames === undefined ? { effects } : { effects, plainNames: [...plainNames] };
  }

  add(effect: Effect): number {
    const effects = this.#effects;
    if (effect.kind !== "opaque") return effects.push(effect) - 1;
    const { catalog } = this.state;
    return effects.push(withRunOutput(effect, { feeds: this.#feeds, effects, catalog })) - 1;
  }

  addUnknown(part: UnknownEffect, place: UnknownPlace): void {
    this.add(unknownEffect(part, place));
  }

  read(node: Node, place: Place): FoldersAfter {
    const { context, folders } = place;
    if (node.kind === "simple") this.#words += node.words.length + 1;
    if (context.depth > MAX_DEPTH || this.#words > MAX_WORDS) {
      const text = node.kind === "simple" || node.kind === "block" ? node.text : "…";
      this.addUnknown({ text, why: "it is nested too deeply" }, { context, allowTexts: [] });
      return alwaysIn(folders);
    }
    switch (node.kind) {
      case "simple":
        return readSimple(this.#commandOf(node, context), { line: this, context, folders });
      case "sequence":
        return this.#sequence(node, place);
      case "pipe":
        return this.#pipe(node, place);
      case "block":
        return this.#block(node, place);
    }
  }

  readExpansions(
    { inners, unknowns, arithmetic }: Expansions,
    { context, folders, allowTexts }: Place & UnknownPlace,
  ): void {
    const place = { context, allowTexts };
    for (const { via, node } of inners) {
      const inner = innerContext(context, via);
      this.read(node, { context: via.startsWith(">") ? { ...inner, fed: true } : inner, folders });
    }
    for (const part of unknowns) this.addUnknown(part, place);
    this.state.keepArithmetic(arithmetic, (why) => {
      this.addUnknown({ text: arithmetic[0]!.text, why }, place);
    });
    for (const { text, sets } of arithmetic) {
      for (const name of sets) {
        this.state.set(name, NUMBER);
        const why = this.state.steeringReason(name);
        if (why !== undefined) this.addUnknown({ text, why }, place);
      }
    }
  }

  /** Records links that commands beside others make, or commands that run again. */
  #expectLinks(node: Node, context: CommandContext): void {
    if (mayRelink(node, this.#linksIn(context))) this.state.expectLinks();
  }

  #beside(sequence: Sequence, context: CommandContext): void {
    this.#treeMayChange(sequence, context);
    this.#expectLinks(sequence, context);
  }

  #treeMayChange(node: Node, { loops }: CommandContext): void {
    this.state.treeMayChange(node, { loops, commandOf: this.#readerIn(TOP) });
  }

  /** The reading of commands inside the loops of a context. */
  #readerIn(context: CommandContext): (simple: Simple) => SimpleCommand {
    return context.loops.size === 0
      ? this.#readOutside
      : (simple) => this.#commandOf(simple, context);
  }

  #linksIn(context: CommandContext): Parameters<typeof mayRelink>[1] {
    return { catalog: this.state.catalog, commandOf: this.#readerIn(context) };
  }

  #commandOf(node: Simple, { loops }: CommandContext): SimpleCommand {
    return this.#commands.within(loops).of(node);
  }

  #sequence(sequence: Sequence, { context, folders }: Place): FoldersAfter {
    const { nodes, operators } = sequence;
    // A command in the background meets the changes of later ones.
    if (operators.includes("&")) this.#beside(sequence, context);
    let after = alwaysIn(folders);
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      const before = index === 0 ? ";" : operators[index - 1]!;
      const start = before === "&&"
        ? after.success
        : before === "||"
        ? after.failure
        : eitherFolders(after.success, after.failure);
      const ran = this.read(node, { context, folders: start });
      const { success, failure } = ran;
      // zsh itself runs all but the last pipeline of `cd x && y &`.
      const stays = node.kind !== "sequence" || !mayBeZsh(this.state.shell);
      if (operators[index] === "&") after = alwaysIn(stays ? start : anyFolders(start, ran));
      else if (before === "&&") {
        after = { success, failure: eitherFolders(after.failure, failure) };
      } else if (before === "||") {
        after = { success: eitherFolders(after.success, success), failure };
      } else after = { success, failure };
    }
    return after;
  }

  /** The commands of a pipeline run in processes of their own; one may run the output of the one before it. */
  #pipe(pipe: Pipe, { context, folders }: Place): FoldersAfter {
    const { nodes } = pipe;
    this.#treeMayChange(pipe, context);
    if (isRacy(pipe, this.#linksIn(context))) this.state.expectLinks();
    const piped: boolean[] = [];
    let isRead = context.piped;
    for (let index = nodes.length - 1; index >= 0; index--) {
      piped[index] = isRead;
      const node = nodes[index]!;
      isRead ||= node.kind !== "simple" ||
        !isHarmlessReader(this.#commandOf(node, context), this.state.catalog);
    }
    const feeds = this.#feeds;
    const start = this.#effects.length;
    let last = alwaysIn(folders);
    let names: ListedNames | undefined;
    const taker = nodes.findLastIndex(mayTakeNames);
    for (let index = 0; index < nodes.length; index++) {
      const node = nodes[index]!;
      if (index > 0) this.#feeds = { outer: feeds, start, end: this.#effects.length };
      const fed = context.fed || index > 0;
      const isHandedOn = index < nodes.length - 1 && node.kind === "simple";
      const inner = inPipe(context, { piped: piped[index]!, fed, isHandedOn, names });
      last = this.read(node, { context: inner, folders });
      names = index < taker && node.kind === "simple"
        ? listedNames(this.#commandOf(node, context), names)
        : undefined;
    }
    this.#feeds = feeds;
    // zsh itself runs the last command.
    const after = eitherFolders(last.success, last.failure);
    return alwaysIn(mayBeZsh(this.state.shell) ? eitherFolders(folders, after) : folders);
  }

  #block(block: Block, { context, folders }: Place): FoldersAfter {
    const { text, nodes, runs } = block;
    const isFunction = block.name.startsWith("function ");
    const scope = { line: this, context, folders, allowTexts: [exactText(text)] };
    this.readExpansions(block, scope);
    for (const effect of redirectEffects(block.redirects, scope)) this.add(effect);
    if (nodes.length === 0) this.add(testEffect(text, context));
    if (isFunction) this.state.set("@");
    if (isForkBomb(block)) this.add(forkBombEffect(text, scope));
    if (runs === "often" || isFunction) this.#treeMayChange(block, context);
    const isFed = isFunction || block.name === "coproc" || feedsInput(block.redirects);
    const inner = { ...this.#insideLoop(block, scope), ...(isFed ? { fed: true } : {}) };
    // A function starts in the folder of its call, and each round of a loop in that of the round before.
    const isOpen = isFunction ? this.changesFolder : runs === "often" && mayChangeFolder(block);
    if (runs === "often") this.#expectLinks(block, context);
    if (runs === "often") this.state.linksInLoop(text);
    let now: Folders = isOpen ? { ...folders, open: true } : folders;
    for (const node of nodes) {
      const { success, failure } = this.read(node, { context: inner, folders: now });
      const after = eitherFolders(success, failure);
      now = runs === "once" && nodes.length === 1 ? after : eitherFolders(now, after);
    }
    return alwaysIn(runs === "own" ? folders : now);
  }

  /** The context inside a block: a loop may fix its variable. */
  #insideLoop(
    { sets, runs }: Block,
    { context, folders, allowTexts }: Place & { allowTexts: readonly AllowText[] },
  ): CommandContext {
    if (!sets) return context;
    const { name, words } = sets;
    const globs = words?.flatMap(({ glob }) => glob ?? []) ?? [];
    const isPlain = globs.length > 0 && this.state.takesPlain(globs, folders);
    if (this.state.catalog.variableKind(name) === "steering") {
      this.addUnknown({ text: name, why: `the loop sets "${name}"` }, { context, allowTexts });
    }
    // A loop inside a loop of the same variable leaves its last word in it.
    if (context.loops.has(name)) this.state.set(name);
    const isLoop = this.#trustsLoops && runs === "often";
    const known = isLoop ? safeLoopWords(name, { words, isPlain }) : undefined;
    if (!words || words.length === 0) this.state.set(name);
    else this.state.setLoop(name, { words, trusted: known !== undefined });
    const loops = new Map(context.loops);
    if (known) loops.set(name, known);
    else loops.delete(name);
    return { ...context, loops };
  }
}
