import type { ArgumentFact, CommandFact, OptionFact } from "./witness.ts";

/*
 * A command in one line: `-q,--quiet --lines= -f,--file=file --color=?~ --into=folder! | file*`. Behind `=` stands the kind of a value,
 * nothing for any word; `?` for one that may be missing, `*` for several, `~` for one in the option's own word only, `!` for an option
 * whose description speaks of a change, alone for such a command. Behind `|` stand its operands.
 */

const KINDS = ["file", "folder", "command"] as const;

function argumentText({ kind, isOptional, isVariadic }: ArgumentFact): string {
  return `${kind === "any" ? "" : kind}${isOptional ? "?" : ""}${isVariadic ? "*" : ""}`;
}

function optionText({ names, values, isGlued, changes }: OptionFact): string {
  const behind = values.map((value) => `=${argumentText(value)}`).join("");
  return `${names.join(",")}${behind}${isGlued ? "~" : ""}${changes ? "!" : ""}`;
}

/** The line of a command. */
export function factText({ options, operands, changes }: CommandFact): string {
  const own = [...(changes ? ["!"] : []), ...new Set(options.map(optionText))];
  const behind = operands.length === 0
    ? []
    : ["|", ...operands.map((operand) => argumentText(operand) || "any")];
  return [...own, ...behind].join(" ");
}

function argumentIn(text: string): ArgumentFact {
  return {
    kind: KINDS.find((kind) => text.startsWith(kind)) ?? "any",
    ...(text.includes("?") ? { isOptional: true } : {}),
    ...(text.includes("*") ? { isVariadic: true } : {}),
  };
}

function optionIn(text: string): OptionFact {
  const [, names = "", values = "", glued, change] =
    /^([^=!~]+)((?:=[a-z]*\??\*?)*)(~?)(!?)$/.exec(text) ?? [];
  return {
    names: names.split(","),
    values: values.split("=").slice(1).map(argumentIn),
    ...(glued ? { isGlued: true } : {}),
    ...(change ? { changes: true } : {}),
  };
}

/** The facts that a line tells. */
export function factIn(text: string): CommandFact {
  const [own = "", operands = ""] = text.split(/(?:^| )\| /);
  const words = own.split(" ").filter((word) => word !== "");
  return {
    options: words.filter((word) => word !== "!").map(optionIn),
    operands: operands.split(" ").filter((word) => word !== "").map(argumentIn),
    ...(words.includes("!") ? { changes: true } : {}),
  };
}
