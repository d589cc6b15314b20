import { LRUCache } from "lru-cache";
import type { OpinionCache } from "./create_auto_mode.ts";
import type { Answer } from "./model_answer.ts";

/** The size of the cache, in answers. */
const MOST = 256;

/** A cache of the model's answers of one session; the least recently used go first. */
export function opinionCache(): OpinionCache {
  const answers = new LRUCache<string, Answer>({ max: MOST });
  return {
    get: (key) => answers.get(key),
    set: (key, answer) => void answers.set(key, answer),
    clear: () => answers.clear(),
    dropAllowed() {
      const dropped = [...answers.entries()].filter(([, { decision }]) => decision === "allow");
      for (const [key] of dropped) answers.delete(key);
    },
  };
}
