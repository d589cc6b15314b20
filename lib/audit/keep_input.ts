import type { Json, JsonObject } from "../model/call.ts";
import { toolProfiles } from "../policy/compile/profiles.ts";
import { MASK, maskSecrets } from "./mask_secrets.ts";
import { isSecretName } from "./secret_name.ts";

/** The limits of an input. */
export interface Bounds {
  /** UTF-16 code units of a text. */
  readonly text: number;
  /** Members of an object or array. */
  readonly members: number;
  /** `cleanText`, or a cached version. */
  readonly clean: (text: string) => string;
}

/** Names of fields that hold file contents, in lower case without `_` and `-`. */
const CONTENTS: ReadonlySet<string> = new Set(
  ("content contents filecontent filecontents filetext newstring oldstring newstr oldstr newtext oldtext newsource " +
    "oldsource newcontent oldcontent inserttext edits patch diff data blob").split(" "),
);

/**
 * The longest text kept of a tool that edits, in UTF-16 code units: an id or a mode, but not a file.
 */
const SHORT = 40;

const DEPTH = 6;

/** Longer texts are searched for secrets only at both ends, in UTF-16 code units. */
const SEARCHED = 1 << 16;

const PROFILES = toolProfiles(new Map());

/**
 * The input of a call for the audit log: file contents left out, secrets masked, texts and lists cut, each with a note in
 * its place. Never throws.
 */
export function keptInput(
  { tool, input }: { readonly tool: string; readonly input: JsonObject },
  bounds: Bounds,
): JsonObject {
  const profile = PROFILES.get(tool);
  if (profile.class !== "edit") return keptObject(input, { bounds, depth: 0 });
  const own = new Set(profile.firstArg ?? []);
  const members = Object.entries(input).map(([name, value]): readonly [string, Json] =>
    own.has(name) || isShort(value) || isContents(name) ? [name, value] : [name, leftOut(value)]
  );
  return keptObject(objectOf(members), { bounds, depth: 0 });
}

/** The text for the audit log: cleaned, and without its middle if it is too long. */
export function keptText(text: string, { text: most, clean }: Omit<Bounds, "members">): string {
  return cutText(clean(text), most);
}

/** A text without here-documents and secrets; only both ends of a huge one. */
export function cleanText(text: string): string {
  const own = withoutHereDocuments(text);
  if (own.length <= SEARCHED) return maskSecrets(own);
  const half = SEARCHED / 2;
  // A secret that is cut in two is no longer recognized by its format.
  const head = maskSecrets(own.slice(0, wordStart(own, half)));
  const tail = maskSecrets(own.slice(-half).replace(/^\S{1,4096}/, "").replace(CUT_KEY, MASK));
  return `${head}${noteOf(own.length - SEARCHED, "character")}${tail}`;
}

/** The start of the word around a place, if it is near. */
function wordStart(text: string, place: number): number {
  let at = place;
  while (at > place - 4096 && !/\s/.test(text[at - 1] ?? " ")) at--;
  return at;
}

/** The end of a private key whose beginning was cut. */
const CUT_KEY = /^(?:(?!-----BEGIN )[^])*?-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/;

/** Both ends of a text that is too long, so that nothing hides behind a long beginning. */
function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 3);
  const left = noteOf(text.length - most, "character");
  return `${text.slice(0, most - tail)}${left}${text.slice(text.length - tail)}`;
}

interface Place {
  readonly bounds: Bounds;
  readonly depth: number;
}

function keptObject(input: JsonObject, { bounds, depth }: Place): JsonObject {
  const members = Object.entries(input);
  const isSecret = members.some(([key, value]) => NAMES.test(key) && isSecretText(value));
  const kept = members.slice(0, bounds.members).map(([name, value]): readonly [string, Json] => [
    keptText(name, { ...bounds, text: Math.min(bounds.text, 100) }),
    isSecret && VALUES.test(name)
      ? MASK
      : keptMember(name, { value, place: { bounds, depth: depth + 1 } }),
  ]);
  const more = members.length - kept.length;
  return objectOf(more > 0 ? [...kept, ["…", noteOf(more, "member")]] : kept);
}

function keptMember(name: string, { value, place }: { value: Json; place: Place }): Json {
  if (value !== null && isSecretName(name)) return MASK;
  return isContents(name) ? leftOut(value) : kept(value, place);
}

function kept(value: Json, place: Place): Json {
  if (typeof value === "string") return keptText(value, place.bounds);
  if (typeof value !== "object" || value === null) return value;
  if (place.depth >= DEPTH) return leftOut(value);
  if (!Array.isArray(value)) return keptObject(value as JsonObject, place);
  const { bounds, depth } = place;
  const items = value.slice(0, bounds.members).map((each: Json, index) =>
    typeof each === "string" && isSecretText(value[index - 1])
      ? MASK
      : kept(each, { bounds, depth: depth + 1 })
  );
  const more = value.length - items.length;
  return more > 0 ? [...items, noteOf(more, "item")] : items;
}

/**
 * Members that name the contents of another one, as `{"name": "API_KEY", "value": …}`, and those others.
 */
const NAMES = /^(?:name|key|header|variable|field)$/i;
const VALUES = /^(?:value|values|val|default)$/i;

/** True if a text is the name of a secret, as `--password` in a list before its value. */
function isSecretText(value: Json | undefined): boolean {
  return typeof value === "string" && /^-{0,2}[A-Za-z][\w.-]{0,80}$/.test(value) &&
    isSecretName(value.replace(/^-+/, ""));
}

function isContents(name: string): boolean {
  return CONTENTS.has(name.toLowerCase().replaceAll(/[_-]/g, ""));
}

function isShort(value: Json): boolean {
  if (typeof value === "string") return value.length <= SHORT && !value.includes("\n");
  return typeof value !== "object" || value === null;
}

/** The note in place of a value that is left out. */
function leftOut(value: Json): Json {
  if (typeof value === "string") return noteOf(value.length, "character");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return noteOf(value.length, "item");
  return noteOf(Object.keys(value).length, "member");
}

/** `__proto__` is a name like any other. */
function objectOf(members: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(members);
}

/** The opening of a here-document: `<<EOF`, `<<-'EOF'`, `<<"EOF"`, `<<\EOF`; not `<<<`. */
const OPENER = /(?<!<)<<(?!<)-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.+-]+))/g;

/**
 * A command without the bodies of its here-documents, which are file contents: `[3 lines left out]` replaces each. A body
 * without an end stays. Never throws.
 */
export function withoutHereDocuments(command: string): string {
  if (!command.includes("<<") || !command.includes("\n")) return command;
  const lines = command.split("\n");
  const places = placesOf(lines);
  const kept: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    kept.push(lines[at] ?? "");
    for (const delimiter of delimitersIn(lines[at] ?? "")) {
      const end = nextPlace(places.get(delimiter), at);
      if (end === undefined) break;
      if (end > at + 1) kept.push(noteOf(end - at - 1, "line"));
      kept.push(lines[end] ?? "");
      at = end;
    }
  }
  return kept.join("\n");
}

function delimitersIn(line: string): readonly string[] {
  return [...line.matchAll(OPENER)].map(([, single, double, bare]) =>
    single ?? double ?? bare ?? ""
  );
}

/** The first of the places after `at`. Earlier places are dropped, because `at` only grows. */
function nextPlace(places: number[] | undefined, at: number): number | undefined {
  while (places !== undefined && (places.at(-1) ?? Infinity) <= at) places.pop();
  return places?.at(-1);
}

/** The numbers of the lines that could end a here-document, last first, by their text without tabs before it. */
function placesOf(lines: readonly string[]): ReadonlyMap<string, number[]> {
  const places = new Map<string, number[]>();
  for (let index = lines.length - 1; index >= 0; index--) {
    const text = (lines[index] ?? "").replace(/^\t+/, "").replace(/\r$/, "");
    if (!/^[^\s].{0,200}$/.test(text)) continue;
    const known = places.get(text);
    if (known === undefined) places.set(text, [index]);
    else known.push(index);
  }
  return places;
}

/** The note in place of text that is left out: `[1 line left out]`. */
function noteOf(count: number, noun: "character" | "line" | "item" | "member"): string {
  return `[${count} ${noun}${count === 1 ? "" : "s"} left out]`;
}
