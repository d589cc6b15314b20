import type { JsonObject, ToolCall, ToolProfile } from "../../model/call.ts";
import {
  type CallPath,
  callPath,
  type GitRepository,
  type GitState,
  isInside,
  joinedPaths,
  type ProgramLook,
  unknownPath,
} from "../../pattern/path/call_path.ts";
import {
  furtherFolders,
  NO_FOLDERS,
  unknownAmong,
  unseenRepository,
  withFolders,
} from "./call_folders.ts";
import { alikeFiles } from "../../pattern/path/alike_files.ts";
import { endingFiles } from "../../pattern/path/ending_files.ts";
import {
  ANY_CHANGE,
  AS_WRITTEN,
  isPlainReading,
  type PathReading,
  pathReadings,
  URL_CHANGES,
} from "../../pattern/path/path_readings.ts";
import type { FoundRules, LineEffect, NamedTool, RequestOptions } from "./request_options.ts";
import { asWritten, CallPaths } from "./request_options.ts";
import { type BelowOptions, filesBelow } from "../../pattern/path/files_below.ts";
import {
  expandShellGlob,
  isMissing,
  isPlainPath,
  MAX_GLOBS,
  splitGlob,
} from "../../pattern/path/shell_glob.ts";
import { type CallUrl, callUrl } from "../../pattern/url/call_url.ts";
import type { CommandLine, Effect } from "../../shell/effect.ts";
import type { Shell } from "../../shell/parse/shell.ts";
import { type FieldText, fieldText, firstField, readField } from "./input_fields.ts";

/**
 * A call together with everything that rules ask about it. Each fact is computed once, on first use; the command line is
 * parsed here and nowhere else, so that all who ask see the same one.
 */
export class Request {
  readonly call: ToolCall;
  /** The profile of the call's tool. */
  readonly profile: ToolProfile;
  /** The call's tool, with the facts that each call asks for. */
  readonly tool: NamedTool;
  /** The one effect of the command line that this request is about; absent for the call as a whole. */
  readonly part: LineEffect | undefined;
  /** The key of a command tool's field for the folder of the call, if that folder cannot be resolved. */
  readonly unknownFolder: string | undefined;
  /** The reading of its paths and URLs. */
  readonly reading: PathReading;
  /** The rules that an index of them found for it last; those of a part are kept with the part. */
  rules: FoundRules | undefined;
  readonly #options: RequestOptions;
  #paths: CallPaths | undefined;
  #urls: Map<string, CallUrl> | undefined;
  #first: FieldText | undefined;
  #line: CommandLine | undefined;

  /** Made by `Policy.request`. */
  constructor(call: ToolCall, options: RequestOptions, part?: LineEffect) {
    this.call = call;
    this.tool = options.tools.named(call.tool);
    this.profile = this.tool.profile;
    this.part = part;
    const { isCommand } = this.tool;
    // A shell opens the very words of a line.
    this.reading = isCommand ? AS_WRITTEN : options.reading ?? ANY_CHANGE;
    const isLine = isCommand && part === undefined;
    const named = isLine ? furtherFolders(call.input, options) : NO_FOLDERS;
    const placed = named.length === 0 ? options : withFolders(options, named);
    this.#options = isLine ? asWritten(placed) : placed;
    this.unknownFolder = unknownAmong(named);
  }

  /** The folder that the call runs in. */
  get cwd(): string {
    return this.#options.cwd;
  }

  /** The same call, narrowed to one effect of its command line. */
  of(part: LineEffect): Request {
    const request = new Request(this.call, this.#options, part);
    request.#first = this.first;
    request.#paths = this.#paths ??= new CallPaths();
    return request;
  }

  /** A call of another tool that this call amounts to as well: a file that it reads, writes or fetches. */
  withTool(tool: string, input: JsonObject): Request {
    const { reading } = this;
    const given = this.#options;
    const options = given.reading === reading ? given : { ...given, reading };
    const { cwd } = this.call;
    const call = cwd === undefined ? { tool, input } : { tool, input, cwd };
    const request = new Request(call, options);
    // A path is the same to each.
    if (request.profile.kind !== "command") request.#paths = this.#paths ??= new CallPaths();
    return request;
  }

  /** The same for a file of a path. */
  withPath(tool: "Read" | "Write", path: string): Request {
    const request = this.withTool(tool, { path });
    if (request.profile.firstArg?.includes("path")) request.#first = { state: "text", text: path };
    return request;
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

  /** The command line under any `shell` setting; undefined for other tools, shells that are not POSIX, and no text. */
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
      if (isMissing(`/${root}`, listFolder)) continue;
      const below = expandShellGlob(`/${root}`, rest, listFolder);
      if (below === undefined) return undefined;
      const length = root === "" ? 1 : root.length + 2;
      all.push(...below.map((path) => start + path.slice(length)));
    }
    return [...new Set(all)];
  }

  /** The files below a folder that a search reads now; undefined if they are too many or cannot be listed. */
  filesBelow(folder: string, options: BelowOptions): readonly string[] | undefined {
    const { context: { listFolder, textOf, platform } } = this.#options;
    const path = this.path(folder);
    if (!listFolder || platform === "windows" || !path.ok) return undefined;
    const homes = options.skipsHidden
      ? this.path("~").forms.filter(({ home }) => home === "").map(({ root }) => `/${root}`)
      : [];
    const looks = { listFolder, homes, ...(textOf ? { textOf } : {}) };
    return filesBelow(path.forms.map(({ root }) => `/${root}`), { ...options, ...looks });
  }

  /** True if the name of a program leads to one outside of the workspace and of temporary folders; false if that is unknown. */
  isSystemProgram(name: string, options?: ProgramLook): boolean {
    return this.#options.context.isSystemProgram?.(name, options) ?? false;
  }

  /** The text of a file, by its absolute path; null if none is there, undefined if that is unknown. */
  textOf(path: string): string | null | undefined {
    return this.#options.context.textOf?.(path);
  }

  /** True if a program has everything that it needs in a folder, an absolute path; false if that is unknown. */
  hasPackages(look: string, folder: string): boolean {
    return this.#options.context.hasPackages?.(look, folder) ?? false;
  }

  /** The names in a folder, by its absolute path; none if it cannot be listed. */
  namesIn(folder: string): readonly string[] {
    return this.#options.context.listFolder?.(folder)?.map(({ name }) => name) ?? [];
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
    return this.#first ??= firstField(this.profile, this.call.input);
  }

  /** A field by its dotted path; numbers and booleans as their JSON text. */
  field(key: string): FieldText {
    const field = readField(this.call.input, key);
    if (field.state === "value") return fieldText(field.value, key);
    return field.state === "missing" ? field : { state: "unknown", detail: field.detail };
  }

  /** The text read as a path, in every folder that the call may run in and in every reading of the agent's tools. */
  path(raw: string): CallPath {
    let path = this.#paths?.get(raw);
    if (!path) (this.#paths ??= new CallPaths()).set(raw, path = this.#readPath(raw));
    return path;
  }

  #readPath(raw: string): CallPath {
    const { cwd, context, folders = [] } = this.#options;
    const isSingle = folders.length === 0 &&
      (this.reading === AS_WRITTEN || !this.reading.finds && isPlainReading(raw));
    if (isSingle) return callPath(raw, { cwd, context });
    const { texts, isCut } = pathReadings(raw, this.reading);
    const mayBeAlike = this.reading.changes.includes("blanks");
    if (folders.length === 0 && texts.length === 1 && !this.reading.finds && !isCut) {
      const alike = mayBeAlike ? alikeFiles(raw, { cwd, context }) : [];
      if (alike.length === 0) return callPath(raw, { cwd, context });
    }
    const all = texts.flatMap((text) =>
      [cwd, ...folders].map((folder) => callPath(text, { cwd: folder, context }))
    );
    const { finds } = this.reading;
    const found = finds ? texts.map((text) => endingFiles(text, { cwd, context })) : [];
    const alike = mayBeAlike ? texts.flatMap((text) => alikeFiles(text, { cwd, context })) : [];
    const others = [...found.flat(), ...alike].flatMap((path) => path === undefined ? [] : [path]);
    const joined = joinedPaths([...all, ...others.map((path) => callPath(path, { cwd, context }))]);
    if (isCut) return unknownPath(joined, "it can be read in too many ways");
    return found.includes(undefined)
      ? unknownPath(joined, "the agent may find another file of that name")
      : joined;
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
    if (!gitRepository) return unseenRepository(folder, path);
    let worst: GitRepository = "here";
    for (const { root } of path.forms) {
      const isDrive = root[1] === ":" && /^[A-Za-z]:/.test(root);
      const found = gitRepository(isDrive ? root : `/${root}`);
      if (found === "foreign" || worst === "here") worst = found;
    }
    return worst;
  }

  /** The repositories that git may use in a folder, by the readings of its path; undefined if that is unknown. */
  gitState(folder: string): readonly GitState[] | undefined {
    const { context: { gitState } } = this.#options;
    const path = this.path(folder === "" ? "." : folder);
    if (!gitState || !path.ok) return undefined;
    return path.forms.flatMap(({ root }) =>
      gitState(/^[A-Za-z]:/.test(root) ? root : `/${root}`) ?? []
    );
  }

  /** The text read as a URL. */
  url(raw: string): CallUrl {
    let url = this.#urls?.get(raw);
    if (!url) (this.#urls ??= new Map()).set(raw, url = callUrl(raw));
    return url;
  }

  /** The text as a URL in every reading of the agent's tools, as written first. */
  urls(raw: string): readonly CallUrl[] {
    const changes = this.reading.changes.filter((each) => URL_CHANGES.includes(each));
    return pathReadings(raw, { changes }).texts.map((text) => this.url(text));
  }
}
