import { createHash } from "node:crypto";

/** The file of texts of a bundle, and the list by which the bundle finds them. */
export interface TextLines {
  /** The content of the file, in ASCII; it ends in a newline. */
  readonly text: string;
  /** The mark at the head of each line. */
  readonly mark: string;
  /** For each text a newline, its name, where its line begins and its length with the newlines round it; ends in a newline. */
  readonly lines: string;
}

/** The mark's length, in hexadecimal digits. */
const MARK = 16;

/**
 * The lines for some texts, by name. Of a text with tabs each part behind one is a name, or several with commas between, a blank and a text that gets a line of its own, ahead of the
 * others; in its place stand where that line begins and its length. Throws Error for a text with a newline or anything but ASCII, and for a name with a blank.
 */
export function textLines(texts: readonly (readonly [name: string, text: string])[]): TextLines {
  const wrong = texts.find(([name, text]) => /\s/.test(name) || !/^[\x20-\x7e\t]*$/.test(text));
  if (wrong !== undefined) throw new Error(`Cannot bundle the text "${wrong[0]}": it is no line`);
  const mark = createHash("sha256").update(JSON.stringify(texts)).digest("hex").slice(0, MARK);
  let text = "";
  const placeOf = (name: string, each: string) => {
    const line = `\n${mark} ${name} ${each}`;
    const place = `${text.length} ${line.length + 1}`;
    text += line;
    return place;
  };
  const lines = texts.map(([name, each]) => {
    const [own = "", ...parts] = each.split("\t");
    const places = parts.map((part) => {
      const end = part.indexOf(" ");
      const names = part.slice(0, end);
      return `\t${names} ${placeOf(names.split(",", 1)[0]!, part.slice(end + 1))}`;
    });
    return `\n${name} ${placeOf(name, own + places.join(""))}`;
  });
  return { text: `${text}\n`, mark, lines: `${lines.join("")}\n` };
}
