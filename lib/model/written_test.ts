import type { Action } from "./action.ts";
import type { JsonObject } from "./call.ts";
import type { Located, Span } from "./place.ts";
import type { ModeName } from "./settings.ts";

/** The call of a policy test as a file has it. */
export type WrittenCall =
  /** `"Bash:git push"`: the tool, a colon, and its first argument or, as `{"…": …}`, its whole input. */
  | {
    readonly form: "text";
    readonly tool: string;
    /** What stands behind the colon; absent when there is none. */
    readonly text?: string;
    readonly span: Span;
  }
  /** `{ tool = "Write", input = { path = "x" }, cwd = "sub" }`. */
  | {
    readonly form: "table";
    readonly tool: string;
    readonly input: JsonObject;
    /** The folder it runs in, from the workspace. */
    readonly cwd?: string;
    readonly span: Span;
  };

/** One policy test as a file has it. */
export interface WrittenTest {
  /** The call. */
  readonly call: WrittenCall;
  /** The decision that is right. */
  readonly expect: Located<Action>;
  /** The mode that it is decided in; `default` when left out. */
  readonly mode?: ModeName;
  /** The pattern of the rule that is to decide, `builtin` for any built-in one, or `none`. */
  readonly rule?: Located<string>;
  /** For people. */
  readonly why?: string;
  /** Where the test stands: its table header or inline table. */
  readonly span: Span;
}
