import type { Json, JsonObject, ToolProfile } from "../model/call.ts";
import { callUrl, filePathOf } from "../pattern/url/call_url.ts";
import { isJsonObject } from "../text/json_value.ts";
import { singleQuoted } from "../text/quote.ts";
import { patchFiles } from "../text/patch_files.ts";
import {
  CONTENT,
  describedKeys,
  inherited,
  isContentKey,
  type KeyMeaning,
  keyMeaning,
  type MeaningAbove,
  meaningBelow,
  type NamedKind,
  namesNothing,
  namesNothingFurther,
  NOTHING,
} from "./named_keys.ts";
import {
  decodings,
  hostUrl,
  isLongJson,
  isLongList,
  jsonIn,
  otherTexts,
  trimmedText,
  uriPaths,
} from "./text_readings.ts";

/** A string of a call's input that names a file, a URL or a command by its key. */
export interface NamedArgument {
  readonly kind: NamedKind;
  /** The file, URL or command, as rules are tried on it. */
  readonly text: string;
  /** The dotted path of the argument, for people: `files.0.path`. */
  readonly at: string;
  /** True if the key says so without doubt: a text that cannot be compared then raises the verdict. */
  readonly isCertain: boolean;
  /** The folder that a key beside a command names, in which it may run. */
  readonly folder?: string;
}

/** The arguments that an input names by its keys. */
export interface NamedArguments {
  readonly named: readonly NamedArgument[];
  /** True if the input is too deep or too large to read in full. */
  readonly isCut: boolean;
}

/** The levels of an input that are read. */
const MAX_DEPTH = 8;
/** The most values of an input that are read. */
const MAX_VALUES = 20_000;
/** The most arguments that one input names. */
const MAX_NAMED = 2_000;

/**
 * The files, URLs and commands that a call names under undescribed keys: the first argument of the tool's profile and its
 * other fields are left out.
 */
export function namedArguments(input: JsonObject, profile: ToolProfile): NamedArguments {
  const described = describedKeys(profile);
  if (namesNothingFurther(input, described)) return NONE_NAMED;
  const reader = new Reader(described);
  reader.readObject(input, { at: [], above: NOTHING });
  return { named: reader.named, isCut: reader.isCut };
}

const NONE_NAMED: NamedArguments = { named: [], isCut: false };

interface Place {
  readonly at: readonly string[];
  readonly above: MeaningAbove;
}

interface Member {
  readonly at: string;
  readonly value: Json;
  readonly meaning: KeyMeaning;
}

class Reader {
  readonly named: NamedArgument[] = [];
  isCut = false;
  readonly #described: ReadonlySet<string>;
  #left = MAX_VALUES;

  constructor(described: ReadonlySet<string>) {
    this.#described = described;
  }

  readObject(object: JsonObject, { at, above }: Place): void {
    const all = Object.entries(object);
    const isDescribed = (key: string) =>
      this.#described.size > 0 && this.#described.has([...at, key].join("."));
    const members = all.filter(([key]) => !isDescribed(key));
    // A described field's own text names nothing; the keys of objects in it say what they name.
    for (const [key, value] of all) {
      if (isDescribed(key)) this.#readValue(value, { at: [...at, key], above: CONTENT });
    }
    const below = inherited(above);
    for (const [key, value] of members) {
      const own = keyMeaning(key);
      // A table of files by their names: { "files": { "a.ts": "…" } }.
      if (own === undefined) this.#addText(key, { at, above: below });
      const meaning = meaningBelow(below, { own, isContent: isContentKey(key) });
      this.#readValue(value, { at: [...at, key], above: meaning });
    }
    this.#addJoined(members, at);
  }

  #readValue(value: Json, place: Place): void {
    if (this.#left-- <= 0) {
      this.isCut = true;
      return;
    }
    if (typeof value === "string") {
      this.#addText(value, place);
      if (place.above !== CONTENT) this.#addPatch(value, place);
      if (!place.above.isContent && isLongJson(value)) this.isCut = true;
      const json = place.above.isContent ? undefined : jsonIn(value);
      return json === undefined
        ? undefined
        : this.#readValue(json, { ...place, at: [...place.at, "json"] });
    }
    if (typeof value !== "object" || value === null) return;
    if (place.at.length >= MAX_DEPTH) {
      this.isCut = true;
      return;
    }
    if (isJsonObject(value)) return this.readObject(value, place);
    for (const [index, each] of value.entries()) {
      this.#readValue(each, { ...place, at: [...place.at, String(index)] });
    }
    const words = wordsOf(value);
    if (words !== undefined && words.length > 1 && commandLike(place.above)) {
      const isCertain = place.above.names.has("command");
      this.#add({ kind: "command", text: lineOf(words), at: place.at.join("."), isCertain });
    }
  }

  /** Adds the files of a patch in Codex's form: it is content by its key, and names what it writes. */
  #addPatch(text: string, { at }: Place): void {
    if (!/^(?:<<[^\n]*\n)?\*\*\* Begin Patch/i.test(text.trimStart())) return;
    const { paths, unread } = patchFiles(text);
    if (unread !== undefined) this.isCut = true;
    for (const path of paths) {
      this.#add({ kind: "file", text: path, at: at.join("."), isCertain: true });
    }
  }

  #addText(text: string, { at, above }: Place): void {
    if (namesNothing(above)) return;
    const path = at.join(".");
    for (const kind of KINDS) {
      const isCertain = above.names.has(kind);
      if (!isCertain && !above.mayName.has(kind)) continue;
      if (isCertain && kind !== "command" && isLongList(text)) this.isCut = true;
      for (const each of readings(kind, text)) {
        this.#add({ ...each, at: path, isCertain: isCertain && each.isCertain });
      }
    }
  }

  /** Adds what an object's members name together: a file in a folder beside it, a command with its further words. */
  #addJoined(members: readonly (readonly [string, Json])[], at: readonly string[]): void {
    if (members.every(([key]) => keyMeaning(key) === undefined)) return;
    const known = members.flatMap(([key, value]): readonly Member[] => {
      const meaning = keyMeaning(key);
      return meaning === undefined ? [] : [{ at: [...at, key].join("."), value, meaning }];
    });
    for (const member of known) {
      const { value, meaning } = member;
      const text = typeof value === "string" ? value : lineOf(wordsOf(value) ?? []);
      if (text === "") continue;
      const others = known.filter((other) => other !== member);
      if (meaning.isFolder && typeof value === "string") this.#addFilesIn(value, others);
      if (commandLike(meaning)) this.#addCommandWith({ ...member, value: text }, others);
    }
  }

  #addFilesIn(folder: string, others: readonly Member[]): void {
    for (const { at, value, meaning: { names, mayName } } of others) {
      if (!names.has("file") && !mayName.has("file")) continue;
      for (const name of stringsOf(value)) {
        if (name === "" || /^(?:[\\/~]|[A-Za-z]:|[A-Za-z]+:)/.test(name)) continue;
        this.#add({ kind: "file", text: `${fileText(folder)}/${name}`, at, isCertain: false });
      }
    }
  }

  #addCommandWith(
    { at, value: command, meaning }: Member & { readonly value: string },
    others: readonly Member[],
  ): void {
    const isCertain = meaning.names.has("command");
    const line = [command];
    for (const { value, meaning: { isArguments } } of others) {
      const more = typeof value === "string" ? value : lineOf(wordsOf(value) ?? []);
      if (!isArguments || more === "") continue;
      this.#add({ kind: "command", text: `${command} ${more}`, at, isCertain });
      line.push(more);
    }
    const text = line.join(" ");
    if (line.length > 2) this.#add({ kind: "command", text, at, isCertain });
    for (const { value, meaning: { isFolder } } of others) {
      if (!isFolder || typeof value !== "string" || value === "") continue;
      this.#add({ kind: "command", text, at, isCertain, folder: fileText(value) });
    }
  }

  #add(argument: NamedArgument): void {
    if (this.named.length >= MAX_NAMED) this.isCut = true;
    else this.named.push(argument);
  }
}

const KINDS: readonly NamedKind[] = ["file", "url", "command"];

function commandLike({ names, mayName }: MeaningAbove): boolean {
  return names.has("command") || mayName.has("command");
}

function wordsOf(value: Json): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.every((each) => typeof each === "string") ? value : undefined;
}

function stringsOf(value: Json): readonly string[] {
  return typeof value === "string" ? [value] : wordsOf(value) ?? [];
}

function lineOf(words: readonly string[]): string {
  return words.map((word) => /^[\w@%+=:,./-]+$/.test(word) ? word : singleQuoted(word)).join(" ");
}

type Reading = Pick<NamedArgument, "kind" | "text" | "isCertain">;

/**
 * The readings of a text under a key of a kind: a `file:` URL is a file, a URL is one under the key of a file too. Agents trim
 * paths and URLs, so a text with blanks at its edges is read without them as well.
 */
function readings(kind: NamedKind, text: string): readonly Reading[] {
  if (kind === "command") return text.trim() === "" ? [] : [{ kind, text, isCertain: true }];
  const own = plainReadings(kind, text);
  const others = otherTexts(kind, text).flatMap((each) => plainReadings(kind, each));
  const trimmed = trimmedText(text);
  const whole = trimmed === text || trimmed === "" ? [] : plainReadings(kind, trimmed);
  return [...own, ...whole, ...others.map((each) => ({ ...each, isCertain: false }))];
}

function plainReadings(kind: "file" | "url", text: string): readonly Reading[] {
  return [
    ...writtenReadings(kind, text),
    ...furtherPaths(text).map((path): Reading => ({ kind: "file", text: path, isCertain: false })),
  ];
}

/** The paths that a text may name besides the one that it is: those in a URI, those without escapes, below the home folder. */
export function furtherPaths(text: string): readonly string[] {
  if (/^[a-z][a-z0-9+.-]+:/i.test(text)) return uriPaths(text);
  const home = text.replace(/^\$(?:HOME|\{HOME\})(?=\/|$)/, "~");
  return home === text ? decodings(text) : [home, ...decodings(text)];
}

function writtenReadings(kind: "file" | "url", text: string): readonly Reading[] {
  const host = kind === "url" ? hostUrl(text) : undefined;
  const isUrl = host === undefined && /^[a-z][a-z0-9+.-]+:/i.test(text);
  if (isUrl && (kind === "url" || /^[a-z][a-z0-9+.-]+:\/\//i.test(text))) {
    const url: Reading = { kind: "url", text, isCertain: kind === "url" };
    return /^file:/i.test(text)
      ? [url, { kind: "file", text: fileText(text), isCertain: true }]
      : [url];
  }
  const file: Reading = {
    kind: "file",
    text: text === "" ? "." : text,
    isCertain: kind === "file",
  };
  return host === undefined ? [file] : [{ kind: "url", text: host, isCertain: false }, file];
}

/** The path of a `file:` URL; any other text as it is. */
function fileText(text: string): string {
  return /^file:/i.test(text) ? filePathOf(callUrl(text)) ?? text : text;
}
