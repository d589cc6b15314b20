import { redirectText } from "./command_texts.ts";
import type { Node } from "./tree.ts";

/**
 * The line with quoting undone and single spaces between its words and round its operators, so that `curl * | sh*` fits
 * `curl x|sh` too. Compound commands are left as they are written.
 */
export function spacedLine(node: Node): string {
  switch (node.kind) {
    case "simple": {
      const assignments = node.assignments.map(({ name, value }) => `${name}=${value.text}`);
      const words = node.words.map(({ text }) => text);
      return [...assignments, ...words, ...node.redirects.map((each) => redirectText(each).text)]
        .join(" ");
    }
    case "pipe":
      return node.nodes.map(spacedLine).join(" | ");
    case "sequence": {
      let line = "";
      for (const [index, each] of node.nodes.entries()) {
        line += spacedLine(each);
        const operator = node.operators[index];
        if (operator === undefined || operator === ";" && index === node.nodes.length - 1) break;
        line += operator === ";" ? "; " : ` ${operator} `;
      }
      return line.trimEnd();
    }
    case "block":
      return node.text;
  }
}
