import type { Simple } from "../parse/tree.ts";
import type { ProgramCatalog } from "../programs/program_catalog.ts";
import { type CommandContext, TOP } from "./command_context.ts";
import { type SimpleCommand, simpleCommand } from "./simple_command.ts";

/** Commands are looked for one by one among so many. */
const FEW = 8;

/** The simple commands of a line, each read once outside of loops, and once in the loops around it. */
export class ReadCommands {
  readonly #catalog: ProgramCatalog;
  readonly #first: SimpleCommand[] = [];
  /** The others; most lines have none. */
  #others: Map<Simple, SimpleCommand> | undefined;
  /** Those in loops. */
  #inLoops: Map<CommandContext["loops"], ReadCommands> | undefined;
  readonly #loops: CommandContext["loops"];

  constructor(catalog: ProgramCatalog, loops: CommandContext["loops"] = TOP.loops) {
    this.#catalog = catalog;
    this.#loops = loops;
  }

  /** The commands in some loops, whose words depend on these. */
  within(loops: CommandContext["loops"]): ReadCommands {
    if (loops.size === 0) return this;
    const known = this.#inLoops?.get(loops);
    if (known !== undefined) return known;
    const made = new ReadCommands(this.#catalog, loops);
    (this.#inLoops ??= new Map()).set(loops, made);
    return made;
  }

  of(node: Simple): SimpleCommand {
    const first = this.#first;
    for (let at = 0; at < first.length; at++) if (first[at]!.node === node) return first[at]!;
    const known = this.#others?.get(node);
    if (known !== undefined) return known;
    const command = simpleCommand(node, { loops: this.#loops, catalog: this.#catalog });
    if (first.length < FEW) first.push(command);
    else (this.#others ??= new Map()).set(node, command);
    return command;
  }
}

/** The context of a command of a pipeline. It names each member, since a spread of as many takes longer. */
export function inPipe(
  { via, depth, outers, ownBinaries, loops }: CommandContext,
  { piped, isHandedOn, fed, names }: Pick<
    CommandContext,
    "piped" | "isHandedOn" | "fed" | "names"
  >,
): CommandContext {
  return { via, depth, outers, piped, isHandedOn, fed, ownBinaries, names, loops };
}
