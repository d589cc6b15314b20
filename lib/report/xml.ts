import { visible } from "../text/visible.ts";

/** The content of an element: further elements, or text that is escaped. */
export type XmlContent = readonly string[] | string;

/** One element, its attributes in their order, ending in a newline. What hides in a text is made visible. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: XmlContent = [],
): string {
  const written = Object.entries(attributes).map(([key, value]) =>
    ` ${key}="${escaped(`${value}`)}"`
  );
  const start = `<${name}${written.join("")}`;
  if (content.length === 0) return `${start}/>\n`;
  if (typeof content === "string") return `${start}>${escapedLines(content)}</${name}>\n`;
  const inner = content.join("").replace(/^(?= *<)/gm, "  ");
  return `${start}>\n${inner}</${name}>\n`;
}

/** The line that an XML file begins with. */
export const XML_START = '<?xml version="1.0" encoding="UTF-8"?>\n';

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);

/** XML 1.0 cannot hold most control characters, escaped or not, and they are visible then. */
function escaped(text: string): string {
  return visible(text).replace(/[&<>"']/g, (char) => ENTITIES.get(char) ?? char)
    .replace(/[\ufffe\uffff]/g, "\ufffd");
}

function escapedLines(text: string): string {
  return text.split("\n").map(escaped).join("\n");
}
