import type { Span } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";

/** A value in a TOML text, and where it stands. */
export type TomlNode = TomlTable | TomlArray | TomlString | TomlBoolean | TomlNumber | TomlDateTime;

/** A table. */
export interface TomlTable {
  /** Tells it from the other nodes. */
  readonly type: "table";
  /** How it is written: the file itself, under a `[header]`, by the dots of a key alone, or in braces. */
  readonly form: "root" | "header" | "dotted" | "inline";
  /** The header, the braces, or the part of a key that made it; empty for the file itself. */
  readonly span: Span;
  /** Offset behind its last key and value that follow the header or stand in the braces. */
  readonly end: number;
  /** What it holds, by name, in the order of the text. */
  readonly members: ReadonlyMap<string, TomlMember>;
}

/** A key of a table with its value. */
export interface TomlMember {
  /** The key, quotes and escapes undone. */
  readonly name: string;
  /** Where the key first stands: one part of it if it is dotted. */
  readonly key: Span;
  /** Its value. */
  readonly value: TomlNode;
}

/** An array. */
export interface TomlArray {
  /** Tells it from the other nodes. */
  readonly type: "array";
  /** How it is written: `[[headers]]`, or in brackets. */
  readonly form: "tables" | "inline";
  /** Its first header, or the brackets and all between them. */
  readonly span: Span;
  /** Its elements in the order of the text. */
  readonly items: readonly TomlNode[];
}

/** A string of any of the four kinds. */
export interface TomlString {
  /** Tells it from the other nodes. */
  readonly type: "string";
  /** Where it stands, quotes included. */
  readonly span: Span;
  /** Its text, escapes undone. */
  readonly value: string;
}

/** `true` or `false`. */
export interface TomlBoolean {
  /** Tells it from the other nodes. */
  readonly type: "boolean";
  /** Where it stands. */
  readonly span: Span;
  /** Its value. */
  readonly value: boolean;
}

/** An integer or a float. */
export interface TomlNumber {
  /** Tells it from the other nodes. */
  readonly type: "number";
  /** Where it stands. */
  readonly span: Span;
  /** Its value, rounded to a double. */
  readonly value: number;
}

/** A date, a time, or both. */
export interface TomlDateTime {
  /** Tells it from the other nodes. */
  readonly type: "date-time";
  /** Where it stands. */
  readonly span: Span;
  /** `offset` when it says its offset from UTC; only then is it an instant. */
  readonly zone: "offset" | "local";
  /** Its text as written. */
  readonly value: string;
}

/** A TOML text, read. */
export interface TomlDocument {
  /** The text itself. */
  readonly text: string;
  /** The file's own table; empty when there are problems. */
  readonly root: TomlTable;
  /** Offsets of the `#` of every comment, in order. */
  readonly comments: readonly number[];
  /** Why the text is not TOML. */
  readonly problems: readonly Problem[];
}
