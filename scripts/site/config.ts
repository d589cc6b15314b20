import { SECTIONS } from "./pages.ts";

/** The text of VitePress's configuration. */
export function siteConfig(): string {
  const sidebar = SECTIONS.map(([text, pages]) => ({
    text,
    items: pages.map(([name, title]) => ({ text: title, link: `/${name}` })),
  }));
  const config = {
    title: "caliban",
    description: "Decides whether a coding agent may make a tool call: allow, deny or ask.",
    cleanUrls: false,
    markdown: { html: false },
    themeConfig: {
      sidebar,
      outline: [2, 3],
      search: { provider: "local" },
      nav: [{ text: "API", link: "/api/index.html", target: "_self" }],
    },
  };
  return `export default ${JSON.stringify(config, null, 2)};\n`;
}
