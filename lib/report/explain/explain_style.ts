import type { Color } from "../color.ts";

/** The style of an explanation for people. */
export interface ExplainStyle {
  readonly color: Color;
  /** The columns of a line. */
  readonly columns: number;
  /** `short`: at most a screen. `trace`: every source and every rule. */
  readonly view: "short" | "trace";
}
