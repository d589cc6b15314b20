/** The note that stands in the place of what is not kept: `[1 line left out]`. */
export function noteOf(count: number, noun: "character" | "line" | "item" | "member"): string {
  return `[${count} ${noun}${count === 1 ? "" : "s"} left out]`;
}
