import type { Scene, TomlCause } from "./scene.ts";

/** Characters that look like one of TOML. */
const LOOKALIKES: readonly (readonly [characters: string, meant: string])[] = [
  ["\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02", '"'],
  ["\u2018\u2019\u201a\u201b\u2032\u00b4`\uff07", "'"],
  [
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000",
    " ",
  ],
  ["\uff1d\u2e40", "="],
  ["\uff3b\u3010", "["],
  ["\uff3d\u3011", "]"],
  ["\uff5b", "{"],
  ["\uff5d", "}"],
  ["\uff0c\u3001", ","],
  ["\uff03", "#"],
  ["\u2010\u2011\u2012\u2013\u2014\u2212", "-"],
  ["\u200b\u200c\u200d\u2060\ufeff", ""],
];

function meantBy(character: string): string | undefined {
  return LOOKALIKES.find(([characters]) => characters.includes(character))?.[1];
}

/** A character that looks like another. */
export function lookalike({ text, index, line, open }: Scene): TomlCause | undefined {
  // A string that such a quote should have ended runs to the end of its line.
  const end = open.string === undefined ? undefined : /[\u201c-\u201f\u2018-\u201b]/.exec(
    text.slice(open.string.at, line.start + line.text.length),
  );
  const at = end ? open.string!.at + end.index : index;
  const character = text[at];
  const meant = character === undefined ? undefined : meantBy(character);
  if (character === undefined || meant === undefined) return undefined;
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return {
    at,
    length: 1,
    detail: `the character U+${code} has no meaning here`,
    hint: meant === ""
      ? "Remove it; it is invisible"
      : meant === " "
      ? "Type an ordinary space"
      : `Type ${meant} instead`,
  };
}

/** A backslash before a character that it does not escape. */
export function wrongEscape({ text, index, open: { string } }: Scene): TomlCause | undefined {
  if (string === undefined || !string.mark.startsWith('"')) return undefined;
  const at = text[index] === "\\" ? index : text[index - 1] === "\\" ? index - 1 : undefined;
  if (at === undefined) return undefined;
  return {
    at,
    length: 2,
    detail: `"${text.slice(at, at + 2)}" is not an escape sequence`,
    hint: "Write two backslashes, or put the text in single quotes",
  };
}

/** The text of another format, or the marks that git leaves in a file with a conflict. */
export function foreignFormat({ text, index, line }: Scene): TomlCause | undefined {
  if (/^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/.test(line.text)) {
    return {
      at: line.start,
      length: line.text.length,
      detail: "git left a conflict here",
      hint: "Keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>",
    };
  }
  if (text[index] !== "{" || text.slice(0, index).trim() !== "") return undefined;
  return {
    at: index,
    length: 1,
    detail: "this is JSON",
    hint: '"caliban perms import --from FILE" converts the rules of another agent',
  };
}
