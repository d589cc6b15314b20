import type { ShellMode, ToolProfile } from "../../model/call.ts";
import type { CallPath, PathContext } from "../../pattern/path/call_path.ts";
import type { CommandLine, Effect } from "../../shell/effect.ts";
import type { Shell } from "../../shell/parse/shell.ts";
import type { ClassSearch } from "./class_matcher.ts";
import type { ToolRule } from "./compiled_policy.ts";
import { AS_WRITTEN, type PathReading } from "../../pattern/path/path_readings.ts";

/** The rules that may fit a request. */
export interface FoundRules {
  /** The index that found them. */
  readonly from: unknown;
  readonly found: readonly ToolRule[];
}

/** One thing that a command line does, as rules see it. */
export interface LineEffect {
  /** The unit. */
  readonly effect: Effect;
  readonly line: CommandLine;
  /** The class for which rules are searched; absent for those that name none. */
  readonly search?: ClassSearch;
  /** The bits of the characters that its texts begin with, found when a rule first asks. */
  begins?: number | undefined;
  /** The length of the texts that deny and ask rules match, found when a rule is first tried. */
  length?: number | undefined;
  /** The rules that an index of them found for it last. */
  rules?: FoundRules | undefined;
}

/** Parses a command line of a shell, `posix` if left out, with the policy's own wrappers and programs. */
export type ParseCommand = (
  text: string,
  shell: Shell | undefined,
  options?: { readonly hasPlainNames: true },
) => CommandLine;

/** A tool that was called, and what every call asks of it: a look at the profile itself takes longer. */
export interface NamedTool {
  readonly profile: ToolProfile;
  readonly isCommand: boolean;
  /** True if its name has no blanks at its ends and no invisible characters; false for one that is no text. */
  readonly hasVisibleName: boolean;
  /** True if nothing is known about its input. */
  readonly isUndescribed: boolean;
}

/** The policy's side of a request. */
export interface RequestOptions {
  readonly tools: { named(name: string): NamedTool };
  /** The call's own folder, else the policy's; absolute. */
  readonly cwd: string;
  /** Further folders that the call may run in, since its input names them; "" for one that is unknown. */
  readonly folders?: readonly string[];
  /** Set if `cwd` is made of a folder that the input names: that one is not looked for below it again. */
  readonly isPlaced?: boolean;
  /** The reading of paths by the tools of the agent; any change where it is left out. */
  readonly reading?: PathReading;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  readonly parse: ParseCommand;
  /** The `shell` setting. */
  readonly shell: ShellMode;
}

const written = new WeakMap<RequestOptions, RequestOptions>();

/** The same options where paths are opened as they are written. */
export function asWritten(options: RequestOptions): RequestOptions {
  if (options.reading === AS_WRITTEN) return options;
  let same = written.get(options);
  if (same === undefined) written.set(options, same = { ...options, reading: AS_WRITTEN });
  return same;
}

/** The paths of a call by their texts. Most calls have two at most, for which a map would take longer than to read them. */
export class CallPaths {
  #first: CallPath | undefined;
  #second: CallPath | undefined;
  #firstText = "";
  #secondText = "";
  #others: Map<string, CallPath> | undefined;

  get(text: string): CallPath | undefined {
    if (this.#first !== undefined && this.#firstText === text) return this.#first;
    if (this.#second !== undefined && this.#secondText === text) return this.#second;
    return this.#others?.get(text);
  }

  set(text: string, path: CallPath): void {
    if (this.#first === undefined) {
      this.#first = path;
      this.#firstText = text;
    } else if (this.#second === undefined) {
      this.#second = path;
      this.#secondText = text;
    } else (this.#others ??= new Map()).set(text, path);
  }
}
