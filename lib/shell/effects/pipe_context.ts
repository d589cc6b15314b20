import type { CommandContext } from "./command_context.ts";

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
