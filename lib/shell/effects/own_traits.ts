import { SOURCE_KINDS } from "../../model/call.ts";
import type { OwnCommand } from "../../model/rule.ts";
import type { OwnTraits } from "../effect.ts";
import { literalOf, type Word } from "../parse/tree.ts";
import { bitsOf, classesIn } from "../programs/classes/class_set.ts";

/**
 * The classes that the policy gives a command of a program without a table, for each program that its name may lead to;
 * undefined if it gives none. Of each source the commands with the most words count, and those of several sources add up.
 */
export function ownTraits(
  words: readonly Word[],
  commands: readonly OwnCommand[],
): readonly OwnTraits[] | undefined {
  const literals = words.flatMap((word) => {
    const text = word.glob === undefined ? literalOf(word) : undefined;
    return text === undefined ? [] : [text];
  });
  if (literals.length < words.length) return undefined;
  const given = commands.filter(({ command }) => isCommand(literals, command));
  const programs = [...new Set(given.map(programOf))];
  const found = programs.map((program) =>
    traitsOf(program, given.filter((each) => programOf(each) === program))
  );
  return found.length > 0 ? found : undefined;
}

function traitsOf(program: string, given: readonly OwnCommand[]): OwnTraits {
  const counting = given.filter((each) =>
    !given.some((other) =>
      other.source.kind === each.source.kind && lengthOf(other) > lengthOf(each)
    )
  );
  const lowest = Math.max(...counting.map(({ source }) => SOURCE_KINDS.indexOf(source.kind)));
  return {
    classes: classesIn(bitsOf(counting.map(({ name }) => name))),
    ...(program.includes("/") ? { path: program.replace(/^\.\//, "") } : {}),
    givenBy: SOURCE_KINDS[lowest]!,
  };
}

/** True if words are those of a command; of a path only its last name is compared. */
function isCommand([name = "", ...rest]: readonly string[], command: string): boolean {
  const [program = "", ...words] = command.split(" ");
  const isSame = program.includes("/")
    ? name.includes("/") && lastName(name) === lastName(program)
    : name === program;
  const takesMore = words.at(-1) === "*";
  const fixed = takesMore ? words.slice(0, -1) : words;
  return isSame && fixed.every((word, at) => word === rest[at]) &&
    (takesMore || rest.length === fixed.length);
}

/** The number of words that a command fixes; one without a final `*` comes before one with it. */
function lengthOf({ command }: OwnCommand): number {
  const words = command.split(" ");
  return words.at(-1) === "*" ? words.length - 1.5 : words.length;
}

/** The program of a command: its name, or its path from the workspace with a slash in it. */
function programOf({ command }: OwnCommand): string {
  return command.split(" ")[0]!.replace(/^\.\/(?=.*\/)/, "");
}

function lastName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
