import { EVERYWHERE } from "../lib/cli/args/flags.ts";
import { DONE, ERROR_MEANINGS } from "../lib/cli/errors/errors.ts";
import { usage } from "../lib/cli/help.ts";
import { VERBS } from "../lib/cli/registry.ts";
import { flagUsage, verbName } from "../lib/cli/args/verb.ts";
import { SOURCES } from "../lib/policy/sources/source_order.ts";

/** Generated blocks of pages in docs: their names and what makes them. */
export const BLOCKS: ReadonlyMap<string, () => string> = new Map([
  ["verbs", verbs],
  ["permissions", permissions],
  ["exit-statuses", exitStatuses],
  ["sources", sources],
  ["reference", reference],
]);

const MARKED = /(<!-- generated:([a-z-]+) -->\n)([\s\S]*?)(<!-- \/generated:\2 -->)/g;
const MARKER = /<!-- \/?generated:/g;

/** The text with every generated block filled. Throws Error on a block without a name of the blocks, end or beginning. */
export function filledBlocks(
  text: string,
  blocks: ReadonlyMap<string, () => string> = BLOCKS,
): string {
  let pairs = 0;
  const filled = text.replace(MARKED, (_all, begin: string, name: string, _old, end: string) => {
    const block = blocks.get(name);
    if (block === undefined) throw new Error(`Unknown generated block "${name}"`);
    pairs++;
    return `${begin}\n${block()}\n${end}`;
  });
  const markers = text.match(MARKER)?.length ?? 0;
  if (markers !== 2 * pairs) throw new Error("A generated block lacks its beginning or its end");
  return filled;
}

function verbs(): string {
  return table(
    ["verb", "what it does"],
    VERBS.map((verb) => [code(usage(verb).replace(" [flags]", "")), verb.summary]),
  ) + `\nEvery verb takes ${EVERYWHERE.map(({ name }) => code(`--${name}`)).join(", ")}.\n`;
}

/** A section for each verb: its usage, operands, flags and examples. */
function reference(): string {
  return VERBS.map((verb) => {
    const operands = verb.operands.map(({ name, summary, choices }) => {
      const words = choices === undefined ? "" : ` (${choices.map(code).join(", ")})`;
      return [`${code(name)}`, `${summary}${words}`];
    });
    const flags = verb.flags.map((flag) => [code(flagUsage(flag)), flag.summary]);
    const examples = verb.examples.map(({ command, says }) => `# ${says}\n${command}\n`);
    return `### ${verbName(verb)}\n\n${verb.summary}.\n\n\`\`\`text\n${usage(verb)}\n\`\`\`\n` +
      (operands.length === 0 ? "" : `\n${table(["operand", "meaning"], operands)}`) +
      (flags.length === 0 ? "" : `\n${table(["flag", "meaning"], flags)}`) +
      `\n<!-- not run: a test of the help runs each example -->\n\`\`\`sh\n${
        examples.join("")
      }\`\`\`\n`;
  }).join("\n");
}

function permissions(): string {
  return table(
    ["verb", "permissions"],
    VERBS.map((verb) => {
      const flags = verb.permissions.map((permission) => code(`--allow-${permission}`));
      return [code(verbName(verb)), flags.join(" ") || "none"];
    }),
  );
}

function exitStatuses(): string {
  const own = VERBS.flatMap((verb) =>
    (verb.statuses ?? []).map(({ status, meaning }) => [`${status}`, code(verbName(verb)), meaning])
  );
  const others = DONE.map(({ status, meaning }) => [`${status}`, "every other", meaning]);
  const errors = ERROR_MEANINGS.map(({ status, meaning }) => [`${status}`, "every verb", meaning]);
  return table(["status", "verb", "meaning"], [...own, ...others, ...errors]);
}

function sources(): string {
  return table(
    ["source", "what it is", "where", "writable"],
    SOURCES.map(({ kind, title, where, writable }) => [code(kind), title, code(where), writable]),
  );
}

/** A Markdown table; a cell's `|` is escaped. Ends in a newline. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows];
  return lines.map((cells) => `| ${cells.map(escaped).join(" | ")} |\n`).join("");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replaceAll("\n", " ");
}

function code(text: string): string {
  return `\`${text}\``;
}
