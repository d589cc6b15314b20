import type { HookEventName } from "../../model/hook.ts";
import type { RuleSource } from "../../model/source.ts";
import type { Matcher } from "./matcher.ts";

/** A hook that can run. */
export interface Hook {
  /** When it runs. */
  readonly event: HookEventName;
  /** The tools that it is for. */
  readonly matcher: Matcher;
  /** The command line that the shell is given. */
  readonly command: string;
  /** Where it stands. */
  readonly source: RuleSource;
}
