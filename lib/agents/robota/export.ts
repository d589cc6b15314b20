import { hooksObject } from "../../policy/edit/print_policy.ts";
import type { ExportContext, ExportResult, FormatRule } from "../convert/format.ts";
import { idleAsks } from "../convert/order_losses.ts";
import { lossOf } from "../convert/parts.ts";
import { jsonExport, startExport } from "../convert/rule_export.ts";
import { renderKimi } from "../kimi/export.ts";

/** The tools that robota's default mode asks about by itself. */
const ASKED = /^(Bash|Write|Edit|MultiEdit|NotebookEdit)\b/;

/** Writes `permissions` with `allow` and `deny`, and `hooks`. */
export function writeRobota(rules: readonly FormatRule[], context: ExportContext): ExportResult {
  const mode = context.settings.defaultMode?.value;
  const keepsMode = mode === "plan" || mode === "default";
  const { parts, losses } = startExport(rules, context, {
    strictestIn: "robota",
    leftOut: idleAsks(rules, context).filter(({ pattern }) => ASKED.test(pattern)),
    keptSettings: keepsMode ? ["default_mode"] : [],
  });
  const lists = { allow: new Set<string>(), deny: new Set<string>() };
  for (const part of parts) {
    const { action } = part.rule;
    if (action === "ask") {
      losses.push(lossOf(part, "narrowed", "only robota's mode can ask, so it is a deny"));
    }
    const rendered = renderKimi(part, context.profiles);
    losses.push(...rendered.losses);
    for (const text of rendered.texts) lists[action === "allow" ? "allow" : "deny"].add(text);
  }
  const permissions = {
    ...(keepsMode ? { defaultMode: mode } : {}),
    allow: [...lists.allow],
    deny: [...lists.deny],
  };
  const { hooks = [] } = context;
  const settings = { permissions, ...(hooks.length === 0 ? {} : { hooks: hooksObject(hooks) }) };
  return jsonExport(settings, losses);
}
