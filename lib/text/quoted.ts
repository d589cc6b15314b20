/** A text in backticks, cut where it is long and on one line. */
export function quoted(text: string): string {
  const line = text.replace(/\s*\n\s*/g, " ⏎ ");
  const short = line.length > 60 ? `${line.slice(0, 57)}…` : line;
  return `\`${short}\``;
}
