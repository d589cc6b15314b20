import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { type SwitchCheck, valueAt } from "../settings/hook_switches.ts";
import { pluginFile } from "../settings/plugin_file.ts";
import { parsePathGlob } from "../../pattern/path/path_glob.ts";
import { addPathGlob, NfaBuilder } from "../../pattern/path/path_nfa.ts";
import { runNfa } from "../../pattern/run_nfa.ts";

/** The code of the extension. It asks where pi has a person to ask; an error of it stops the call. */
const CODE = `export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const answer = await ask({
      hook_event_name: "tool_call",
      session_id: ctx.sessionManager?.getSessionId?.(),
      cwd: ctx.cwd,
      tool_name: event.toolName,
      tool_input: event.input ?? {},
    }, ctx.cwd);
    if (answer?.decision === "none") return undefined;
    const reason = answer?.reason || "caliban denies it";
    if (answer?.decision !== "ask") return { block: true, reason };
    if (ctx.hasUI && await ctx.ui.confirm("Run " + event.toolName + "?", reason)) return undefined;
    return { block: true, reason: reason + "; nobody allowed it" };
  });
}
`;

/** The check for `extensions` in the settings beside the hook: `!GLOB` and `-PATH` leave an extension out, `+PATH` outdoes a glob. */
const leftOut: SwitchCheck = (files, { scope, path }) => {
  const file = files.find((each) => each.scope === scope);
  const list = file && valueAt(file.value, ["extensions"]);
  if (file === undefined || !Array.isArray(list)) return undefined;
  const entries = list.filter((each) => typeof each === "string");
  const names = ["extensions/caliban.js", "caliban.js", path];
  const isNamed = (mark: string) =>
    entries.some((each) =>
      each.startsWith(mark) && names.includes(each.slice(1).replace(/^\.\//, ""))
    );
  const isExcluded = entries.some((each) =>
    each.startsWith("!") && names.some((name) => globMatches(each.slice(1), name))
  );
  return isNamed("-") || isExcluded && !isNamed("+")
    ? { path: file.path, scope, what: '"extensions" leaves the hook out', sparesManaged: false }
    : undefined;
};

/** True if a glob over paths matches; one that cannot be read may. */
function globMatches(glob: string, path: string): boolean {
  const parsed = parsePathGlob(glob);
  if (!parsed.ok) return true;
  const builder = new NfaBuilder();
  addPathGlob(builder, parsed.value);
  return runNfa(builder.finish(), path);
}

/** An extension for pi, which loads every extension in the folder. */
export const settings: AgentSettings = {
  ...pluginFile({ agent: "pi", code: CODE }),
  path: (scope) => [scope === "user" ? ".pi/agent" : ".pi", "extensions", "caliban.js"],
  homeVariable: "PI_CODING_AGENT_DIR",
  switches: {
    files: [
      { scope: "user", path: [".pi/agent", "settings.json"] },
      { scope: "project", path: [".pi", "settings.json"] },
    ],
    checks: [leftOut],
    perRun:
      "pi loads no extension where it is started with --no-extensions (-ne); no file shows it",
  },
  notes: [
    "pi loads extensions at its start: restart it, or type /reload",
    "pi loads extensions of a project only after you trust the project",
  ],
  sample: claudeSample("bash", { hook_event_name: "tool_call" }),
};
