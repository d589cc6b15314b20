import { stripVTControlCharacters } from "node:util";

/** The pages of the site by section: the file in docs without `.md`, and its name in the menu. */
export const SECTIONS: readonly (readonly [title: string, pages: readonly Page[]])[] = [
  ["Start", [
    ["install", "Install"],
    ["first-policy", "A first policy"],
    ["agents", "Agents"],
    ["mcp", "MCP"],
    ["migrating", "Rules of other agents"],
    ["compare", "Comparison"],
    ["faq", "Questions"],
  ]],
  ["Policy", [
    ["policy", "Policy files"],
    ["shell", "Command lines"],
    ["classes", "Classes of commands"],
    ["modes", "Modes"],
    ["protected-files", "Protected files"],
    ["auto-mode", "Auto mode"],
    ["hooks", "Hooks"],
  ]],
  ["Keep it in shape", [
    ["lint", "Lint"],
    ["testing", "Tests"],
    ["diff", "Differences"],
    ["suggest", "Suggestions"],
    ["audit-log", "Audit log"],
    ["ci", "CI"],
  ]],
  ["Reference", [
    ["cli", "Command line"],
    ["library", "Library"],
    ["formats", "Formats"],
    ["performance", "Performance"],
    ["security", "Security"],
  ]],
];

/** A file in docs without `.md`, and its name in the menu. */
export type Page = readonly [name: string, title: string];

/** The text of a page of the site: links that leave docs become plain text, and comments for the tests go. */
export function sitePage(text: string): string {
  return text
    .replaceAll(/^<!-- [^\n]*? -->\n/gm, "")
    .replaceAll(/\[([^\]]*)\]\((?:\.\.\/(?!README\.md)|lib\/|[A-Z]+\.md)[^)]*\)/g, "$1")
    .replaceAll("](../README.md", "](index.md")
    .split(FENCED).map((part, at) => at % 2 === 0 ? withoutTemplates(part) : part).join("");
}

const FENCED = /(^ *```[^]*?^ *```$)/m;

/** The text in which no paragraph with `{{` is taken for a template of Vue. */
function withoutTemplates(text: string): string {
  return text.split("\n\n")
    .map((part) => part.includes("{{") ? `::: v-pre\n${part.trim()}\n:::` : part)
    .join("\n\n");
}

/** The first page of the site, from the README at the root. */
export function firstPage(readme: string): string {
  return sitePage(readme.replaceAll("](docs/", "](").replaceAll('src="docs/', 'src="'));
}

/** The error of a page that VitePress printed while it rendered, in its own words; undefined if there is none. */
export function renderFault(printed: string): string | undefined {
  return /^\s*\w*(?:Error|Exception)\b.*/m.exec(stripVTControlCharacters(printed))?.[0].trim();
}
