import type { Loss } from "../../model/loss.ts";
import type { ModeName } from "../../model/settings.ts";
import type { FormatRule, FormatWriting, WriteContext } from "../convert/format.ts";
import { byAction, orderLosses } from "../convert/order_losses.ts";
import { partsOf } from "../convert/parts.ts";
import { distinctLosses } from "../convert/said.ts";
import { settingsLosses } from "../convert/settings_losses.ts";
import { sayClaude } from "./say.ts";

/** For whom it is written. */
interface ClaudeTarget {
  readonly context: WriteContext;
  /** Its name in losses. */
  readonly agent: string;
}

/** Modes of the same name, and what of each lets more through there. */
const MODES: ReadonlyMap<ModeName, string | undefined> = new Map([
  ["default", undefined],
  ["acceptEdits", "there mkdir, touch, mv and the like pass too in the project"],
  ["plan", "there a command may ask, and one that only reads runs"],
  ["auto", "what judges there is not what judges here"],
]);

/** Writes `permissions` with `deny`, `ask` and `allow` lists. */
export function writeClaudeLike(
  rules: readonly FormatRule[],
  { context, agent }: ClaudeTarget,
): FormatWriting {
  const { parts, losses } = partsOf(rules, context.profiles);
  const all: Loss[] = [...losses, ...orderLosses(rules, { context, agent })];
  const lists = (["deny", "ask", "allow"] as const).map((action) => {
    const said = byAction(parts, action).map((part) =>
      sayClaude(part, { parts, profiles: context.profiles })
    );
    all.push(...said.flatMap((each) => each.losses));
    return [action, [...new Set(said.flatMap((each) => each.texts))]] as const;
  });
  const mode = context.settings.defaultMode?.value;
  const keepsMode = mode !== undefined && MODES.has(mode);
  const looser = mode && MODES.get(mode);
  if (looser !== undefined) {
    all.push({ kind: "widened", subject: `default_mode = "${mode}"`, detail: looser });
  }
  all.push(...settingsLosses(context.settings, keepsMode ? ["default_mode"] : []));
  const permissions = Object.fromEntries([
    ...(keepsMode ? [["defaultMode", mode] as const] : []),
    ...lists.filter(([, texts]) => texts.length > 0),
  ]);
  return { text: JSON.stringify({ permissions }, null, 2) + "\n", losses: distinctLosses(all) };
}
