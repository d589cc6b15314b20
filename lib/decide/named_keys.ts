import defaults from "../../defaults/tools.json" with { type: "json" };
import type { JsonObject, ToolProfile } from "../model/call.ts";
import { onDemand, remembered } from "../model/on_demand.ts";

/** The kinds of things that an argument can name. */
export type NamedKind = "file" | "url" | "command";

/** The meaning of a key by its words: what its strings name for certain, and what they may name. */
export interface KeyMeaning {
  readonly names: ReadonlySet<NamedKind>;
  readonly mayName: ReadonlySet<NamedKind>;
  /** True if its strings may be the folder that other arguments are relative to. */
  readonly isFolder: boolean;
  /** True if its strings may be further words of a command beside it. */
  readonly isArguments: boolean;
}

const { keys } = defaults;

const certain = onDemand(() =>
  wordTable({ file: keys.files, url: keys.urls, command: keys.commands })
);
const possible = onDemand(() =>
  wordTable({ file: keys.may_files, url: keys.may_urls, command: keys.may_commands })
);
const folders = onDemand((): ReadonlySet<string> => new Set(keys.folders));
const argumentsOf = onDemand((): ReadonlySet<string> => new Set(keys.arguments));

/** The endings of words that are written together: `inputpath`, `fileurl`. */
const ENDINGS: readonly (readonly [ending: string, kind: NamedKind])[] = [
  ["path", "file"],
  ["paths", "file"],
  ["file", "file"],
  ["files", "file"],
  ["filename", "file"],
  ["dir", "file"],
  ["directory", "file"],
  ["folder", "file"],
  ["url", "url"],
  ["urls", "url"],
  ["uri", "url"],
  ["command", "command"],
  ["cmd", "command"],
  ["cmdline", "command"],
  ["commandline", "command"],
  ["fname", "file"],
  ["script", "command"],
];

function wordTable(
  lists: Readonly<Record<NamedKind, readonly string[]>>,
): ReadonlyMap<string, readonly NamedKind[]> {
  const table = new Map<string, NamedKind[]>();
  for (const kind of ["file", "url", "command"] as const) {
    for (const word of lists[kind]) {
      const others = table.get(word);
      if (others === undefined) table.set(word, [kind]);
      else others.push(kind);
    }
  }
  return table;
}

/** The meaning of a key as it is remembered. */
interface KnownKey {
  readonly meaning: KeyMeaning | undefined;
  readonly isContent: boolean;
}

const knownKey = remembered((key): KnownKey => ({
  meaning: meaningOf(key),
  isContent: keyWords(key).some((word) => texts().has(word)),
}));

/** The meaning of a key; undefined if none of its words says one. */
export function keyMeaning(key: string): KeyMeaning | undefined {
  return knownKey(key).meaning;
}

function meaningOf(key: string): KeyMeaning | undefined {
  const words = keyWords(key);
  const names = new Set(words.flatMap((word) => certain().get(word) ?? []));
  const mayName = new Set(
    words.flatMap((word) => [...(possible().get(word) ?? []), ...endingKinds(word)]),
  );
  for (const kind of names) mayName.delete(kind);
  const isFolder = words.some((word) =>
    folders().has(word) || word.endsWith("dir") || word.endsWith("directory") ||
    word.endsWith("folder")
  );
  const isArguments = words.some((word) => argumentsOf().has(word));
  if (names.size === 0 && mayName.size === 0 && !isFolder && !isArguments) return undefined;
  return { names, mayName, isFolder, isArguments };
}

const texts = onDemand((): ReadonlySet<string> => new Set(keys.texts));

/** True for a key whose texts are content, in which JSON names nothing. */
export function isContentKey(key: string): boolean {
  return knownKey(key).isContent;
}

/** The meaning of the keys above a value. */
export interface MeaningAbove extends Pick<KeyMeaning, "names" | "mayName"> {
  /** True where texts are content. */
  readonly isContent?: boolean;
}

const NO_KINDS: ReadonlySet<NamedKind> = new Set();
export const NOTHING: MeaningAbove = { names: NO_KINDS, mayName: NO_KINDS };
export const CONTENT: MeaningAbove = { ...NOTHING, isContent: true };

/** True for a meaning by which nothing is named. */
export function namesNothing({ names, mayName }: MeaningAbove): boolean {
  return names.size === 0 && mayName.size === 0;
}

/** The meaning of a key for the keys below it, which may name something of their own. */
export function inherited(above: MeaningAbove): MeaningAbove {
  if (namesNothing(above)) return NOTHING;
  return { names: NO_KINDS, mayName: new Set([...above.names, ...above.mayName]) };
}

/** The meaning of a key, with that of the keys above it. */
export function meaningBelow(
  below: MeaningAbove,
  { own, isContent }: { readonly own: KeyMeaning | undefined; readonly isContent: boolean },
): MeaningAbove {
  if (own === undefined) return isContent ? { ...below, isContent } : below;
  const mayName = below.mayName.size === 0
    ? own.mayName
    : new Set([...own.mayName, ...below.mayName]);
  return { names: own.names, mayName, isContent };
}

function endingKinds(word: string): readonly NamedKind[] {
  return ENDINGS.flatMap(([ending, kind]) => word.endsWith(ending) ? [kind] : []);
}

/** The longest key that is read, in UTF-16 code units. */
const MAX_KEY = 256;

const PLAIN_KEY = /^[\x20-\x7e]*$/;

/** The same for ASCII. An expression for all of Unicode takes a millisecond to compile, and most calls are plain. */
function plainWords(key: string): readonly string[] {
  const found = key.match(/[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  const words = found.map((word) => word.toLowerCase());
  return [...new Set([...words, ...key.toLowerCase().split(/[^a-z]+/).filter(Boolean)])];
}

/** The words of a key in lower case: `filePath`, `file-name`, `URLs` and `target_file` have two, two, one and two. */
export function keyWords(key: string): readonly string[] {
  if (key.length <= MAX_KEY && /^[a-z]+$/.test(key)) return [key];
  if (PLAIN_KEY.test(key)) return plainWords(key.slice(-MAX_KEY));
  const plain = key.slice(-MAX_KEY).normalize("NFKC").replace(
    /\p{Default_Ignorable_Code_Point}/gu,
    "",
  );
  const found = plain.match(/\p{Lu}{2,}s(?!\p{Ll})|\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+/gu) ??
    [];
  const words = found.map((word) => word.toLowerCase());
  // A key in mixed case may be no camel case at all: `fILEpATH`.
  return [...new Set([...words, ...plain.toLowerCase().split(/[^\p{L}]+/u).filter(Boolean)])];
}

/** The most keys of an input that are looked at for whether any names something. */
const MOST_LOOKED_AT = 32;

/** True for a text that is neither JSON with members nor a patch, by its first character. */
function isPlainText(text: string): boolean {
  const code = text === "" ? UNDERSCORE : text.charCodeAt(0);
  return code === UNDERSCORE || code >= 0x61 && code <= 0x7a || code >= 0x41 && code <= 0x5a ||
    code >= 0x30 && code <= 0x39;
}

const UNDERSCORE = 0x5f;

/** True if every value is a text, number or truth value, and no undescribed key or text can name anything: so for most inputs. */
export function namesNothingFurther(input: JsonObject, described: ReadonlySet<string>): boolean {
  const keys = Object.keys(input);
  if (keys.length > MOST_LOOKED_AT) return false;
  for (const key of keys) {
    const value = input[key];
    if (typeof value === "object" && value !== null) return false;
    if (described.size > 0 && described.has(key)) continue;
    if (keyMeaning(key) !== undefined || typeof value === "string" && !isPlainText(value)) {
      return false;
    }
  }
  return true;
}

/** The described keys by profile; those of undescribed tools are made for each call. */
const knownKeys = new WeakMap<ToolProfile, ReadonlySet<string>>();

/** The keys of a tool that nobody described. */
export const NO_KEYS: ReadonlySet<string> = new Set();

/** The keys that the profile of a tool describes: its first argument and its other fields. */
export function describedKeys(profile: ToolProfile): ReadonlySet<string> {
  if (profile.fields.length === 0 && !profile.firstArg && !profile.searches) return NO_KEYS;
  let keys = knownKeys.get(profile);
  if (keys === undefined) knownKeys.set(profile, keys = keysIn(profile));
  return keys;
}

function keysIn(profile: ToolProfile): ReadonlySet<string> {
  const { firstArg = [], fields, searches, isUntrusted } = profile;
  if (isUntrusted) return new Set();
  const { path = "", glob = "" } = searches ?? {};
  return new Set([...firstArg, ...fields, path, glob].filter((key) => key !== ""));
}
