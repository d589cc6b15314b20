import { kindWithout, refuseOther, steers } from "../convert/beside.ts";
import { memberOf, parseJsonc, shown } from "../../text/json_tree.ts";
import type { Format, FormatReading } from "../convert/format.ts";
import { Draft } from "../convert/draft.ts";
import { readEdits, readTerminal, readUrls } from "./import.ts";
import { writeCopilot } from "./export.ts";

/** VS Code with Copilot: `chat.tools.….autoApprove` in `settings.json`. */
export const COPILOT: Format = {
  name: "copilot",
  title: "VS Code settings.json (Copilot's autoApprove)",
  caveat: "VS Code cannot deny: what is not approved asks, and its own default list counts too",
  detect: (_path, text) => /"chat\.tools\.(?:terminal|edits|urls)\.autoApprove"\s*:/.test(text),
  read: readCopilot,
  write: writeCopilot,
};

const TERMINAL = "chat.tools.terminal.autoApprove";
/** What switches all approvals of the terminal off. */
const OFF = "chat.tools.terminal.enableAutoApprove";
const CHAT = /^(?:chat|github\.copilot)\./;

const READERS: ReadonlyMap<string, typeof readTerminal> = new Map([
  [TERMINAL, readTerminal],
  ["chat.tools.edits.autoApprove", readEdits],
  ["chat.tools.urls.autoApprove", readUrls],
]);

/** Asks stand above allows: a command that one entry refuses is asked about, whatever another says. */
function readCopilot(text: string): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  const chat = root.type === "object"
    ? root.members.filter(({ name }) => CHAT.test(name) && steers(name))
    : [];
  const known = [...READERS.keys(), ...chat.map(({ name }) => name)];
  if (refuseOther(root, { known, draft }) || root.type !== "object") return draft.finish();
  const off = memberOf(root, OFF)?.value;
  const isOff = off !== undefined && !(off.type === "boolean" && off.value);
  for (const action of ["ask", "allow"] as const) {
    for (const member of root.members) {
      if (isOff && action === "allow" && member.name === TERMINAL) continue;
      READERS.get(member.name)?.(member, { action, draft });
    }
  }
  if (isOff) {
    const detail = "nothing in the terminal is approved then, so its approvals are left out";
    draft.loseSetting(`${OFF}: false`, { span: off.span, detail, kind: "narrowed" });
  }
  for (const member of chat) {
    const { name, key: span } = member;
    if (READERS.has(name) || name === OFF) continue;
    const detail = /[aA]utoApprove$/.test(name)
      ? "it approves everything, which no file may do here"
      : "it is about what may be done, and is not read here";
    draft.loseSetting(shown(member), { span, detail, kind: kindWithout(name) });
  }
  return draft.finish();
}
