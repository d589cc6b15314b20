import { isKnownMissing, type KnownPaths } from "../runtime/real_path.ts";
import type { KeptAnswers, Runtime } from "../runtime/runtime.ts";

/** A runtime that looks at each file once, for as long as it may. */
export interface RememberedLooks {
  readonly runtime: Runtime;
  /** From now on the result of a look holds for the same look. */
  remember(): void;
  /** As `remember`, but forgets everything every `BRIEFLY` ms: for calls that are only counted and never run. */
  rememberBriefly(): void;
  /** Forgets all, and remembers no more. */
  forget(): void;
}

/** The most ms for which a look holds where several calls share it. */
export const BRIEFLY = 100;

/** The most results of each kind of look; with more, all are forgotten. */
const MOST = 4_096;

/** No longer text is kept, in UTF-16 code units. */
const LONGEST_TEXT = 65_536;

/**
 * A runtime whose looks at files and variables may be remembered. Who asks for that says how long it is safe: files change, and what a
 * look found before a change must decide nothing after it. A look that fails is made again.
 */
export function rememberedLooks(runtime: Runtime): RememberedLooks {
  const memory = new Memory();
  const folders: KnownPaths = memory.map();
  const followed = (path: string) => {
    if (folders.size >= MOST) folders.clear();
    return runtime.realPath(path, memory.isOn ? folders : undefined);
  };
  const readText = memory.once(
    (path) => runtime.readText(path),
    ({ length }) => length <= LONGEST_TEXT,
  );
  return {
    runtime: {
      ...runtime,
      env: memory.once((name) => runtime.env(name)),
      stat: memory.once((path) => isKnownMissing(path, folders) ? undefined : runtime.stat(path)),
      isThere: memory.once((path) => !isKnownMissing(path, folders) && runtime.isThere(path)),
      realPath: memory.once(followed),
      listFolder: memory.once((path) => runtime.listFolder(path)),
      // With a bound of its own a text may be refused that another reader is given.
      readText: (path, most) => most === undefined ? readText(path) : runtime.readText(path, most),
      answers: () => memory.keeper(),
    },
    remember: () => memory.start(Infinity),
    rememberBriefly: () => memory.start(BRIEFLY),
    forget: () => memory.end(),
  };
}

/** The results of looks, all of which are forgotten at once. */
class Memory {
  #isOn = false;
  readonly #maps: Map<string, unknown>[] = [];
  /** The ms for which a result holds, and the time behind which none does. */
  #holds = Infinity;
  #end = Infinity;
  /** The number of times that all was forgotten. */
  #ends = 0;

  /** True while results are remembered; those that are too old are forgotten. */
  get isOn(): boolean {
    if (this.#isOn && this.#end !== Infinity && performance.now() > this.#end) this.#clear();
    return this.#isOn;
  }

  start(holds: number): void {
    this.#isOn = true;
    this.#holds = holds;
    this.#clear();
  }

  end(): void {
    this.#isOn = false;
    this.#clear();
  }

  map<T>(): Map<string, T> {
    const results = new Map<string, T>();
    this.#maps.push(results);
    return results;
  }

  /** A look that is made once for each path. */
  once<T>(look: (path: string) => T, isKept?: (value: T) => boolean): (path: string) => T {
    const keep = this.keeper(isKept);
    return (path) => keep(path, look);
  }

  /** A function that works each answer out once. */
  keeper(isKept: (value: never) => boolean = () => true): KeptAnswers {
    const results = this.map<unknown>();
    return <T>(key: string, workOut: (key: string) => T): T => {
      if (!this.isOn) return workOut(key);
      const found = results.get(key);
      // A key is of one question, and so of one type.
      if (found !== undefined || results.has(key)) return found as T;
      const ends = this.#ends;
      const value = workOut(key);
      if (results.size >= MOST) results.clear();
      // The looks behind the value may be forgotten by now.
      if (ends === this.#ends && isKept(value as never)) results.set(key, value);
      return value;
    };
  }

  #clear(): void {
    for (const results of this.#maps) results.clear();
    this.#ends++;
    this.#end = performance.now() + this.#holds;
  }
}
