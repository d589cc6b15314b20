import type { CommandTraits } from "../effect.ts";
import { alternativesOf, isFixed } from "../parse/tree.ts";
import type { Scope } from "./command_context.ts";
import { joinPath } from "./folders.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** The files that a command reads by its words and its redirections, from each folder that it may run in. */
export function readFiles(
  { node, reading: { uses } }: SimpleCommand,
  { paths }: Scope["folders"],
): CommandTraits["reads"] {
  const words = [
    ...uses.filter(({ kind }) => kind === "read").flatMap(({ value, from = [] }) => [
      ...alternativesOf(value),
      ...from.flatMap((folder) =>
        alternativesOf(value).map((word) => ({
          ...word,
          shape: joinPath(folder.shape, word.shape),
        }))
      ),
    ]),
    ...node.redirects.filter(({ operator }) => /^<>?$/.test(operator))
      .flatMap(({ target }) => target ? alternativesOf(target) : []),
  ];
  return words.flatMap(({ shape, glob }) => {
    const isGlob = !isFixed(shape) && glob !== undefined;
    return paths.map((folder) => ({ text: joinPath(folder, isGlob ? glob : shape), isGlob }));
  });
}
