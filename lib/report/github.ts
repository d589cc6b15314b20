import type { Span } from "../model/problem.ts";
import { visible } from "../text/visible.ts";
import { regionOf } from "./place_text.ts";

/** The weight of an annotation, as GitHub names it. */
export type AnnotationLevel = "error" | "warning" | "notice";

/** The place and title of an annotation, by the names of GitHub's properties; `file` is its path from the repository's root. */
export interface AnnotationPlace {
  readonly title: string;
  readonly file?: string;
  readonly line?: number;
  readonly endLine?: number;
  readonly col?: number;
  readonly endColumn?: number;
}

/** An annotation as a workflow command, which GitHub shows beside the line; ends in a newline. Nothing hides in its lines. */
export function annotation(
  level: AnnotationLevel,
  { place, lines }: { readonly place: AnnotationPlace; readonly lines: readonly string[] },
): string {
  const { title, ...where } = place;
  const properties = Object.entries({ ...where, title })
    .map(([name, value]) => `${name}=${escapedProperty(visible(`${value}`))}`);
  return `::${level} ${properties.join(",")}::${escaped(lines.map(visible).join("\n"))}\n`;
}

/** The lines and columns of a span, as GitHub takes them: columns only within one line, and line 1 for a whole file. */
export function annotatedPart(
  span: Span,
  text: string,
): Pick<AnnotationPlace, "line" | "endLine" | "col" | "endColumn"> {
  const { startLine, startColumn, endLine, endColumn } = regionOf(span, text);
  if (span.end === span.start) return { line: startLine };
  if (endLine !== startLine) return { line: startLine, endLine };
  return { line: startLine, endLine, col: startColumn, endColumn };
}

/** A line break would end the command, and what follows could be one of its own. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
