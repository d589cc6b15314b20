import type { Problem, Span } from "../model/problem.ts";

/** A value in a TOML text, with its place. */
export type TomlNode = TomlTable | TomlArray | TomlString | TomlBoolean | TomlNumber | TomlDateTime;

export interface TomlTable {
  /** The kind of node. */
  readonly type: "table";
  /** Its notation: the file itself, under a `[header]`, only by the dots of a key, or in braces. */
  readonly form: "root" | "header" | "dotted" | "inline";
  /** The header, the braces, or the part of a key that made it; empty for the file itself. */
  readonly span: Span;
  /** Offset after its last key and value, under the header or in the braces. */
  readonly end: number;
  /** Its members by name, in the order of the text. */
  readonly members: ReadonlyMap<string, TomlMember>;
}

/** A key of a table with its value. */
export interface TomlMember {
  /** The key, quotes and escapes undone. */
  readonly name: string;
  /** The first place of the key: one part of it if it is dotted. */
  readonly key: Span;
  readonly value: TomlNode;
}

export interface TomlArray {
  /** The kind of node. */
  readonly type: "array";
  /** Its notation: `[[headers]]`, or in brackets. */
  readonly form: "tables" | "inline";
  /** Its first header, or the brackets and all between them. */
  readonly span: Span;
  /** Its elements in the order of the text. */
  readonly elements: readonly TomlNode[];
}

/** A string of any of the four kinds. */
export interface TomlString {
  /** The kind of node. */
  readonly type: "string";
  /** Its place, quotes included. */
  readonly span: Span;
  /** Its text, escapes undone. */
  readonly value: string;
}

/** `true` or `false`. */
export interface TomlBoolean {
  /** The kind of node. */
  readonly type: "boolean";
  /** Its place. */
  readonly span: Span;
  readonly value: boolean;
}

/** An integer or a float. */
export interface TomlNumber {
  /** The kind of node. */
  readonly type: "number";
  /** Its place. */
  readonly span: Span;
  /** Its value, rounded to a double. */
  readonly value: number;
}

/** A date, a time, or both. */
export interface TomlDateTime {
  /** The kind of node. */
  readonly type: "date-time";
  /** Its place. */
  readonly span: Span;
  /** `offset` if it has an offset from UTC; only then is it an instant. */
  readonly zone: "offset" | "local";
  /** Its text as written. */
  readonly value: string;
}

/** The values of a TOML text. */
export interface TomlDocument {
  /** The text itself. */
  readonly text: string;
  /** The file's own table; empty when there are problems. */
  readonly root: TomlTable;
  /** Offsets of the `#` of every comment, in order. */
  readonly comments: readonly number[];
  /** The fault of a text that is not TOML. */
  readonly problems: readonly Problem[];
}
