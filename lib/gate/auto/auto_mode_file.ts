import type { Located, Span } from "../../model/place.ts";
import type { Problem } from "../../model/problem.ts";

/** The lists of patterns, in the order in which they are walked. */
export const AUTO_LISTS = ["hard_deny", "soft_deny", "allow"] as const;

/** The name of a list of patterns. */
export type AutoList = (typeof AUTO_LISTS)[number];

/** The name of a list that `$defaults` can stand in. */
export type CuratedList = AutoList | "environment";

/** The model that is asked. */
export interface ClassifierSettings {
  /** Base URL of a server that speaks the OpenAI chat API, as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  /** The model's name. */
  readonly model: string;
  /** The name of the environment variable that holds the key; absent when none is sent. */
  readonly apiKeyEnv?: string;
  /** How long an answer may take, in ms. */
  readonly timeoutMs: number;
}

/** One list as a file has it. */
export interface WrittenList {
  /** Its elements: patterns or lines, and `$defaults`. */
  readonly items: readonly Located<string>[];
  /** Where the array stands. */
  readonly span: Span;
}

/** Everything that one auto-mode.toml says; what it does not say is absent. */
export interface AutoModeFile {
  /** Its lists, by name. */
  readonly lists: ReadonlyMap<CuratedList, WrittenList>;
  /** `disable_auto_mode` (or `disableAutoMode`). */
  readonly disableAutoMode?: Located<boolean>;
  /** Its `[classifier]` table. */
  readonly classifier?: Located<ClassifierSettings>;
  /** Everything wrong in it, in the order of the text. With an error among them, nothing else of the file counts. */
  readonly problems: readonly Problem[];
}
