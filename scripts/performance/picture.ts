/** The colours of curves and bars, in the order in which they are given out; the last is for what others are compared with. */
export const COLOURS = ["blue", "orange", "green", "purple", "pink", "grey"] as const;

export type Colour = (typeof COLOURS)[number];

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A picture as SVG that follows the light or dark colours of its reader. */
export function picture(
  { title, width, height }: {
    readonly title: string;
    readonly width: number;
    readonly height: number;
  },
  parts: readonly string[],
): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${escaped(title)}</title>
<style>
${CSS}</style>
<rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${text(title, { x: 20, y: 28 }, "title")}
${parts.join("\n")}
</svg>
`;
}

/** A text whose classes say how it stands: `middle` or `end` of its place instead of the start. */
export function text(content: string, { x, y }: Place, classes = ""): string {
  const named = classes === "" ? "" : ` class="${classes}"`;
  return `<text x="${short(x)}" y="${short(y)}"${named}>${escaped(content)}</text>`;
}

/** A straight line. */
export function stroke(from: Place, to: Place, classes: string): string {
  const [x1, y1, x2, y2] = [from.x, from.y, to.x, to.y].map(short);
  return `<line class="${classes}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}

/** A coordinate with at most one decimal. */
export function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const LIGHT = ["#0969da", "#bc4c00", "#1a7f37", "#8250df", "#bf3989", "#6e7781"];
const DARK = ["#58a6ff", "#f0883e", "#56d364", "#bc8cff", "#ff7eb6", "#9198a1"];

function variables(values: readonly string[]): string {
  return COLOURS.map((name, at) => `--${name}: ${values[at]};`).join(" ");
}

const CSS = `svg { --ground: #ffffff; --rule: #d8dee4; --text: #1f2328; ${variables(LIGHT)} }
@media (prefers-color-scheme: dark) {
  svg { --ground: #0d1117; --rule: #30363d; --text: #e6edf3; ${variables(DARK)} }
}
.ground { fill: var(--ground); stroke: var(--rule); }
.grid { stroke: var(--rule); } .one { stroke: var(--text); stroke-dasharray: 4 3; }
.curve { fill: none; stroke-width: 2; } .dashed { stroke-dasharray: 6 4; }
text { fill: var(--text); font: 13px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }
.title { font-size: 15px; font-weight: 600; } .middle { text-anchor: middle; } .end { text-anchor: end; }
${
  COLOURS.map((name) =>
    `.curve.${name} { stroke: var(--${name}); } .dot.${name}, .bar.${name}, text.${name} { fill: var(--${name}); }`
  ).join("\n")
}
`;
