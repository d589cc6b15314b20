import { type Action, ACTIONS } from "../../model/call.ts";
import type { WrittenHook } from "../../model/rule.ts";
import { type JsonMember, type JsonNode, memberOf, shown } from "../../text/json_node.ts";
import { quoted } from "../../model/problem.ts";
import type { ImportResult } from "./format.ts";
import type { ImportBuilder, Subject } from "./import_builder.ts";
import { loseUnreadKeys, openJson } from "./unread_keys.ts";

/** The parts of a settings file in Claude Code's form that differ between agents. */
export interface PermissionLists {
  /** Reads one entry. */
  readonly readRule: (subject: Subject, builder: ImportBuilder) => void;
  /** Reads a member of the permission block that is not a list of rules. */
  readonly readSetting: (member: JsonMember, builder: ImportBuilder) => SettingEffect;
  /** Reads the hooks of the file; absent where the format has none. */
  readonly readHooks?: (member: JsonMember, builder: ImportBuilder) => readonly WrittenHook[];
  /** True if the path is that of the agent's settings, which may have no rules. */
  readonly isSettings: boolean;
}

/** The effect of a setting on all rules. */
export type SettingEffect = undefined | {
  /** The mode that it stands for. */
  readonly mode?: ImportResult["defaultMode"];
  /** Rules below all others; their text is a pattern of caliban. */
  readonly tail?: readonly Subject[];
  /** Set if the agent asks no person. */
  readonly asksNobody?: true;
};

/** Reads `permissions` with `deny`, `ask` and `allow` lists: deny beats ask, and ask beats allow. */
export function readPermissionLists(
  text: string,
  { readRule, readSetting, readHooks, isSettings }: PermissionLists,
): ImportResult {
  const known = ["permissions", ...(readHooks ? ["hooks"] : [])];
  const { root, builder, isOther } = openJson(text, known, { isSettings });
  if (isOther) return builder.finish();
  const block = memberOf(root, "permissions");
  if (block !== undefined && block.value.type !== "object") {
    builder.problem(block.value.span, 'Cannot read the file: "permissions" must be an object');
    return builder.finish();
  }
  const members = block?.value.type === "object" ? block.value.members : [];
  const settings = members.filter(({ name }) => !isList(name));
  const effects = settings.map((member) => readSetting(member, builder));
  const asksNobody = effects.some((effect) => effect?.asksNobody);
  for (const list of ACTIONS) {
    const action = asksNobody && list === "ask" ? "deny" : list;
    const subjects = entriesOf(block?.value, { key: list, action, builder });
    for (const subject of subjects) builder.entry(subject, () => readRule(subject, builder));
  }
  for (const subject of effects.flatMap((effect) => effect?.tail ?? [])) {
    builder.add(subject, subject.text);
  }
  const hooks = memberOf(root, "hooks");
  const written = hooks && readHooks ? readHooks(hooks, builder) : [];
  loseUnreadKeys(root, { known, builder });
  return builder.finish({
    defaultMode: effects.find((effect) => effect?.mode)?.mode,
    hooks: written,
  });
}

function isList(name: string): boolean {
  return ACTIONS.some((list) => list === name);
}

/** The entries of the list of rules at a key; none without the key. Anything but a string is a problem, in a list of allows a loss. */
export function entriesOf(
  object: JsonNode | undefined,
  { key, action, builder }: { key: string; action: Action; builder: ImportBuilder },
): readonly Subject[] {
  const member = object && memberOf(object, key);
  if (member === undefined) return [];
  const { name, key: span, value } = member;
  const refuse = (given: Pick<Subject, "text" | "span">, message: string): readonly Subject[] => {
    builder.entry({ ...given, action }, () => builder.problem(given.span, message));
    return [];
  };
  if (value.type !== "array") {
    const message = `Cannot read key ${quoted(name)}: expected an array of rules`;
    return refuse({ text: shown(member), span: action === "allow" ? span : value.span }, message);
  }
  return value.elements.flatMap((item): readonly Subject[] => {
    if (item.type === "string") return [{ text: item.value, action, span: item.span }];
    const message = `Cannot read an entry of ${quoted(name)}: expected a string`;
    return refuse({ text: name, span: item.span }, message);
  });
}
