import { LRUCache } from "lru-cache";
import type { ToolClass } from "../../model/call.ts";
import type { KnownAnswer, OpinionCache } from "./create_auto_mode.ts";

/** The size of the cache, in answers. */
const MOST = 256;

/** A cache of the model's answers of one session; the least recently used go first. */
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
