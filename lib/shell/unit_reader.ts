import { eitherFolders, type Folders, START } from "./folders.ts";
import { LineState } from "./line_facts.ts";
import { safeLoopWords } from "./loop_words.ts";
import { fixedWord } from "./parse/parse_word.ts";
import { type CommandContext, inside, TOP } from "./place.ts";
import type { ProgramCatalog } from "./programs/programs.ts";
import { redirectEffects } from "./redirect_units.ts";
import { type SimpleCommand, SimpleReader } from "./simple_reader.ts";
import type { Block, Contents, Node, Pipe, Sequence, Simple, UnknownPart } from "./parse/tree.ts";
import type { AllowText, Effect } from "./unit.ts";

/** Where commands may run after another: when it succeeded, when it failed. */
export interface BranchStates {
  /** The folders when it succeeded. */
  readonly ok: Folders;
  /** The folders when it failed. */
  readonly bad: Folders;
}

const NUMBER = fixedWord("0");

/** How deep commands may stand in commands; a deeper one cannot be known. */
const MAX_DEPTH = 64;

/** How many words are read in all, those of a wrapper's command once more for each wrapper. */
const MAX_WORDS = 200_000;

/** How a line is read. */
export interface ReaderOptions {
  /** What is known of programs. */
  readonly catalog: ProgramCatalog;
  /** The whole line. */
  readonly root: Node;
  /** Whether loops' words are believed. */
  readonly believesLoops?: boolean;
}

/** Turns the tree of a line into units. */
export class EffectReader {
  /** What holds for the whole line. */
  readonly facts: LineState;
  /** What was read of a command already, outside of loops. */
  readonly readings = new Map<Simple, SimpleCommand>();
  /** The line. */
  readonly text: string;
  readonly #units: Effect[] = [];
  #words = 0;

  readonly #moves: boolean;
  readonly #believesLoops: boolean;

  /** Made for one line; `believesLoops`: that nothing but a loop sets its variable. */
  constructor(text: string, { catalog, root, believesLoops = true }: ReaderOptions) {
    this.text = text;
    this.facts = new LineState(catalog);
    this.facts.functions = /\(\s*\)|\bfunction\b/.test(text);
    this.#moves = movesFolder(root);
    this.#believesLoops = believesLoops;
  }

  /** Every unit; what can only be judged by the whole line is told last. */
  finish(): readonly Effect[] {
    this.facts.finish();
    return this.#units;
  }

  /** Adds a unit. */
  add(effect: Effect): void {
    this.#units.push(effect);
  }

  /** Adds what cannot be known. */
  addUnknown(
    { text, why, isOrdinaryScript, unknownFileAccess }:
      & UnknownPart
      & Pick<Effect, "unknownFileAccess">
      & {
        isOrdinaryScript?: true | undefined;
      },
    { place, covers }: { place: CommandContext; covers: readonly AllowText[] },
  ): void {
    this.add({
      kind: "opaque",
      text,
      via: place.via,
      depth: place.depth,
      why,
      ...(isOrdinaryScript ? { isOrdinaryScript } : {}),
      ...(unknownFileAccess ? { unknownFileAccess } : {}),
      checkedAgainst: "own",
      isHarmless: false,
      allowTexts: covers,
      denyTexts: [{ text, template: text }],
    });
  }

  /** Reads a node that runs in one of the folders. */
  read(node: Node, place: CommandContext = TOP, folders: Folders = START): BranchStates {
    if (node.kind === "simple") this.#words += node.words.length + 1;
    if (place.depth > MAX_DEPTH || this.#words > MAX_WORDS) {
      const text = node.kind === "simple" || node.kind === "block" ? node.text : "…";
      this.addUnknown({ text, why: "it is nested too deeply" }, { place, covers: [] });
      return { ok: folders, bad: folders };
    }
    switch (node.kind) {
      case "simple":
        return new SimpleReader(this, { place, folders }).read(node);
      case "sequence":
        return this.#sequence(node, place, folders);
      case "pipe":
        return this.#pipe(node, place, folders);
      case "block":
        return this.#block(node, place, folders);
    }
  }

  /** Reads what the words of a command hold: lines inside of them, what cannot be known, arithmetic. */
  readContents(
    contents: Contents,
    { place, folders, covers }: {
      place: CommandContext;
      folders: Folders;
      covers: readonly AllowText[];
    },
  ): void {
    for (const { via, node } of contents.inners) this.read(node, inside(place, via), folders);
    for (const odd of contents.unknowns) this.addUnknown(odd, { place, covers });
    this.facts.later(contents.arithmetic, (why) => {
      this.addUnknown({ text: contents.arithmetic[0]!.text, why }, { place, covers });
    });
    for (const { text, sets } of contents.arithmetic) {
      for (const name of sets) this.setInteger(name, { text, place, covers });
    }
  }

  /** Notes a variable that is set to a number, and tells one that steers what runs afterwards. */
  setInteger(
    name: string,
    { text, ...where }: { text: string; place: CommandContext; covers: readonly AllowText[] },
  ): void {
    this.facts.set(name, NUMBER);
    if (!this.facts.catalog.isSteeringVariable(name)) return;
    this.addUnknown({ text, why: `"${name}" steers what runs afterwards` }, where);
  }

  #sequence({ nodes, operators }: Sequence, place: CommandContext, folders: Folders): BranchStates {
    let after: BranchStates = { ok: folders, bad: folders };
    for (const [index, node] of nodes.entries()) {
      const before = index === 0 ? ";" : operators[index - 1]!;
      const start = before === "&&"
        ? after.ok
        : before === "||"
        ? after.bad
        : eitherFolders(after.ok, after.bad);
      const now = this.read(node, place, start);
      if (operators[index] === "&") after = { ok: start, bad: start };
      else if (before === "&&") after = { ok: now.ok, bad: eitherFolders(after.bad, now.bad) };
      else if (before === "||") after = { ok: eitherFolders(after.ok, now.ok), bad: now.bad };
      else after = now;
    }
    return after;
  }

  /** The commands of a pipeline run in processes of their own; what one prints, the next may run. */
  #pipe({ nodes }: Pipe, place: CommandContext, folders: Folders): BranchStates {
    const piped: boolean[] = [];
    let out = place.piped;
    for (let index = nodes.length - 1; index >= 0; index--) {
      piped[index] = out;
      const node = nodes[index]!;
      const passesOn = node.kind === "simple" &&
        new SimpleReader(this, { place, folders }).isHarmless(node);
      out ||= !passesOn;
    }
    for (const [index, node] of nodes.entries()) {
      this.read(node, { ...place, piped: piped[index]! }, folders);
    }
    return { ok: folders, bad: folders };
  }

  #block(block: Block, place: CommandContext, folders: Folders): BranchStates {
    const covers: readonly AllowText[] = [{
      text: block.text,
      minLiteral: Infinity,
      maxLiteral: Infinity,
    }];
    this.readContents(block, { place, folders, covers });
    for (
      const effect of redirectEffects(block.redirects, {
        place,
        folders,
        allowTexts: covers,
        facts: this.facts,
      })
    ) {
      this.add(effect);
    }
    if (block.nodes.length === 0) this.#idle(block, place);
    if (block.name.startsWith("function ")) this.facts.set("@");
    const inner = this.#loop(block, { place, covers });
    // A function runs wherever the line is when it is called, and a loop where its last round left it.
    const moved = block.name.startsWith("function ")
      ? this.#moves
      : block.runs === "often" && movesFolder(block);
    if (block.runs === "often" && /\bln\b/.test(block.text)) this.facts.links = true;
    let now: Folders = moved ? { ...folders, open: true } : folders;
    for (const node of block.nodes) {
      const { ok, bad } = this.read(node, inner, now);
      now = block.runs === "once" && block.nodes.length === 1
        ? eitherFolders(ok, bad)
        : eitherFolders(now, eitherFolders(ok, bad));
    }
    return block.runs === "own" ? { ok: folders, bad: folders } : { ok: now, bad: now };
  }

  /** `[[ ]]` and `(( ))` run nothing themselves. */
  #idle({ text }: Block, { via, depth }: CommandContext): void {
    this.add({
      kind: "command",
      text,
      via,
      depth,
      checkedAgainst: "own",
      isHarmless: true,
      allowTexts: [{ text, minLiteral: 0, maxLiteral: Infinity }],
      denyTexts: [{ text, template: text }],
    });
  }

  /** The place inside of a loop, which may know its variable. */
  #loop(
    { sets, runs }: Block,
    { place, covers }: { place: CommandContext; covers: readonly AllowText[] },
  ): CommandContext {
    if (!sets) return place;
    const { name, words } = sets;
    if (this.facts.catalog.isSteeringVariable(name)) {
      this.addUnknown({ text: name, why: `the loop sets "${name}"` }, { place, covers });
    }
    // A loop in a loop of the same variable leaves its own last word in it.
    if (place.loops.has(name)) this.facts.set(name);
    const believed = this.#believesLoops && runs === "often" && words !== undefined;
    const known = believed ? safeLoopWords(name, words) : undefined;
    if (!words || words.length === 0) this.facts.set(name);
    else this.facts.setLoop(name, { words, believed: known !== undefined });
    const loops = new Map(place.loops);
    if (known) loops.set(name, known);
    else loops.delete(name);
    return { ...place, loops };
  }
}

const MOVES = /^(?:cd|pushd|popd|\.|source|eval|command|builtin)$/;

/** Whether some command in it may change the folder. */
function movesFolder(node: Node): boolean {
  if (node.kind === "simple") {
    const name = node.words[0]?.shape;
    return name !== undefined && (MOVES.test(name) || !/^(?:[\w./-]+|\[)$/.test(name));
  }
  return node.nodes.some(movesFolder);
}
