import { LRUCache } from "lru-cache";
import type { ToolClass } from "../../model/tool_profile.ts";
import type { KnownAnswer, OpinionCache } from "./create_auto_mode.ts";

/** How many answers are kept. */
const MOST = 256;

/** The model's answers of one session, those asked for longest ago forgotten first. */
export function opinionCache(): OpinionCache {
  const answers = new LRUCache<string, KnownAnswer>({ max: MOST });
  return {
    get: (key) => answers.get(key),
    set: (key, answer) => void answers.set(key, answer),
    clear: () => answers.clear(),
    dropAllowed(classes: readonly (ToolClass | undefined)[]) {
      const dropped = [...answers.entries()].filter(([, { answer, toolClass }]) =>
        answer.decision === "allow" && classes.includes(toolClass)
      );
      for (const [key] of dropped) answers.delete(key);
    },
  };
}
