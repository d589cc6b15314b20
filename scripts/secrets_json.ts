import { parse } from "smol-toml";
import { z } from "zod";

const words = z.string().regex(/^\S+(?: \S+)*$/);
const option = z.string().regex(/^[-/]/);

const schema = z.strictObject({
  arguments: z.array(z.strictObject({
    commands: z.array(words).min(1),
    with: z.array(option).min(1).optional(),
    options: z.array(option).min(1).optional(),
    pair_options: z.array(option).min(1).optional(),
    operands: z.array(z.int().refine((place) => place !== 0)).min(1).optional(),
    pairs: z.literal(true).optional(),
    named: z.literal(true).optional(),
    stdin: z.literal(true).optional(),
  })).min(1),
});

/** The text of defaults/secrets.json for that of secrets.toml. Throws Error on anything unexpected. */
export function secretsJson(toml: string): string {
  const checked = schema.safeParse(parse(toml));
  if (!checked.success) {
    throw new Error(`Cannot use secrets.toml: ${z.prettifyError(checked.error)}`);
  }
  const rows = checked.data.arguments.map(({ commands, pair_options, ...rest }) => ({
    commands: commands.map((command) => command.split(" ")),
    ...(pair_options === undefined ? {} : { pairOptions: pair_options }),
    ...rest,
  }));
  return JSON.stringify({ arguments: rows }, null, 2) + "\n";
}
