import type { WrittenHook } from "../../model/hook.ts";
import type { Problem } from "../../model/problem.ts";
import { decodeHooks } from "../../policy/decode/decode_hooks.ts";
import type { Draft } from "../convert/draft.ts";
import type { JsonMember } from "../../text/json_tree.ts";
import { tomlMember } from "../convert/read_policy_json.ts";

/** Reads `hooks` of robota's settings, which is the shape of ours; what is not in that shape is lost. */
export function readRobotaHooks(member: JsonMember, draft: Draft): readonly WrittenHook[] {
  const { member: table, problems } = tomlMember(member);
  const all: Problem[] = [...problems];
  const hooks = decodeHooks(table, all);
  for (const { span, message } of all) {
    const detail = message.replace(/^Cannot read /, "it cannot be read here: ");
    draft.loseSetting("hooks", { span, detail, kind: "widened" });
  }
  return hooks;
}
