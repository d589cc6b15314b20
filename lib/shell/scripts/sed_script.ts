import type { ScriptEffect } from "./script_uses.ts";

/**
 * The effects of a sed script other than the processing of its input; undefined if it cannot be parsed. Source: GNU sed's
 * manual, sections 3 and 4.
 */
export function sedEffects(script: string): readonly ScriptEffect[] | undefined {
  if (PLAIN.test(script)) return NOTHING;
  const scanner = new SedScanner(script);
  return scanner.scan() ? scanner.effects : undefined;
}

/** One command without a file, perhaps on a range of lines: `1,9p`. */
const PLAIN = /^(?:(?:\d+|\$)(?:,(?:\d+|\$))?)?[=dDgGhHlnNpPqQxzF]$/;

const NOTHING: readonly ScriptEffect[] = [];

class SedScanner {
  readonly effects: ScriptEffect[] = [];
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Scans every command. Returns false at the first that it cannot parse. */
  scan(): boolean {
    while (this.#skip(/[\s;]*/y), this.#at < this.#text.length) {
      if (this.#skip(/#[^\n]*/y)) continue;
      if (!this.#address()) return false;
      const command = this.#text[this.#at++];
      if (command === undefined || !this.#command(command)) return false;
    }
    return true;
  }

  #command(command: string): boolean {
    if (/[{}=dDgGhHnNpPxzF]/.test(command)) return this.#ends(command);
    switch (command) {
      case "l":
      case "L":
      case "q":
      case "Q":
        this.#skip(/[ \t]*\d*/y);
        return this.#ends(command);
      case ":":
      case "b":
      case "t":
      case "T":
        return this.#skip(/[ \t]*[\w.-]*[ \t]*(?=[;}\n]|$)/y) !== undefined;
      case "a":
      case "i":
      case "c":
        // The text continues over lines that end in a backslash.
        return this.#skip(/(?:\\[^]|[^\\\n])*/y) !== undefined;
      case "r":
        return this.#file("read");
      case "w":
        return this.#file("output");
      case "s":
        return this.#substitute();
      case "y":
        return this.#parts(this.#text[this.#at++] ?? "", 2) && this.#ends(command);
      default:
        // e runs a command; R, W and v are rare, and therefore unknown.
        this.effects.push({ kind: "unknown", path: "" });
        return false;
    }
  }

  #substitute(): boolean {
    const delimiter = this.#text[this.#at++];
    if (delimiter === undefined || /[\s\\]/.test(delimiter) || !this.#parts(delimiter, 2)) {
      return false;
    }
    const flags = this.#skip(/[gpiImM\d]*/y) ?? "";
    if (this.#text[this.#at] === "w" && flags !== undefined) {
      this.#at++;
      return this.#file("output");
    }
    return this.#ends("s");
  }

  #file(kind: "read" | "output"): boolean {
    const path = this.#skip(/[^\n]*/y)?.trim() ?? "";
    this.effects.push({ kind, path });
    return path !== "";
  }

  /** True if a command ends here. */
  #ends(command: string): boolean {
    if (command === "{" || command === "}") return true;
    return this.#skip(/[ \t]*(?=[;}\n#]|$)/y) !== undefined;
  }

  #address(): boolean {
    if (!this.#oneAddress()) return false;
    if (this.#skip(/[ \t]*,[ \t]*/y) !== undefined) {
      if (this.#skip(/[+~]\d+/y) === undefined && !this.#oneAddress()) return false;
    }
    this.#skip(/[ \t]*!*[ \t]*/y);
    return true;
  }

  #oneAddress(): boolean {
    if (this.#skip(/\d+(?:~\d+)?|\$/y) !== undefined) return true;
    const custom = this.#skip(/\\[^\\\n\s]/y);
    const delimiter = custom?.[1] ?? this.#skip(/\//y);
    if (delimiter === undefined) return true;
    if (!this.#parts(delimiter, 1)) return false;
    this.#skip(/[IM]*/y);
    return true;
  }

  /** Skips texts that each end in the delimiter; brackets do not quote it, as in sed. */
  #parts(delimiter: string, count: number): boolean {
    for (let part = 0; part < count; part++) {
      for (;; this.#at++) {
        const char = this.#text[this.#at];
        if (char === undefined) return false;
        // Implementations disagree on a delimiter in a bracket expression, so the script is rejected.
        if (char === "[" && part === 0 && this.#bracketHolds(delimiter)) return false;
        if (char === "\\") this.#at++;
        else if (char === delimiter) break;
        else if (char === "\n" && count === 1) return false;
      }
      this.#at++;
    }
    return true;
  }

  #bracketHolds(delimiter: string): boolean {
    const close = this.#text.indexOf("]", this.#at + 2);
    const body = this.#text.slice(this.#at, close < 0 ? undefined : close);
    return body.includes(delimiter);
  }

  #skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found === undefined) return undefined;
    this.#at += found.length;
    return found;
  }
}
