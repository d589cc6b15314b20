import type { Json, JsonObject } from "../model/call.ts";
import { toolProfiles } from "../policy/compile/profiles.ts";
import { withoutHereDocuments } from "./here_documents.ts";
import { leftOut, noteOf } from "./left_out.ts";
import { findSecrets, MASK, type MaskedText } from "./mask_secrets.ts";
import { isSecretName } from "./secret_name.ts";

/** The limits of an input. */
export interface Bounds {
  /** UTF-16 code units of a text. */
  readonly text: number;
  /** Members of an object or array. */
  readonly members: number;
  /** `cleanText`, or a version that also takes out what is secret elsewhere in the call. */
  readonly clean: (text: string) => string;
  /** True if file contents are not left out; for a reader that has to judge them. */
  readonly keepsContents?: true;
  /** Called with each value that is masked or left out because of its place. */
  readonly onRemoved?: (removed: RemovedValue) => void;
}

/** A value of an input that the log does not have. */
interface RemovedValue {
  /** `secret`: its name or its neighbour announces it. `contents`: the contents of a file. */
  readonly as: "secret" | "contents";
  readonly value: Json;
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
  if (profile.class !== "edit" || bounds.keepsContents) {
    return keptObject(input, { bounds, depth: 0 });
  }
  const own = new Set(profile.firstArg ?? []);
  const members = Object.entries(input).map(([name, value]): readonly [string, Json] =>
    own.has(name) || isShort(value) || isContents(name)
      ? [name, value]
      : [name, withoutContents(value, bounds)]
  );
  return keptObject(objectOf(members), { bounds, depth: 0 });
}

/** The text for the audit log: cleaned, and without its middle if it is too long. */
export function keptText(text: string, { text: most, clean }: Omit<Bounds, "members">): string {
  return cutText(clean(text), most);
}

/** A text without here-documents and secrets; only both ends of a huge one. */
export function cleanText(text: string): string {
  return cleanedText(text).text;
}

/** A text as `cleanText` leaves it, with what it takes out. */
export interface CleanedText extends MaskedText {
  /** The bodies of here-documents. */
  readonly bodies: readonly string[];
}

/** Implements `cleanText`. */
export function cleanedText(text: string): CleanedText {
  const { text: own, bodies } = withoutHereDocuments(text);
  return { ...maskedEnds(own), bodies };
}

/** As `findSecrets`; only both ends of a huge text. */
export function maskedEnds(own: string): MaskedText {
  if (own.length <= SEARCHED) return findSecrets(own);
  const half = SEARCHED / 2;
  // A secret that is cut in two is no longer recognized by its format.
  const head = findSecrets(own.slice(0, wordStart(own, half)));
  const tail = findSecrets(own.slice(-half).replace(/^\S{1,4096}/, "").replace(CUT_KEY, MASK));
  return {
    text: `${head.text}${noteOf(own.length - SEARCHED, "character")}${tail.text}`,
    secrets: [...head.secrets, ...tail.secrets],
  };
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
      ? masked(value, bounds)
      : keptMember(name, { value, place: { bounds, depth: depth + 1 } }),
  ]);
  const more = members.length - kept.length;
  return objectOf(more > 0 ? [...kept, ["…", noteOf(more, "member")]] : kept);
}

function keptMember(name: string, { value, place }: { value: Json; place: Place }): Json {
  if (value !== null && isSecretName(name)) return masked(value, place.bounds);
  const isLeftOut = isContents(name) && !place.bounds.keepsContents;
  return isLeftOut ? withoutContents(value, place.bounds) : kept(value, place);
}

function kept(value: Json, place: Place): Json {
  if (typeof value === "string") return keptText(value, place.bounds);
  if (typeof value !== "object" || value === null) return value;
  if (place.depth >= DEPTH) return withoutContents(value, place.bounds);
  if (!Array.isArray(value)) return keptObject(value as JsonObject, place);
  const { bounds, depth } = place;
  const items = value.slice(0, bounds.members).map((each: Json, index) =>
    typeof each === "string" && isSecretText(value[index - 1])
      ? masked(each, bounds)
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

function masked(value: Json, { onRemoved }: Bounds): Json {
  onRemoved?.({ as: "secret", value });
  return MASK;
}

function withoutContents(value: Json, { onRemoved }: Bounds): Json {
  onRemoved?.({ as: "contents", value });
  return leftOut(value);
}

/** `__proto__` is a name like any other. */
function objectOf(members: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(members);
}
