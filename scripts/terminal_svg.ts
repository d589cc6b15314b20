/** A command of a picture and its output, in which colours are SGR sequences. */
export interface Shown {
  readonly command: string;
  readonly output: string;
}

const WIDTH = 8.4;
const HEIGHT = 20;
const MARGIN = 18;
const BAR = 34;

/** Classes of the SGR parameters that reports use; a parameter that is not here ends the style of its kind. */
const STYLES: ReadonlyMap<string, string> = new Map([
  ["1", "bold"],
  ["2", "dim"],
  ["4", "underline"],
  ["31", "red"],
  ["32", "green"],
  ["33", "yellow"],
  ["36", "cyan"],
]);
const ENDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["22", ["bold", "dim"]],
  ["24", ["underline"]],
  ["39", ["red", "green", "yellow", "cyan"]],
]);

/** A picture of a terminal, as SVG that follows the light or dark colours of its reader. `columns` is the width of its lines. */
export function terminalSvg(shown: readonly Shown[], columns: number): string {
  const lines = shown.flatMap(({ command, output }, at) => [
    ...(at === 0 ? [] : [""]),
    `\x1b[36m$\x1b[39m \x1b[1m${command}\x1b[22m`,
    ...output.trimEnd().split("\n"),
  ]);
  const width = Math.ceil(columns * WIDTH + 2 * MARGIN);
  const height = lines.length * HEIGHT + BAR + MARGIN;
  const texts = lines.map((line, at) => lineText(line, BAR + at * HEIGHT + HEIGHT / 2 + 5));
  const title = shown.map(({ command }) => command).join("; ");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(`A terminal: ${title}`)}</title>
<style>
${CSS}</style>
<rect class="window" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${[0, 1, 2].map((at) => `<circle class="button" cx="${18 + at * 18}" cy="17" r="5"/>`).join("")}
${texts.join("")}</svg>
`;
}

const CSS =
  `svg { --ground: #ffffff; --line: #d0d7de; --text: #1f2328; --dim: #656d76; --red: #b3202c; --green: #116329; --yellow: #7d4e00; --cyan: #0a5f73; }
@media (prefers-color-scheme: dark) {
  svg { --ground: #0d1117; --line: #30363d; --text: #e6edf3; --dim: #8d96a0; --red: #ff8078; --green: #56d364; --yellow: #e3b341; --cyan: #56d4dd; }
}
.window { fill: var(--ground); stroke: var(--line); }
.button { fill: var(--line); }
text { fill: var(--text); font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; }
.bold { font-weight: 700; } .underline { text-decoration: underline; }
.dim { fill: var(--dim); } .red { fill: var(--red); } .green { fill: var(--green); } .yellow { fill: var(--yellow); } .cyan { fill: var(--cyan); }
`;

/** A line as text with one span for each style; every span is set to its width, whatever font the reader has. */
function lineText(line: string, y: number): string {
  let column = 0;
  const spans = styled(line).map(({ text, classes }) => {
    const x = MARGIN + column * WIDTH;
    const length = [...text].length;
    column += length;
    const named = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
    const size = `x="${x.toFixed(1)}" textLength="${(length * WIDTH).toFixed(1)}"`;
    return `<tspan ${size}${named}>${escaped(text)}</tspan>`;
  });
  return spans.length === 0 ? "" : `<text y="${y}">${spans.join("")}</text>\n`;
}

function styled(line: string): readonly { text: string; classes: readonly string[] }[] {
  let classes: readonly string[] = [];
  // deno-lint-ignore no-control-regex
  return line.split(/(\x1b\[[\d;]*m)/).flatMap((part, at) => {
    if (at % 2 === 0) return part === "" ? [] : [{ text: part, classes }];
    for (const parameter of part.slice(2, -1).split(";")) classes = changed(classes, parameter);
    return [];
  });
}

function changed(classes: readonly string[], parameter: string): readonly string[] {
  const style = STYLES.get(parameter);
  if (style !== undefined) return [...classes, style];
  const ended = ENDS.get(parameter);
  return ended === undefined ? [] : classes.filter((each) => !ended.includes(each));
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
