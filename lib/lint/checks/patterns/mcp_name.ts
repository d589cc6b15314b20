import { printGlob } from "../../../pattern/glob.ts";
import type { ToolProfiles } from "../../../policy/compile/profiles.ts";
import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { tomlString } from "../../../text/toml_text.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";

const SERVER = "[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*";

/** Names that were meant for the tool of an MCP server, and their correct form. */
const FORMS: readonly { readonly form: RegExp; readonly meant: string }[] = [
  // A server alone means all its tools to other programs.
  { form: new RegExp(`^mcp__(${SERVER})$`), meant: "mcp__$1__*" },
  { form: new RegExp(`^(?!mcp_)(${SERVER})__([A-Za-z0-9*_-]+)$`), meant: "mcp__$1__$2" },
  { form: new RegExp(`^mcp_(${SERVER})__([A-Za-z0-9*_-]+)$`), meant: "mcp__$1__$2" },
  { form: /^mcp_([A-Za-z0-9-]+)_([A-Za-z0-9*_-]+)$/, meant: "mcp__$1__$2" },
  { form: /^mcp[./-]([A-Za-z0-9-]+)[./-]([A-Za-z0-9*_-]+)$/, meant: "mcp__$1__$2" },
];

/** The tool name that a rule's name seems to mean, `mcp__SERVER__TOOL`; undefined if it is correct or no MCP tool. */
export function mcpMeant({ parsed }: CompiledRule, profiles: ToolProfiles): string | undefined {
  const name = printGlob(parsed.tool);
  if (profiles.has(name)) return undefined;
  const found = FORMS.find(({ form }) => form.test(name));
  return found && name.replace(found.form, found.meant);
}

/** Names of MCP tools in a form that calls do not have. */
export const mcpName: Check = {
  id: "mcp-name",
  severity: "warning",
  docs: {
    what:
      "An MCP tool in a form that calls do not have: server__tool, mcp_server_tool, mcp__server",
    why:
      "Agents name such tools mcp__SERVER__TOOL. A rule for another spelling matches no call. The name of a server alone " +
      "means all its tools in other agents, but matches none of them here.",
    avoid: example([rule("github__create_issue", "deny"), rule("mcp__db", "deny")]),
    prefer: example([rule("mcp__github__create_issue", "deny"), rule("mcp__db__*", "deny")]),
  },
  find({ rules, policy }) {
    return rules.flatMap((linted) => {
      const { rule, written } = linted;
      const meant = mcpMeant(rule, policy.profiles);
      if (meant === undefined) return [];
      const pattern = meant + rule.pattern.slice(rule.pattern.search(/[:(]|$/));
      return [foundAt(linted, {
        message: `${ruleName(rule)} does not name an MCP tool in the form that calls use`,
        hint: `Write "${pattern}"`,
        fix: {
          title: `Write "${pattern}"`,
          verdicts: "changes",
          edits: [{ span: written.pattern.span, text: tomlString(pattern) }],
        },
      })];
    });
  },
};
