import { type Ending, readClaudeLike } from "./import.ts";
import { readClaudeRule } from "./rule.ts";
import { writeClaudeLike } from "./export.ts";
import type { Draft, Subject } from "../convert/draft.ts";
import type { Format } from "../convert/format.ts";
import { type JsonMember, shown } from "../../text/json_tree.ts";
import { ALL_EDIT_TOOLS } from "../convert/tool_pattern.ts";

/** The tools that ask by themselves in Claude Code's default mode. */
const ASKING = ["Bash", ...ALL_EDIT_TOOLS, "WebFetch", "WebSearch", "mcp__*"];

/** Claude Code: `permissions` in `settings.json`; written against 2.1. */
export const CLAUDE: Format = {
  name: "claude",
  title: "Claude Code settings.json",
  caveat:
    "Claude Code takes a command line apart by its own rules, and allows by itself what only reads the project",
  detect: (path, text) =>
    !/\.(qwen|factory|cursor|gemini|robota|vscode)[\\/]/.test(path) &&
    /"permissions"\s*:/.test(text) && /"(?:allow|deny|ask|defaultMode)"\s*:/.test(text) &&
    !/"(?:Shell|Mcp)\(/.test(text),
  read: (text, path) =>
    readClaudeLike(text, {
      readRule: USER_FILE.test(path) || MANAGED_FILE.test(path) ? readUserRule : readClaudeRule,
      readSetting: readClaudeSetting,
    }),
  write: (rules, context) => writeClaudeLike(rules, { context, agent: "Claude Code" }),
};

/** The settings of a person for all projects, where a path that begins with a slash is not one in the project. */
const USER_FILE =
  /^(?:\/home\/[^/]+|\/Users\/[^/]+|\/root|[A-Za-z]:[\\/]Users[\\/][^\\/]+)[\\/]\.claude[\\/]settings/;

/** The settings of an organisation, which are no project's either. */
const MANAGED_FILE = /managed-settings[\w.-]*\.json$/;

function readUserRule(subject: Subject, draft: Draft): void {
  const path = /^(?:Read|Edit)\(\/(?!\/)/.test(subject.text.trim());
  if (!path) return readClaudeRule(subject, draft);
  const detail = "what / begins with is not certain in settings of no project; write //, ~/ or ./";
  if (subject.action === "allow") return draft.lose("dropped", subject, detail);
  readClaudeRule(subject, draft);
  draft.lose("widened", subject, detail);
}

/** Reads a key of the permission block that is no list of rules. */
export function readClaudeSetting(member: JsonMember, draft: Draft): Ending {
  const { name, key: span, value } = member;
  if (name !== "defaultMode") {
    const detail = SETTINGS.get(name);
    draft.loseSetting(shown(member), {
      span,
      detail: detail ?? "there is no such key here",
      kind: detail === undefined ? "widened" : "dropped",
    });
    return undefined;
  }
  if (value.type !== "string") {
    draft.problem(value.span, 'Cannot read key "defaultMode": expected a string');
    return undefined;
  }
  return readMode(value.value, { member, draft });
}

/** Reads a mode; of the same word two mean something else. */
function readMode(
  mode: string,
  { member, draft }: { member: JsonMember; draft: Draft },
): Ending {
  const { key: span, value } = member;
  switch (mode) {
    case "default":
      return { mode };
    case "acceptEdits":
    case "plan":
    case "auto": {
      draft.loseSetting(shown(member), { span, detail: MODES[mode], kind: "narrowed" });
      return { mode };
    }
    case "dontAsk": {
      const detail =
        "there it denies what would ask; rules at the end do so here, also for commands that only read";
      draft.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return {
        asksNobody: true,
        tail: ASKING.map((text) => ({ text, action: "deny", span: value.span })),
      };
    }
    case "bypassPermissions": {
      const detail = "no file may start that mode here; say --allow-dangerously-skip-permissions";
      draft.loseSetting(shown(member), { span, detail, kind: "narrowed" });
      return undefined;
    }
    default:
      draft.loseSetting(shown(member), {
        span,
        detail: "there is no such mode here",
        kind: "narrowed",
      });
      return undefined;
  }
}

const MODES = {
  acceptEdits: "there mkdir, touch, mv and the like pass too; here only tools that edit do",
  plan: "there commands may ask, and those that only read run; here no rule, no command",
  auto: "what judges there is not what judges here: see auto-mode.toml",
} as const;

const SETTINGS: ReadonlyMap<string, string> = new Map([
  ["additionalDirectories", "files outside the workspace go by the rules alone here"],
  ["disableBypassPermissionsMode", "write enforce = true into a managed or user file"],
  ["disableAutoMode", "write disable_auto_mode = true into auto-mode.toml"],
]);
