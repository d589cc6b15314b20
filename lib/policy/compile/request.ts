import type { Json, JsonObject, ShellMode, ToolCall, ToolProfile } from "../../model/call.ts";
import {
  type CallPath,
  callPath,
  type GitRepository,
  isInside,
  joinedPaths,
  type PathContext,
} from "../../pattern/path/call_path.ts";
import { furtherFolders } from "./call_folders.ts";
import { expandShellGlob, splitGlob } from "../../pattern/path/shell_glob.ts";
import { type CallUrl, callUrl } from "../../pattern/url/call_url.ts";
import type { CommandLine, Effect } from "../../shell/effect.ts";
import type { Shell } from "../../shell/parse/shell.ts";
import type { ToolProfiles } from "./profiles.ts";
import { isJsonObject } from "../../text/json_value.ts";

/** A field of a call, as patterns see it. */
export type FieldText =
  | { readonly state: "text"; readonly text: string }
  /** The field is not there. */
  | { readonly state: "missing" }
  /** The tool is known to have no such argument. */
  | { readonly state: "none" }
  /** The field cannot be compared; `detail` says why. */
  | { readonly state: "unknown"; readonly detail: string };

/** One thing that a command line does, as rules see it. */
export interface LineEffect {
  /** The unit. */
  readonly effect: Effect;
  readonly line: CommandLine;
}

/** Parses a command line of a shell, `posix` if left out, with the policy's own wrappers and programs. */
export type ParseCommand = (
  text: string,
  shell: Shell | undefined,
  options?: { readonly hasPlainNames: true },
) => CommandLine;

/** The policy's side of a request. */
export interface RequestOptions {
  readonly profiles: ToolProfiles;
  /** The call's own folder, else the policy's; absolute. */
  readonly cwd: string;
  /** Further folders that the call may run in, since its input names them; "" for one that is unknown. */
  readonly folders?: readonly string[];
  /** Set if `cwd` is made of a folder that the input names: that one is not looked for below it again. */
  readonly isPlaced?: boolean;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  readonly parse: ParseCommand;
  /** The `shell` setting. */
  readonly shell: ShellMode;
}

/**
 * A call together with everything that rules ask about it. Each fact is computed once, on first use; the command line is
 * parsed here and nowhere else, so that all who ask see the same one.
 */
export class Request {
  readonly call: ToolCall;
  /** The profile of the call's tool. */
  readonly profile: ToolProfile;
  /** The one effect of the command line that this request is about; absent for the call as a whole. */
  readonly part: LineEffect | undefined;
  /** The key of a command tool's field for the folder of the call, if that folder cannot be resolved. */
  readonly unknownFolder: string | undefined;
  readonly #options: RequestOptions;
  readonly #paths = new Map<string, CallPath>();
  readonly #urls = new Map<string, CallUrl>();
  #first: FieldText | undefined;
  #line: CommandLine | undefined;

  /** Made by `Policy.request`. */
  constructor(call: ToolCall, options: RequestOptions, part?: LineEffect) {
    this.call = call;
    this.profile = options.profiles.get(call.tool);
    this.part = part;
    const isLine = this.profile.kind === "command" && part === undefined;
    const named = isLine ? furtherFolders(call.input, options) : [];
    const folders = [...options.folders ?? [], ...named.map(({ folder }) => folder ?? "")];
    this.#options = named.length === 0 ? options : { ...options, folders };
    this.unknownFolder = named.find(({ folder }) => folder === undefined)?.key;
  }

  /** The folder that the call runs in. */
  get cwd(): string {
    return this.#options.cwd;
  }

  /** The same call, narrowed to one effect of its command line. */
  of(part: LineEffect): Request {
    const request = new Request(this.call, this.#options, part);
    request.#first = this.first;
    return request;
  }

  /** A call of another tool that this call amounts to as well: a file that it reads, writes or fetches. */
  withTool(tool: string, input: JsonObject): Request {
    return new Request({ ...this.call, tool, input }, this.#options);
  }

  /** A line that the call runs as well, in a folder that it names. */
  withCommand(command: string, folder?: string): Request {
    return this.withTool("Bash", { command, ...(folder === undefined ? {} : { cwd: folder }) });
  }

  /** Another text, read as the policy reads command lines. */
  parse(text: string): CommandLine {
    const { shell } = this.profile;
    return this.#options.parse(text, shell === "other" ? undefined : shell);
  }

  /** The command line as rules see it; undefined without one, and where `shell = "literal"` makes it one string. */
  get line(): CommandLine | undefined {
    return this.#options.shell === "literal" ? undefined : this.parsedLine;
  }

  /** The command line whatever the `shell` setting; undefined for other tools, shells that are not POSIX, and no text. */
  get parsedLine(): CommandLine | undefined {
    if (this.part) return this.part.line;
    const { profile, first } = this;
    if (profile.kind !== "command" || profile.shell === "other" || first.state !== "text") {
      return undefined;
    }
    return this.#line ??= this.#read(first.text, profile.shell);
  }

  /** Reads a line; more exactly if the files that it names have plain names. */
  #read(text: string, shell: Shell | undefined): CommandLine {
    const { parse, context } = this.#options;
    const line = parse(text, shell);
    const { plainNames } = line;
    if (!plainNames || !context.listFolder || plainNames.length > MAX_GLOBS) return line;
    const arePlain = plainNames.every((glob) => this.expand(glob)?.every(isPlainPath) ?? false);
    return arePlain ? parse(text, shell, { hasPlainNames: true }) : line;
  }

  /** The files that a glob of a command line names now, seen as it is written; undefined if that is unknown. */
  expand(glob: string): readonly string[] | undefined {
    const { context: { listFolder, platform } } = this.#options;
    const { head, rest } = splitGlob(glob);
    const folder = this.path(head === "" ? "." : head);
    if (!listFolder || platform === "windows" || !folder.ok) return undefined;
    const start = head === "" || head === "/" ? head : `${head}/`;
    const all: string[] = [];
    for (const { root } of folder.forms) {
      const below = expandShellGlob(`/${root}`, rest, listFolder);
      if (below === undefined) return undefined;
      const length = root === "" ? 1 : root.length + 2;
      all.push(...below.map((path) => start + path.slice(length)));
    }
    return [...new Set(all)];
  }

  /** True if an effect needs no allow rule of its own beside an allowed command: a `cd` only within the workspace. */
  isHarmless({ isHarmless }: Effect): boolean {
    return typeof isHarmless === "boolean" ? isHarmless : this.areInside(isHarmless.folders);
  }

  /** True if folders, seen from that of the call, are certainly in the workspace. */
  areInside(folders: readonly string[]): boolean {
    return folders.every((folder) => isInside(this.path(folder)));
  }

  /** The first argument, in whichever spelling the call has it. */
  get first(): FieldText {
    return this.#first ??= this.#readFirst();
  }

  /** A field by its dotted path; numbers and booleans as their JSON text. */
  field(key: string): FieldText {
    const field = readField(this.call.input, key);
    switch (field.state) {
      case "missing":
        return { state: "missing" };
      case "unclear":
        return { state: "unknown", detail: field.detail };
      case "value":
        return requestText(field.value, key);
    }
  }

  /** The text read as a path, in every folder that the call may run in. */
  path(raw: string): CallPath {
    let path = this.#paths.get(raw);
    if (!path) {
      const { cwd, context, folders = [] } = this.#options;
      const all = [cwd, ...folders].map((folder) => callPath(raw, { cwd: folder, context }));
      this.#paths.set(raw, path = joinedPaths(all));
    }
    return path;
  }

  /** True if repositories are looked for on this machine. */
  get looksForRepositories(): boolean {
    return this.#options.context.gitRepository !== undefined;
  }

  /** The repository that git uses in a folder; of several readings of its path the worst. */
  repository(folder: string): GitRepository {
    const { context } = this.#options;
    const path = this.path(folder === "" ? "." : folder);
    if (!path.ok) return "foreign";
    const { gitRepository } = context;
    if (!gitRepository) return this.#unseenRepository(folder, path);
    const found = path.forms.map(({ root }) =>
      gitRepository(/^[A-Za-z]:/.test(root) ? root : `/${root}`)
    );
    return found.find((each) => each === "foreign") ?? found.find((each) => each === "above") ??
      "here";
  }

  /** Without a look at the machine, the workspace and a folder of the call outside of it have a repository of their own. */
  #unseenRepository(folder: string, { forms }: CallPath & { readonly ok: true }): GitRepository {
    const isOwn = forms.every(({ workspace }) =>
      workspace === "" || workspace === undefined && folder === ""
    );
    return isOwn ? "here" : "foreign";
  }

  /** The text read as a URL. */
  url(raw: string): CallUrl {
    let url = this.#urls.get(raw);
    if (!url) this.#urls.set(raw, url = callUrl(raw));
    return url;
  }

  #readFirst(): FieldText {
    const { firstArg, name } = this.profile;
    if (firstArg === undefined) {
      return { state: "unknown", detail: `the first argument of ${name} is unknown` };
    }
    if (firstArg.length === 0) return { state: "none" };
    const fields = firstArg.map((key) => ({ key, field: readField(this.call.input, key) }));
    const unclear = fields.find(({ field }) => field.state === "unclear")?.field;
    if (unclear?.state === "unclear") return { state: "unknown", detail: unclear.detail };
    const found = fields.flatMap(({ key, field }) =>
      field.state === "value" ? [{ key, value: field.value }] : []
    );
    const [one, ...others] = found;
    if (one === undefined) return { state: "unknown", detail: `the call has no "${firstArg[0]}"` };
    const other = others.find(({ value }) => value !== one.value);
    if (other) return { state: "unknown", detail: `"${one.key}" and "${other.key}" differ` };
    if (typeof one.value !== "string") {
      return { state: "unknown", detail: `"${one.key}" is not a string` };
    }
    return { state: "text", text: one.value };
  }
}

/** The most globs of a line whose names are looked up. */
const MAX_GLOBS = 8;

/** True for a path that shells and xargs take for one word, no part of which is an option. */
function isPlainPath(path: string): boolean {
  return /^(?!-)(?:[\p{L}\p{N}_@%+=:,./-])+$/u.test(path) && !path.includes("/-");
}

function requestText(value: Json, key: string): FieldText {
  if (typeof value === "string") return { state: "text", text: value };
  if (typeof value === "number" || typeof value === "boolean") {
    return { state: "text", text: JSON.stringify(value) };
  }
  const kind = value === null ? "null" : Array.isArray(value) ? "an array" : "an object";
  return { state: "unknown", detail: `"${key}" is ${kind}` };
}

/** The value at a dotted path; `unclear` behind an array, and where two members have that path. */
type FieldValue =
  | { readonly state: "value"; readonly value: Json }
  | { readonly state: "missing" }
  | { readonly state: "unclear"; readonly detail: string };

/**
 * The value at a dotted path, own members only. A member whose name has the dots in it counts too; where both are there
 * they must agree.
 */
export function readField(input: JsonObject, key: string): FieldValue {
  let value: Json | undefined = input;
  for (const name of key.split(".")) {
    if (Array.isArray(value)) {
      return { state: "unclear", detail: `"${key}" passes through an array` };
    }
    value = isJsonObject(value) ? own(value, name) : undefined;
  }
  const direct = key.includes(".") ? own(input, key) : undefined;
  if (value !== undefined && direct !== undefined && value !== direct) {
    return { state: "unclear", detail: `"${key}" appears twice` };
  }
  const found = value === undefined ? direct : value;
  return found === undefined ? { state: "missing" } : { state: "value", value: found };
}

function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
