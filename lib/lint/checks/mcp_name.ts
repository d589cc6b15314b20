import { tomlString } from "../../text/toml_text.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { mcpMeant } from "../mcp_name.ts";
import { ruleName } from "../words.ts";

/** Names of MCP tools in a form that no call has. */
export const mcpName: Check = {
  id: "mcp-name",
  severity: "warning",
  docs: {
    what:
      "An MCP tool in a form that calls do not have: server__tool, mcp_server_tool, mcp__server",
    why:
      "Agents name such tools mcp__SERVER__TOOL. A rule for another spelling fits no call; a server's name alone, " +
      "which means all its tools elsewhere, fits none of them here.",
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
        message: `${ruleName(rule)} names no MCP tool as calls do`,
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
