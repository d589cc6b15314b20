import { brokenHeader, openBracket, openLongString, openString } from "./bracket_causes.ts";
import { foreignFormat, lookalike, wrongEscape } from "./character_causes.ts";
import {
  missingComma,
  missingEquals,
  missingValue,
  repeated,
  twoOnALine,
  unquoted,
  wrongSeparator,
} from "./line_causes.ts";
import { type FindCause, sceneAt, type TomlCause } from "./scene.ts";

/** The causes in the order in which they are tried. */
const CAUSES: readonly FindCause[] = [
  foreignFormat,
  lookalike,
  openLongString,
  openBracket,
  brokenHeader,
  openString,
  wrongEscape,
  missingValue,
  missingEquals,
  unquoted,
  wrongSeparator,
  missingComma,
  twoOnALine,
  repeated,
];

/** The longest texts and lines, in UTF-16 code units, that a person may have typed. */
const LONGEST_TEXT = 262_144;
const LONGEST_LINE = 2048;

/**
 * The mistake from which the error of a TOML parser at an offset most likely comes, wherever that stands; undefined if none is
 * known. It is looked for in the text alone.
 */
export function likelyCause(text: string, index: number): TomlCause | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  const scene = sceneAt(text, Math.min(index, text.length));
  const lines = [scene.line, ...(scene.above === undefined ? [] : [scene.above])];
  if (lines.some((line) => line.text.length > LONGEST_LINE)) return undefined;
  for (const find of CAUSES) {
    const found = find(scene);
    if (found !== undefined) return found;
  }
  return undefined;
}
