import type { Simple } from "../parse/tree.ts";
import type { ProgramCatalog } from "../programs/program_catalog.ts";
import { TOP } from "./command_context.ts";
import { type SimpleCommand, simpleCommand } from "./simple_command.ts";

/** Commands are looked for one by one among so many. */
const FEW = 8;

/** The simple commands of a line outside of its loops, each read once. */
export class ReadCommands {
  readonly #catalog: ProgramCatalog;
  readonly #first: SimpleCommand[] = [];
  /** The others; most lines have none. */
  #others: Map<Simple, SimpleCommand> | undefined;

  constructor(catalog: ProgramCatalog) {
    this.#catalog = catalog;
  }

  of(node: Simple): SimpleCommand {
    const first = this.#first;
    for (let at = 0; at < first.length; at++) if (first[at]!.node === node) return first[at]!;
    const known = this.#others?.get(node);
    if (known !== undefined) return known;
    const command = simpleCommand(node, { loops: TOP.loops, catalog: this.#catalog });
    if (first.length < FEW) first.push(command);
    else (this.#others ??= new Map()).set(node, command);
    return command;
  }
}
