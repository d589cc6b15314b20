import type { TextEdits } from "./agent_settings.ts";

/** A renewal of our commands in a text. */
export interface Renewal {
  readonly edits: TextEdits;
  /** The commands that are there. */
  readonly commands: readonly string[];
  /** The command in their place. */
  readonly next: string;
}

/**
 * Returns the text with the new command in the place of the old ones, and every other byte as it was; where more than the command
 * is of another version, the hook is put in anew. Throws SettingsFault.
 */
export function renewed(text: string, { edits, commands, next }: Renewal): string {
  const inPlace = commands.reduce(
    (changed, old) => changed.replaceAll(JSON.stringify(old), () => JSON.stringify(next)),
    text,
  );
  return edits.install(inPlace, { command: next });
}
