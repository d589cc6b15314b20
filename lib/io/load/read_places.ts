import type { SourceKind } from "../../model/call.ts";
import { errorAt, type Span } from "../../model/problem.ts";
import type { PolicyFile, SourceEntry } from "../../model/rule.ts";
import { isWorkspaceFile } from "../../policy/sources/entry_text.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import { type Place, PROJECT_FILE, type Surroundings } from "../../policy/sources/source.ts";
import { deadLink, notFound } from "../runtime/file_fault.ts";
import { kindAt } from "./load_looks.ts";
import { collecting, FileError, type Runtime } from "../runtime/runtime.ts";

/** The contents of all sources' places. */
export interface ReadPlaces {
  /** One entry for each place that could be read, highest first; files are not decoded yet. */
  readonly entries: readonly SourceEntry[];
  /** The text of each file that was read, by its path, a byte order mark kept. */
  readonly texts: ReadonlyMap<string, string>;
  /** The errors of the others. */
  readonly errors: readonly FileError[];
}

/**
 * Reads every place of every source; workspace files are not trusted yet. Throws SourceError if the environment does not
 * define the path of a source.
 */
export function readPlaces(
  runtime: Runtime,
  surroundings: Surroundings,
  { files }: { readonly files: PolicyFiles },
): ReadPlaces {
  const errors: FileError[] = [];
  const texts = new Map<string, string>();
  const entries = SOURCES.flatMap(({ kind, places }) => {
    return places(surroundings).flatMap((place) => {
      return collecting(errors, () => entryAt(place, { kind, runtime, texts, files })) ??
        [];
    });
  });
  return { entries, texts, errors };
}

interface Reading {
  readonly kind: SourceKind;
  readonly runtime: Runtime;
  readonly texts: Map<string, string>;
  readonly files: PolicyFiles;
}

function entryAt(place: Place, reading: Reading): SourceEntry {
  const { kind } = reading;
  const base = { kind, path: place.path, trusted: !isWorkspaceFile(kind) };
  switch (place.kind) {
    case "off":
    case "absent":
      return { ...base, state: place.kind, note: place.note };
    case "rules":
      return { ...base, state: "read", rules: place.rules };
    case "file": {
      const text = reading.files.read(reading.runtime, { ...place, kind });
      if (text === undefined) {
        if (kind === "project") checkFolder(reading.runtime, place.path);
        return { ...base, state: "absent" };
      }
      reading.texts.set(place.path, text);
      const shown = text.startsWith("\ufeff") ? text.slice(1) : text;
      return { ...base, state: "read", text: shown };
    }
  }
}

/** Throws FileError if something else has the place of a workspace's policy folder: its rules may have been there. */
function checkFolder(runtime: Runtime, path: string): void {
  const folder = path.slice(0, -`/${PROJECT_FILE}`.length);
  const kind = runtime.stat(folder);
  if (kind === undefined || kind === "directory") return;
  const message =
    `Cannot read "${folder}": it is not a folder, and the workspace's rules belong in it`;
  throw new FileError(message, { path: folder, fault: "not-a-file" });
}

/**
 * The most that the policy files of workspaces hold together, of all folders that one call is answered by. Reading takes steps that no
 * clock interrupts, and an agent runs a call whose hook is late: so a clone must not make it late. Parts are keys, values and
 * tables.
 */
export const WORKSPACE_BOUND = { bytes: 1_048_576, parts: 60_000, rules: 10_000 } as const;

/** The most folders with a policy that one call is answered by. */
export const MOST_FOLDERS = 16;

/** A file to read. */
export interface PolicyPlace {
  readonly kind: SourceKind;
  readonly path: string;
  /** True if the user named it, so that it must be there. */
  readonly named: boolean;
}

/** The decoders of texts in the plain way. */
type FastDecoders = Pick<
  typeof import("../../policy/decode/decode_fast.ts"),
  "decodeCounted" | "decodeFast"
>;

/** The policy files of one run, each read and decoded once; those of workspaces together are bounded. */
export class PolicyFiles {
  readonly #texts = new Map<string, string>();
  readonly #decoded = new Map<string, PolicyFile>();
  readonly #tooLarge = new Map<string, PolicyFile>();
  /** Texts of workspaces whose parts are not counted yet. */
  readonly #uncounted: string[] = [];
  readonly #left: { bytes: number; parts: number; rules: number };

  constructor(bound: typeof WORKSPACE_BOUND = WORKSPACE_BOUND) {
    this.#left = { ...bound };
  }

  /** A file's text, empty for one beyond the bound; undefined if it is missing. Throws FileError, also for a dead link. */
  read(runtime: Runtime, place: PolicyPlace): string | undefined {
    const known = this.#texts.get(place.path);
    if (known !== undefined) return known;
    const text = isWorkspaceFile(place.kind)
      ? this.#readBounded(runtime, place)
      : readPlace(runtime, place);
    if (text !== undefined) this.#texts.set(place.path, text);
    return text;
  }

  #readBounded(runtime: Runtime, place: PolicyPlace): string | undefined {
    try {
      const text = readPlace(runtime, { ...place, most: this.#left.bytes });
      if (text !== undefined) this.#left.bytes -= new TextEncoder().encode(text).length;
      return text;
    } catch (error) {
      if (!(error instanceof FileError) || error.fault !== "too-large") throw error;
      this.#tooLarge.set(place.path, tooLarge("bytes", START));
      return "";
    }
  }

  /** The contents of a file that was read. */
  async decode(
    { kind, path, text }: {
      readonly kind: SourceKind;
      readonly path: string;
      readonly text: string;
    },
    decoders: FastDecoders,
  ): Promise<PolicyFile> {
    const known = this.#tooLarge.get(path) ?? this.#decoded.get(path);
    if (known !== undefined) return known;
    const file = isWorkspaceFile(kind)
      ? await this.#decodeBounded(text, decoders)
      : decoders.decodeFast(text) ?? await decodeFully(text);
    this.#decoded.set(path, file);
    return file;
  }

  async #decodeBounded(text: string, decoders: FastDecoders): Promise<PolicyFile> {
    const file = this.#plainFile(text, decoders) ?? await this.#otherFile(text);
    const more = file.rules[this.#left.rules];
    if (more !== undefined) return tooLarge("rules", more.span);
    this.#left.rules -= file.rules.length;
    return file;
  }

  /** A file in the plain way, whose one pass counts its parts too; undefined for any other, and for one beyond the bound. */
  #plainFile(text: string, { decodeCounted }: FastDecoders): PolicyFile | undefined {
    const plain = decodeCounted(text);
    if (plain === undefined || plain.parts > this.#left.parts) return undefined;
    this.#left.parts -= plain.parts;
    return plain.file;
  }

  async #otherFile(text: string): Promise<PolicyFile> {
    const beyond = await this.#countParts(text);
    if (beyond !== undefined) return tooLarge("parts", beyond);
    return await decodeFully(text);
  }

  /** Takes the parts of a text from the bound. Returns the first that is one too many. */
  async #countParts(text: string): Promise<Span | undefined> {
    this.#uncounted.push(text);
    const length = this.#uncounted.reduce((sum, each) => sum + each.length, 0);
    // Each part has a character at least, so that most texts need no look.
    if (length <= this.#left.parts) return undefined;
    const { countParts } = await import("../../text/toml_parts.ts");
    const { spansOf } = await import("../../text/text_lines.ts");
    for (const each of this.#uncounted.splice(0)) {
      const { parts, at } = countParts(each, this.#left.parts);
      if (at !== undefined) return spansOf(text)(at, at + 1);
      this.#left.parts -= parts;
    }
    return undefined;
  }
}

const START: Span = { start: 0, end: 0, line: 1, column: 1 };

const NAMES = { bytes: "bytes", parts: "keys, values and tables", rules: "rules" } as const;

/** A file of a workspace that is not read further. */
function tooLarge(bound: keyof typeof WORKSPACE_BOUND, span: Span): PolicyFile {
  const most = `${WORKSPACE_BOUND[bound].toLocaleString("en-US")} ${NAMES[bound]}`;
  const message =
    `Cannot read the file: the policy files of a workspace hold no more than ${most} together`;
  const hint =
    "Remove rules, or replace many by one with a wildcard; your own file has no such bound";
  const problems = [errorAt(span, { id: "too-large", message, hint })];
  return { shape: "none", rules: [], settings: {}, tools: new Map(), problems };
}

/** Decodes any text by a parser that is slow to start, so that it is loaded only if the fast decoders fail. */
async function decodeFully(text: string): Promise<PolicyFile> {
  const { decodeFully } = await import("../../policy/decode/decode_policy.ts");
  return decodeFully(text);
}

/** Reads a file; undefined if it is missing, unless it was named by the user. Throws FileError, also for a dead link. */
export function readPlace(
  runtime: Runtime,
  { path, named, most }: {
    readonly path: string;
    readonly named: boolean;
    /** The most bytes that it may have. */
    readonly most?: number;
  },
): string | undefined {
  const kind = kindAt(runtime, path);
  if (kind === "dead") throw deadLink(path, named ? "not-found" : "other");
  if (kind !== undefined) return runtime.readText(path, most);
  if (named) throw notFound(path, "read");
  return undefined;
}
