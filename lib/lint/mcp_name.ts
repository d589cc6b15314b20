import { printGlob } from "../pattern/glob.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";

const SERVER = "[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*";

/** Names that were meant for the tool of an MCP server, and how such a name is written. */
const FORMS: readonly { readonly form: RegExp; readonly meant: string }[] = [
  // A server alone, which means all its tools to other programs.
  { form: new RegExp(`^mcp__(${SERVER})$`), meant: "mcp__$1__*" },
  { form: new RegExp(`^(?!mcp_)(${SERVER})__([A-Za-z0-9*_-]+)$`), meant: "mcp__$1__$2" },
  { form: new RegExp(`^mcp_(${SERVER})__([A-Za-z0-9*_-]+)$`), meant: "mcp__$1__$2" },
  { form: /^mcp_([A-Za-z0-9-]+)_([A-Za-z0-9*_-]+)$/, meant: "mcp__$1__$2" },
  { form: /^mcp[./-]([A-Za-z0-9-]+)[./-]([A-Za-z0-9*_-]+)$/, meant: "mcp__$1__$2" },
];

/** The tool name that a rule's name seems to mean, `mcp__SERVER__TOOL`; undefined where it is one, or none at all. */
export function mcpMeant({ parsed }: CompiledRule, profiles: ToolProfiles): string | undefined {
  const name = printGlob(parsed.tool);
  if (profiles.has(name)) return undefined;
  const found = FORMS.find(({ form }) => form.test(name));
  return found && name.replace(found.form, found.meant);
}
