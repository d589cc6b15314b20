/** An event cannot be read, so that nothing is known about the call. The message is a clause without a full stop. */
export class EventFault extends Error {
  override readonly name = "EventFault";
}

/** An agent's settings cannot be read, so that they are left as they are. */
export class SettingsFault extends Error {
  override readonly name = "SettingsFault";
  /** Line, from 1. */
  readonly line: number;
  /** Column, from 1. */
  readonly column: number;

  /** `message` is a clause without a full stop. */
  constructor(message: string, at: { readonly line: number; readonly column: number }) {
    super(message);
    this.line = at.line;
    this.column = at.column;
  }
}
