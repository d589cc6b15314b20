import { hooksObject } from "../../policy/edit/hook_text.ts";
import type { Loss } from "../../model/loss.ts";
import { type Ending, readClaudeLike } from "../claude/import.ts";
import type { Draft } from "../convert/draft.ts";
import type { Format, FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { type JsonMember, shown } from "../../text/json_tree.ts";
import { sayKimi } from "../kimi/say.ts";
import { idleAsks, orderLosses } from "../convert/order_losses.ts";
import { lossOf, partsOf } from "../convert/parts.ts";
import { readRobotaHooks } from "./hooks.ts";
import { readRobotaRule } from "./rule.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";

/** robota: `permissions` with `deny` and `allow`, then a matrix of modes and tools. */
export const ROBOTA: Format = {
  name: "robota",
  title: "robota settings.json",
  caveat:
    "robota compares the text of a whole command line, and asks about what no rule fits as its mode says",
  detect: (path, text) =>
    /\.robota[\\/]|robota[\w.-]*\.json$/.test(path) && /"permissions"\s*:/.test(text),
  read: (text) =>
    readClaudeLike(text, {
      readRule: readRobotaRule,
      readSetting,
      beside: { known: ["hooks"], read: readRobotaHooks },
    }),
  keepsHooks: true,
  write: writeRobota,
};

/** The mode that a file names; with bypass, its deny list still stands there. */
function readSetting(member: JsonMember, draft: Draft): Ending {
  const { name, key: span, value } = member;
  if (!["mode", "defaultMode", "permissionMode"].includes(name) || value.type !== "string") {
    draft.loseSetting(shown(member), {
      span,
      detail: "there is no such key here",
      kind: "widened",
    });
    return undefined;
  }
  switch (value.value) {
    case "plan":
    case "default":
      return { mode: value.value };
    case "acceptEdits": {
      const detail =
        "outside of the workspace, and of files that steer the agent, an edit still asks here";
      draft.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return { mode: "acceptEdits" };
    }
    case "bypassPermissions": {
      const detail = "files that steer the agent, and lines that cannot be known, still ask here";
      draft.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return { tail: [{ text: "*", action: "allow", span: value.span }] };
    }
    default:
      draft.problem(
        value.span,
        `Cannot read the mode "${value.value}": expected plan, default, acceptEdits or bypassPermissions`,
        "unknown-value",
      );
      return undefined;
  }
}

/** What robota's default mode asks about by itself. */
const ASKED = /^(Bash|Write|Edit|MultiEdit|NotebookEdit)\b/;

function writeRobota(rules: readonly FormatRule[], context: WriteContext): FormatWriting {
  const leftOut = idleAsks(rules, context).filter(({ pattern }) => ASKED.test(pattern));
  const { parts, losses } = partsOf(
    rules.filter((rule) => !leftOut.includes(rule)),
    context.profiles,
  );
  const all: Loss[] = [...losses, ...orderLosses(rules, { context, agent: "robota", leftOut })];
  const lists: Record<"deny" | "allow", string[]> = { deny: [], allow: [] };
  for (const part of parts) {
    if (part.rule.action === "ask") {
      all.push(
        lossOf(part, "narrowed", "there is no ask there but that of the mode, so it is a deny"),
      );
    }
    const said = sayKimi(part, context.profiles);
    all.push(...said.losses);
    lists[part.rule.action === "allow" ? "allow" : "deny"].push(...said.texts);
  }
  const mode = context.settings.defaultMode?.value;
  const keeps = mode === "plan" || mode === "default";
  all.push(...settingsLosses(context.settings, keeps ? ["default_mode"] : []));
  const permissions = {
    ...(keeps ? { defaultMode: mode } : {}),
    allow: [...new Set(lists.allow)],
    deny: [...new Set(lists.deny)],
  };
  const { hooks = [] } = context;
  const settings = { permissions, ...(hooks.length === 0 ? {} : { hooks: hooksObject(hooks) }) };
  return { text: JSON.stringify(settings, null, 2) + "\n", losses: distinctLosses(all) };
}
