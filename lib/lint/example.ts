/** A permissions.toml for the docs: settings, then a rule a line. A rule is `{ pattern = "…", action = "…" }`. */
export function example(
  rules: readonly string[],
  settings: readonly string[] = [],
): string {
  const lines = rules.map((rule) => `  { ${rule} },`);
  return ["[permissions]", ...settings, "rules = [", ...lines, "]"].join("\n");
}

/** A rule for an example. */
export function rule(pattern: string, action: "allow" | "deny" | "ask"): string {
  return `pattern = "${pattern}", action = "${action}"`;
}
