/** The recorded answers of the comparison. */
interface Facts {
  readonly rows: readonly Readonly<Record<"gap" | "rules" | "call", string>>[];
  /** By title. */
  readonly columns: Readonly<Record<string, Column>>;
}

interface Column {
  readonly version: string;
  /** By the gap of the row. */
  readonly answers: Readonly<Record<string, string>>;
}

/** The order of the columns. */
const COLUMNS = [
  "caliban",
  "Claude Code",
  "Codex",
  "opencode",
  "Gemini CLI's engine",
  "cc-safety-net",
  "Cedar",
  "Casbin",
  "CASL",
  "bubblewrap",
];

/** The columns of the README, as rows: the recorded column, and what is said of it. */
const BESIDE = new Map([
  ["caliban", ""],
  ["Claude Code", "its rules"],
  ["opencode", "its rules"],
  ["Gemini CLI's engine", "its rules"],
  ["Cedar", "given the text"],
  ["bubblewrap", "a sandbox without rules"],
]);

/** The gaps in the README. */
const GAPS = [
  "a second command",
  "an option that writes",
  "a wrapper",
  "an argument of an MCP tool",
];

/** The generated table of the README. Throws Error where an answer was not recorded. */
export function besideDocs(json: string): string {
  const { rows, columns } = JSON.parse(json) as Facts;
  const heads = GAPS.map((gap) => {
    const row = rows.find((each) => each.gap === gap);
    if (row === undefined) throw new Error(`There is no row for ${gap}`);
    return `\`${row.call.replaceAll("|", "\\|")}\``;
  });
  const lines = [...BESIDE].map(([title, about]) => {
    const { version, answers } = columnOf(columns, title);
    const cells = GAPS.map((gap) => answers[gap] ?? "–");
    return `| ${title} ${version}${about && `, ${about}`} | ${cells.join(" | ")} |\n`;
  });
  return `| | ${heads.join(" | ")} |\n|---|${"---|".repeat(heads.length)}\n${lines.join("")}`;
}

function columnOf(columns: Facts["columns"], title: string): Column {
  const column = columns[title];
  if (column === undefined) throw new Error(`${title} was not tried`);
  return column;
}

/** The generated table of docs/compare.md. Throws Error where an answer was not recorded. */
export function compareDocs(json: string): string {
  const { rows, columns } = JSON.parse(json) as Facts;
  const named = COLUMNS.map((title) => ({
    title,
    ...columnOf(columns, title),
  }));
  const lines = rows.map(({ gap, rules, call }) => {
    const cells = named.map(({ title, answers }) => {
      const answer = answers[gap];
      if (answer === undefined) {
        throw new Error(`${title} was not tried: ${gap}`);
      }
      return !gap.startsWith("none") && title !== "bubblewrap" &&
          ["allow", "runs"].includes(answer)
        ? `**${answer}**`
        : answer;
    });
    const about = `${rules.replaceAll("|", "\\|")} | \`${call.replaceAll("|", "\\|")}\``;
    return `| ${gap} | ${about} | ${cells.join(" | ")} |\n`;
  });
  const heads = named.map(({ title, version }) => `${title} ${version}`);
  return `| gap | rules | call | ${heads.join(" | ")} |
|---|---|---|${"---|".repeat(heads.length)}
${lines.join("")}`;
}
