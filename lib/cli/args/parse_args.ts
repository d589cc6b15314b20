import { EVERYWHERE, SOURCE_FLAGS } from "./flags.ts";
import { UsageError, type UsageHelp } from "../errors/errors.ts";
import { commandLine, shellQuoted } from "../../text/quote.ts";
import {
  type Flag,
  type GivenFlag,
  type Invocation,
  type Operand,
  takesValue,
  type Verb,
  verbName,
} from "./verb.ts";

/** The state of the parser. */
interface Reading {
  /** The verb whose table is read by. */
  readonly verb: Verb;
  /** The words behind the verb. */
  readonly args: readonly string[];
  /** Index into `args` of the next word. */
  next: number;
  readonly operands: string[];
  readonly flags: GivenFlag[];
}

/**
 * Reads the words behind a verb by the verb's own table: flags before, between or behind the operands, `--` ends them,
 * a lone `-` is an operand. Throws UsageError; nothing is ever ignored or guessed.
 */
export function parseArgs(verb: Verb, args: readonly string[]): Invocation {
  const reading: Reading = { verb, args, next: 0, operands: [], flags: [] };
  while (reading.next < args.length) {
    const arg = args[reading.next++] ?? "";
    if (arg === "--") {
      reading.operands.push(...args.slice(reading.next));
      break;
    }
    if (arg.startsWith("-") && arg !== "-") readFlag(reading, arg);
    else reading.operands.push(arg);
  }
  checkOperands(reading);
  return { operands: reading.operands, flags: reading.flags };
}

function readFlag(reading: Reading, arg: string): void {
  const equals = arg.indexOf("=");
  const written = equals === -1 ? arg : arg.slice(0, equals);
  const known = [...reading.verb.flags, ...EVERYWHERE];
  const flag = known.find(({ name, short }) =>
    written === `--${name}` || (short !== undefined && written === `-${short}`)
  );
  if (flag === undefined) throw unknownFlag(reading, written);
  if (flag.repeatable !== true && reading.flags.some(({ name }) => name === flag.name)) {
    throw new UsageError(`Flag "--${flag.name}" is repeated`);
  }
  if (!takesValue(flag)) {
    if (equals !== -1) throw new UsageError(`Flag "--${flag.name}" takes no value`);
    reading.flags.push({ name: flag.name });
    return;
  }
  const value = equals === -1 ? nextValue(reading, flag) : arg.slice(equals + 1);
  reading.flags.push({ name: flag.name, value: checkedValue(flag, value) });
}

/** The word behind a flag. One that looks like a flag is not taken, for then the value was most likely forgotten. */
function nextValue(reading: Reading, flag: Flag): string {
  const value = reading.args[reading.next];
  if (value === undefined || value === "--") {
    throw new UsageError(`Flag "--${flag.name}" needs a value: ${valueName(flag)}`);
  }
  if (value.startsWith("-") && value !== "-") {
    throw new UsageError(`Flag "--${flag.name}" needs a value, but is followed by "${value}"`, {
      hint: 'Write a value that begins with "-" as:',
      command: `--${flag.name}=${shellQuoted(value)}`,
    });
  }
  reading.next++;
  return value;
}

function checkedValue(flag: Flag, value: string): string {
  if (flag.choices?.includes(value) === false) {
    throw new UsageError(
      `Flag "--${flag.name}" cannot be "${value}": expected ${orList(flag.choices)}`,
      { unknown: { word: value, known: flag.choices } },
    );
  }
  if (value === "") {
    throw new UsageError(`Flag "--${flag.name}" needs a non-empty value`);
  }
  return value;
}

function unknownFlag(reading: Reading, written: string): UsageError {
  const { verb } = reading;
  const known = [...verb.flags, ...EVERYWHERE].map((flag) => `--${flag.name}`);
  if (SOURCE_FLAGS.some(({ name }) => written === `--${name}`)) {
    return new UsageError(
      `Flag "${written}" has no effect: ${verbName(verb)} reads no rules`,
      {
        hint: "Omit it",
      },
    );
  }
  const longer = longerFlag(written, known);
  return new UsageError(`Unknown flag "${written}" for "${verbName(verb)}"`, {
    unknown: { word: written, known },
    ...(longer === undefined ? {} : { hint: `Did you mean "${longer}"?` }),
    ...unquotedText(reading),
  });
}

/** The one flag whose words hold all of a shorter name, with the fewest besides: `--permission-mode` for `--mode`. */
function longerFlag(written: string, known: readonly string[]): string | undefined {
  const wanted = wordsOf(written);
  const sizes = known.flatMap((name) => {
    const words = wordsOf(name);
    const holds = words[0] !== "no" && wanted.every((word) => words.includes(word));
    return holds ? [{ name, size: words.length }] : [];
  });
  const least = Math.min(...sizes.map(({ size }) => size));
  const [found, ...others] = sizes.filter(({ size }) => size === least);
  return others.length === 0 ? found?.name : undefined;
}

function wordsOf(flag: string): readonly string[] {
  return flag.replace(/^-+/, "").split("-");
}

/** A hint for a flag that belongs to an unquoted command: `check Bash git -C x status`. */
function unquotedText({ verb, operands, args, next }: Reading): UsageHelp {
  const last = verb.operands.length - 1;
  const begun = operands.slice(last);
  if (verb.operands[last]?.freeText !== true || begun.length === 0) return {};
  if (begun.some((word) => word.includes(" "))) return {};
  const text = [...begun, ...args.slice(next - 1)].join(" ");
  return quotedForm(verb, [...operands.slice(0, last), text]);
}

function checkOperands({ verb, operands }: Reading): void {
  const missing = verb.operands[operands.length];
  if (missing !== undefined && missing.optional !== true) {
    throw missingOperand(missing, { verb, operands });
  }
  const extra = operands[verb.operands.length];
  if (extra !== undefined && verb.operands.at(-1)?.repeatable !== true) {
    const last = verb.operands.length - 1;
    const help = verb.operands[last]?.freeText === true
      ? quotedForm(verb, [...operands.slice(0, last), operands.slice(last).join(" ")])
      : {};
    throw new UsageError(`"${verbName(verb)}" does not take "${extra}"`, help);
  }
  for (const [index, operand] of verb.operands.entries()) {
    checkChoice(operand, { verb, operands, index });
  }
}

/** The error for a line that ends too early, with the line to write where its words are known. */
function missingOperand(
  { name, choices, sample, summary }: Operand,
  { verb, operands }: Pick<Reading, "verb" | "operands">,
): UsageError {
  const what = choices === undefined ? summary : orList(choices);
  const message = `"${verbName(verb)}" needs <${name}>: ${what}`;
  const word = sample ?? choices?.[0] ?? "";
  // A command of several lines is not for a hint.
  const example = verb.examples.find(({ command }) => !command.includes("\n"))?.command;
  if (choices === undefined || verb.operands.length !== operands.length + 1) {
    return new UsageError(message, {
      ...(example === undefined ? {} : { hint: "For example:", command: example }),
    });
  }
  return new UsageError(message, {
    hint: choices.length > 1 ? "For example:" : "Write:",
    command: `${verbName(verb)} ${commandLine([...operands, word])}`,
  });
}

function checkChoice(
  { name, choices }: Operand,
  { verb, operands, index }: Pick<Reading, "verb" | "operands"> & { readonly index: number },
): void {
  const word = operands[index];
  if (word === undefined || choices === undefined || choices.includes(word)) return;
  const message = `<${name}> cannot be "${word}": expected ${orList(choices)}`;
  const other = operands.findIndex((each, at) =>
    choices.includes(each) && verb.operands[at]?.choices === undefined
  );
  if (other < 0) throw new UsageError(message, { unknown: { word, known: choices } });
  const swapped = operands.with(index, operands[other] ?? "").with(other, word);
  throw new UsageError(message, {
    hint: "The operands are swapped:",
    command: `${verbName(verb)} ${commandLine(swapped)}`,
  });
}

function quotedForm(verb: Verb, words: readonly string[]): UsageHelp {
  return { hint: "Quote it:", command: `${verbName(verb)} ${commandLine(words)}` };
}

function valueName(flag: Flag): string {
  return flag.choices === undefined ? `${flag.value}` : orList(flag.choices);
}

function orList(words: readonly string[]): string {
  return words.length < 2
    ? words.join("")
    : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
