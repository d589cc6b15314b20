import { z } from "zod";
import { COMMAND_CLASSES } from "../../model/call.ts";
import { WORD_SHAPES } from "../../shell/programs/classes/word_shapes.ts";
import { OPTION_LISTS, type ProgramTable } from "../../shell/programs/program_table.ts";

const KINDS = [
  "any",
  "read",
  "folder",
  "write",
  "output",
  "url",
  "run",
  "code",
  "script",
  "name",
  "remote",
  "move",
  "restored",
  "field",
  "list",
] as const;

const option = z.string().regex(/^\S+$/);
const optionList = z.array(option).min(1);
const wordList = z.array(z.string().regex(/^-\S*(?: \S+)?$/)).min(1);
const kind = z.enum(KINDS);
const operands = z.array(z.string().regex(new RegExp(`^(?:${KINDS.join("|")})\\*?$`))).min(1)
  .refine((kinds) => kinds.filter((each) => each.endsWith("*")).length <= 1, {
    message: "At most one kind repeats",
  });
const yes = z.literal(true);
const commandClass = z.enum(COMMAND_CLASSES).exclude(["unknown"]);

const classOrClasses = z.union([commandClass, z.array(commandClass).min(1)]);
const words = z.array(z.string().min(1)).min(1);

const lists = Object.fromEntries(OPTION_LISTS.map((list) => [list, optionList.optional()]));

/** One program of shell.toml. */
const program: z.ZodType<ProgramTable> = z.lazy(() =>
  z.strictObject({
    ...lists,
    also: z.array(z.string().min(1)).min(1).optional(),
    style: z.enum(["getopt", "words", "letters"]).optional(),
    permute: z.boolean().optional(),
    abbreviate: z.boolean().optional(),
    bundle: z.union([yes, z.literal("dashed")]).optional(),
    drops: wordList.optional(),
    moves: wordList.optional(),
    enters: wordList.optional(),
    harmless: z.record(option, z.array(z.string())).optional(),
    operands: operands.optional(),
    operands_with: z.array(z.strictObject({ options: optionList, operands })).optional(),
    shapes: z.record(z.string(), kind).optional(),
    endings: z.record(z.string(), z.array(z.string()).min(1)).optional(),
    means: z.record(z.string().min(1), z.string().min(1)).optional(),
    tails: yes.optional(),
    language: z.enum(["sed", "awk", "jq", "yq", "printf", "patch"]).optional(),
    inner: z.enum(["argv", "string", "shell"]).optional(),
    stdin: z.int().min(1).max(99).optional(),
    prompt: z.union([yes, z.literal("files")]).optional(),
    fixed_files: z.record(option, z.string().min(1)).optional(),
    sends_input: yes.optional(),
    lines: yes.optional(),
    prefixes: yes.optional(),
    separator: z.string().length(1).optional(),
    binary: z.array(z.string().min(1)).min(1).optional(),
    skip: z.int().min(1).max(8).optional(),
    assigns: yes.optional(),
    adds: yes.optional(),
    placeholders: z.array(z.string().min(1)).min(1).optional(),
    adds_with: optionList.optional(),
    bare: yes.optional(),
    transparent: yes.optional(),
    remote: yes.optional(),
    trade: yes.optional(),
    interpreter: z.union([yes, z.array(commandClass).min(1)]).optional(),
    trade_options: optionList.optional(),
    opaque: yes.optional(),
    companion: yes.optional(),
    idle: z.union([yes, z.enum(["fixed", "words"])]).optional(),
    keeps: yes.optional(),
    prints_name: z.union([yes, z.array(option)]).optional(),
    prints_integer: yes.optional(),
    pathspecs: yes.optional(),
    repository: z.boolean().optional(),
    builtin: yes.optional(),
    class: z.union([commandClass, z.array(commandClass).min(2)]).optional(),
    starts: z.array(z.string().min(1)).min(1).optional(),
    classes: z.partialRecord(commandClass, z.array(option).min(1)).optional(),
    class_if: z.array(z.strictObject({
      with: optionList.optional(),
      without: optionList.optional(),
      names: words.optional(),
      least: z.int().min(1).max(99).optional(),
      most: z.int().min(0).max(99).optional(),
      class: classOrClasses,
      revisions: commandClass.optional(),
    })).min(1).optional(),
    needs: optionList.optional(),
    names_only: optionList.optional(),
    blobs: yes.optional(),
    elsewhere: optionList.optional(),
    hooks: words.optional(),
    revisions: commandClass.optional(),
    upstream: yes.optional(),
    shows_remotes: yes.optional(),
    fetches: yes.optional(),
    filters: optionList.optional(),
    request: yes.optional(),
    doubtful: optionList.optional(),
    known: optionList.optional(),
    safe: z.record(option, z.array(z.string()).min(1)).optional(),
    doubtful_words: z.array(z.string().min(1)).min(1).optional(),
    verbs: z.partialRecord(commandClass, z.array(z.string().min(1)).min(1)).optional(),
    redirects: optionList.optional(),
    from: z.partialRecord(z.enum(["value", "archive", "operand", "input"]), optionList).optional(),
    interactive: z.union([yes, optionList]).optional(),
    home: z.union([yes, z.array(z.string().min(1)).min(1)]).optional(),
    doubtful_values: z.record(option, words).optional(),
    shaped: z.record(option, z.enum(WORD_SHAPES)).optional(),
    unclassed: z.array(z.string().min(1)).min(1).optional(),
    recursive: optionList.optional(),
    unbounded: optionList.optional(),
    skips_hidden: yes.optional(),
    unhides: optionList.optional(),
    follows_links: yes.optional(),
    any_words: yes.optional(),
    without: z.partialRecord(commandClass, optionList).optional(),
    scripts: z.enum(["none", "first", "all"]).optional(),
    config: z.array(z.string().regex(/^[\w.-]+(?:\/[\w.-]+)*$/)).min(1).optional(),
    binaries: z.string().min(1).optional(),
    packages: z.enum(["bun", "go", "go-toolchain", "golangci"]).optional(),
    online: optionList.optional(),
    arguments: z.array(z.string().regex(/^-/)).min(1).optional(),
    like: z.string().min(1).optional(),
    inherits: yes.optional(),
    sub: z.record(z.string(), program).optional(),
  }) as unknown as z.ZodType<ProgramTable>
);

const names = z.array(z.string().regex(/^[\w*]+$/)).min(1);

const programNames = z.array(z.string().regex(/^[\w+\[.-]+$/)).min(1);

/** The schema of `defaults/shell.toml`: variables, names, and one table for each program. */
export const shellSchema: z.ZodType = z.object({
  variables: z.strictObject({
    harmless: names.meta({
      description:
        "Variables that may be set before a command without an effect on the program that runs.",
    }),
    steering: names.meta({ description: "Steer the shell or the programs that follow." }),
    commands: names.meta({
      description: "Variables that contain a command, or name a file of commands.",
    }),
    values: z.record(z.string().regex(/^\w+$/), z.array(z.string()).min(1)).meta({
      description: "Values with which a variable is harmless.",
    }),
    numbers: names.meta({ description: "Harmless with a number." }),
    telling: names.meta({
      description: "Parts of names that may select a program, a place or a change.",
    }),
  }),
  alone: z.record(z.string().regex(/^(?:\* )?--?\w[\w-]*$|^help \*$/), programNames).meta({
    description:
      "Options that only print information if they are alone after a program, or after its sub-commands (`* `).",
  }),
  configuration: z.record(z.string(), z.array(z.string().min(1)).min(1)).meta({
    description: "Lines of configuration files that name no program, host, proxy or credential.",
  }),
  names: z.strictObject({
    gnu: programNames.meta({ description: "Are also installed with a g before their name." }),
    versioned: programNames.meta({
      description: "Programs that are also installed with a version after their name.",
    }),
    runners: programNames.meta({ description: "Programs that run their arguments." }),
    runs: programNames.meta({ description: "Run or change something." }),
  }),
}).catchall(program).meta({
  title: "caliban program catalog",
  description: "defaults/shell.toml: facts about programs that a shell command runs.",
});
