import type { UnitVerdict } from "../../model/verdict.ts";

/** A safety check: something that a call does, and why no mode but bypass lets it pass unasked. */
export interface Check extends Pick<UnitVerdict, "kind" | "text" | "via" | "depth" | "tool"> {
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** What happens to which protected file. */
export interface FileChange {
  /** What happens: `writes`, `may move`. */
  readonly does: string;
  /** The protected file or folder, as people write it. */
  readonly name: string;
  /** Why it is protected. */
  readonly why: string;
  /** Whether the text names a folder that holds it, and else it or something in it. */
  readonly relation: "in" | "holds";
}

/** Why a file is asked about whatever allow rule fits. */
export function protectedReason(
  text: string,
  { does, name, why, relation }: FileChange,
): string {
  const shown = shortened(text);
  if (relation === "holds") {
    return `it ${does} \`${shown}\` with \`${name}\`, which is protected: ${why}`;
  }
  return shown === name
    ? `it ${does} \`${shown}\`, which is protected: ${why}`
    : `it ${does} \`${shown}\`, and \`${name}\` is protected: ${why}`;
}

/** A text on one line, cut where it is long. */
export function shortened(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}
