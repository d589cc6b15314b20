import type { Action } from "../../model/action.ts";
import type { WrittenHook } from "../../model/hook.ts";
import { quoted } from "../../text/problems.ts";
import { Draft, type Subject } from "../convert/draft.ts";
import type { FormatReading } from "../convert/format.ts";
import { loseBeside, refuseOther } from "../convert/beside.ts";
import { type JsonMember, memberOf, parseJsonc } from "../../text/json_tree.ts";

/** How the rules of an agent with Claude Code's settings differ from Claude Code's own. */
export interface ClaudeKind {
  /** Reads one entry. */
  readonly readRule: (subject: Subject, draft: Draft) => void;
  /** Reads a member of the permission block that is no list of rules. */
  readonly readSetting: (member: JsonMember, draft: Draft) => Ending;
  /** Reads the members beside the permission block that it knows. */
  readonly beside?: {
    /** Their names. */
    readonly known: readonly string[];
    /** Reads one. */
    readonly read: (member: JsonMember, draft: Draft) => readonly WrittenHook[];
  };
}

/** What a setting does to the whole of the rules. */
export type Ending = undefined | {
  /** The mode that it stands for. */
  readonly mode?: FormatReading["defaultMode"];
  /** Rules behind all others; their text is a pattern here. */
  readonly tail?: readonly Subject[];
  /** Whether nobody is asked. */
  readonly asksNobody?: true;
};

/** The lists of rules, in the order in which they count. */
const LISTS: readonly Action[] = ["deny", "ask", "allow"];

/** Reads `permissions` with `deny`, `ask` and `allow` lists, where deny beats ask and ask beats allow. */
export function readClaudeLike(text: string, kind: ClaudeKind): FormatReading {
  const { root, problems } = parseJsonc(text);
  const draft = new Draft(problems);
  const block = memberOf(root, "permissions");
  const { known = [], read } = kind.beside ?? {};
  const keys = ["permissions", ...known];
  if (refuseOther(root, { known: keys, draft })) return draft.finish();
  if (block !== undefined && block.value.type !== "object") {
    draft.problem(block.value.span, 'Cannot read the file: "permissions" must be an object');
    return draft.finish();
  }
  const members = block?.value.type === "object" ? block.value.members : [];
  const settings = members.filter(({ name }) => !isList(name));
  const endings = settings.map((member) => kind.readSetting(member, draft));
  const asksNobody = endings.some((ending) => ending?.asksNobody);
  for (const list of LISTS) {
    const member = members.find(({ name }) => name === list);
    if (member === undefined) continue;
    const action = asksNobody && list === "ask" ? "deny" : list;
    for (const subject of entriesOf(member, { action, draft })) kind.readRule(subject, draft);
  }
  for (const subject of endings.flatMap((ending) => ending?.tail ?? [])) {
    draft.add(subject, subject.text);
  }
  const hooks = known.flatMap((name) => {
    const member = memberOf(root, name);
    return member && read ? read(member, draft) : [];
  });
  loseBeside(root, { known: keys, draft });
  return draft.finish({ defaultMode: endings.find((ending) => ending?.mode)?.mode, hooks });
}

function isList(name: string): boolean {
  return LISTS.some((list) => list === name);
}

/** The texts of a list of rules; what is none is a problem. */
export function entriesOf(
  { name, value }: JsonMember,
  { action, draft }: { action: Action; draft: Draft },
): readonly Subject[] {
  if (value.type !== "array") {
    draft.problem(value.span, `Cannot read key ${quoted(name)}: expected an array of rules`);
    return [];
  }
  return value.items.flatMap((item): readonly Subject[] => {
    if (item.type === "string") return [{ text: item.value, action, span: item.span }];
    draft.problem(item.span, `Cannot read an entry of ${quoted(name)}: expected a string`);
    return [];
  });
}
