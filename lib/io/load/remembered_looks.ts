import { isKnownMissing, type KnownPaths } from "../runtime/known_paths.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** A runtime that looks at each file once, for as long as it may. */
export interface RememberedLooks {
  readonly runtime: Runtime;
  /** From now on the result of a look holds for the same look. */
  remember(): void;
  /** Forgets all, and remembers no more. */
  forget(): void;
}

/** The most results of each kind of look; with more, all are forgotten. */
const MOST = 4_096;

/** No longer text is kept, in UTF-16 code units. */
const LONGEST_TEXT = 65_536;

/**
 * A runtime whose looks at files and variables may be remembered. Who asks for that says how long it is safe: files change, and what a
 * look found before a change must decide nothing after it. A look that fails is made again.
 */
export function rememberedLooks(runtime: Runtime): RememberedLooks {
  const known: Pick<Map<string, unknown>, "clear">[] = [];
  let isOn = false;
  const once = <T>(look: (path: string) => T, isKept: (value: T) => boolean = () => true) => {
    const results = new Map<string, T>();
    known.push(results);
    return (path: string): T => {
      if (!isOn) return look(path);
      const found = results.get(path);
      if (found !== undefined || results.has(path)) return found as T;
      const value = look(path);
      if (results.size >= MOST) results.clear();
      if (isKept(value)) results.set(path, value);
      return value;
    };
  };
  const folders: KnownPaths = new Map();
  known.push(folders);
  const followed = (path: string) => {
    if (folders.size >= MOST) folders.clear();
    return runtime.realPath(path, isOn ? folders : undefined);
  };
  const answers = new Map<string, unknown>();
  known.push(answers);
  const kept = <T>(key: string, workOut: () => T): T => {
    if (!isOn) return workOut();
    // A key is of one question, and so of one type.
    if (answers.has(key)) return answers.get(key) as T;
    const answer = workOut();
    if (answers.size >= MOST) answers.clear();
    // By now its looks may be forgotten.
    if (isOn) answers.set(key, answer);
    return answer;
  };
  const readText = once((path) => runtime.readText(path), ({ length }) => length <= LONGEST_TEXT);
  return {
    runtime: {
      ...runtime,
      env: once((name) => runtime.env(name)),
      stat: once((path) => isKnownMissing(path, folders) ? undefined : runtime.stat(path)),
      isThere: once((path) => !isKnownMissing(path, folders) && runtime.isThere(path)),
      realPath: once(followed),
      kept,
      listFolder: once((path) => runtime.listFolder(path)),
      // With a bound of its own a text may be refused that another reader is given.
      readText: (path, most) => most === undefined ? readText(path) : runtime.readText(path, most),
    },
    remember: () => void (isOn = true),
    forget() {
      isOn = false;
      for (const results of known) results.clear();
    },
  };
}
