import { HEADER } from "./openings.ts";
import { type Line, type Scene, shortened, type TomlCause, withoutComment } from "./scene.ts";

/** A key without a value, in the line of the error or above it. */
export function missingValue({ line, above, before, rest, open }: Scene): TomlCause | undefined {
  const isAbove = before.trim() === "" && above !== undefined && open.string === undefined;
  const lines = [...(rest === "" ? [line] : []), ...(isAbove ? [above] : [])];
  for (const { start, text } of lines) {
    const [, indent = "", key = "", equals] = /^(\s*)([\w.-]+)\s*(=)?\s*(?:#.*)?$/.exec(text) ?? [];
    if (key === "") continue;
    return {
      at: start + indent.length,
      length: key.length,
      detail: `the key "${key}" has no value`,
      hint: equals === undefined
        ? `Write ${key} = and its value on this line, or [${key}] for a table`
        : "Write the value on the line of its key",
    };
  }
  return undefined;
}

/** A key with another sign than `=` before its value, or with none. */
export function missingEquals({ line, index }: Scene): TomlCause | undefined {
  const [, head = "", key = "", sign = "", value = ""] =
    /^((\s*[\w.-]+|\s*"[^"]*")\s*)(:=|==|=>|:|(?=["'[{\d]))\s*(.+)$/.exec(line.text) ?? [];
  if (key === "" || index > line.start + head.length + sign.length + 1) return undefined;
  return {
    at: line.start + head.length,
    length: Math.max(1, sign.length),
    detail: sign === "" ? `"=" is missing after the key` : `"${sign}" is in the place of "="`,
    hint: `Write ${shortened(`${key.trim()} = ${withoutComment(value)}`)}`,
  };
}

/** A bare word, or several, where a value must be: `action = allow`. */
export function unquoted({ index, before, rest }: Scene): TomlCause | undefined {
  const begun = /^(.*=\s*)([\w*~/.-]*)$/s.exec(before);
  if (begun === null) return undefined;
  const [, head = "", read = ""] = begun;
  const value = `${read}${rest}`;
  const at = index - read.length;
  if (/^(?:true|false)$/i.test(value)) {
    return {
      at,
      length: value.length,
      detail: "the word has another spelling",
      hint: `Write ${value.toLowerCase()}`,
    };
  }
  const word = /^[A-Za-z_*~/][^"'#=\]}]*/.exec(value)?.[0].trimEnd().replace(/,$/, "");
  if (word === undefined) return undefined;
  const key = /([\w.-]+)\s*=\s*$/.exec(head)?.[1];
  const isList = /[[{,]/.test(head);
  const text = isList ? word.replace(/,.*$/s, "") : word;
  const isWhole = !isList && key !== undefined && /^["']?$/.test(value.slice(word.length));
  return {
    at,
    length: Math.max(1, text.length),
    detail: "the value is not in quotes",
    hint: isWhole
      ? `Write ${shortened(`${key} = "${text}"`)}`
      : `Put a string in quotes: "${shortened(text)}"`,
  };
}

/** A comma or semicolon behind a value, or a comment of another language. */
export function wrongSeparator({ index, rest, before, open }: Scene): TomlCause | undefined {
  const comment = /^(?:\/\/|\/\*|--|;)\s*/.exec(rest)?.[0];
  if (comment !== undefined && (before.trim() === "" || comment.trim() !== ";")) {
    return {
      at: index,
      length: comment.trim().length,
      detail: `"${comment.trim()}" begins no comment`,
      hint: "Begin the comment with #",
    };
  }
  if (open.brackets.length > 0) {
    if (!rest.startsWith(";")) return undefined;
    return { at: index, length: 1, detail: '";" separates no elements', hint: "Write a comma" };
  }
  if (/^,.*\]$/.test(rest) && !before.includes("[")) {
    const list = `[${before.replace(/^[^=]*=\s*/, "")}${rest}`;
    return {
      at: index,
      length: 1,
      detail: 'the list has no "["',
      hint: `Write ${shortened(list)}`,
    };
  }
  if (!/^[,;]$/.test(rest)) return undefined;
  return {
    at: index,
    length: 1,
    detail: `"${rest}" follows the value`,
    hint: "Remove it: the line ends after the value",
  };
}

/** An element of a list, or a pair of an inline table, right behind another. */
export function missingComma({ text, index, rest, open }: Scene): TomlCause | undefined {
  const inner = open.brackets.at(-1);
  if (inner === undefined || open.string !== undefined || rest === "") return undefined;
  const end = endOfRead(text, { start: inner.at + 1, index });
  if (!/["'\]}\w]/.test(text[end - 1]!) || !/^["'[{\w]/.test(rest)) return undefined;
  return {
    at: end - 1,
    length: 1,
    detail: "a comma is missing after this",
    hint: inner.mark === "[" ? "Put a comma between elements" : "Put a comma between keys",
  };
}

/** The offset behind the last character above an index that is neither blank nor in a comment without quotes. */
function endOfRead(
  text: string,
  { start, index }: { readonly start: number; readonly index: number },
): number {
  let end = index;
  while (end > start) {
    const read = text.slice(start, end).trimEnd();
    const line = read.slice(read.lastIndexOf("\n") + 1);
    const comment = line.length > 256 ? -1 : line.search(/(?:^|[ \t])#[^"']*$/);
    end = start + read.length - (comment < 0 ? 0 : line.length - comment);
    if (comment < 0) break;
  }
  return end;
}

/** More behind a value or a header. */
export function twoOnALine({ index, before, rest, line, open }: Scene): TomlCause | undefined {
  if (open.brackets.length > 0 || before.trim() === "" || rest === "") return undefined;
  const at = index;
  if (/^,?\s*[\w.-]+\s*=/.test(rest)) {
    return {
      at,
      length: 1,
      detail: "the line has a second key",
      hint: "Put each key on a line of its own",
    };
  }
  if (/^\[/.test(rest) && /=/.test(before)) {
    return {
      at,
      length: 1,
      detail: "a header follows a value",
      hint: "Put the header on a line of its own",
    };
  }
  const quote = /^[^"']*=\s*(["'])/.exec(line.text)?.[1];
  if (quote === undefined || !rest.includes(quote)) return undefined;
  const other = quote === '"' ? "single" : "double";
  return {
    at,
    length: 1,
    detail: "the string ends before this",
    hint: `Put a text with ${quote} in it in ${other} quotes`,
  };
}

/** A key or a header that stands above already. */
export function repeated({ text, line }: Scene): TomlCause | undefined {
  const [header, , name = ""] = HEADER.exec(line.text) ?? [];
  const lines = text.slice(0, line.start).split(/\r?\n/);
  if (header !== undefined) {
    const isAbove = lines.some((each) => HEADER.exec(each)?.[2] === name);
    if (!isAbove) return undefined;
    return {
      ...wordAt(line, line.text.trim()),
      detail: `the table ${name} is defined more than once`,
      hint: `Join the two tables; for a list of tables write [[${name}]] above each`,
    };
  }
  const key = /^\s*([\w.-]+)\s*=/.exec(line.text)?.[1];
  const own = lines.slice(lines.findLastIndex((each) => HEADER.test(each)) + 1);
  const first = own.findIndex((each) => /^\s*([\w.-]+)\s*=/.exec(each)?.[1] === key);
  if (key === undefined || first < 0) return undefined;
  return {
    ...wordAt(line, key),
    detail: `the key "${key}" is defined more than once`,
    hint: `Keep one of them; the other is on line ${lines.length - own.length + first + 1}`,
  };
}

function wordAt({ start, text }: Line, word: string): Pick<TomlCause, "at" | "length"> {
  return { at: start + Math.max(0, text.indexOf(word)), length: Math.max(1, word.length) };
}
