import type { Json, JsonObject, ToolCall, ToolProfile } from "../../model/call.ts";
import type { ToolProfiles } from "../../policy/compile/profiles.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { InputError, UsageError } from "../errors/errors.ts";
import { isTooDeep, MAX_DEPTH } from "../../text/json_value.ts";
import { shellQuoted } from "../../text/quote.ts";

/** Standard input is read up to this many bytes for one call. */
const MAX_INPUT = 16 * 1024 * 1024;

/** The tool's name from the command line. Throws UsageError for what looks like a pattern. */
export function toolName(text: string): string {
  if (/^\w+$/.test(text)) return text;
  const cut = text.search(/[:(\s]/);
  if (text === "" || /[*?]/.test(text)) {
    throw new UsageError(`"${text}" is not a tool name`, {
      hint: "Name the tool and its input:",
      command: "caliban check Bash 'git push'",
    });
  }
  if (cut < 0) return text;
  if (/\s/.test(text[cut]!)) {
    throw new UsageError(`"${text}" is not a tool name`, {
      hint: "Name the tool first:",
      command: `caliban check Bash ${shellQuoted(text.trim())}`,
    });
  }
  const rest = text.slice(cut + 1).replace(/\)$/, "").trim();
  throw new UsageError(`"${text}" is not a tool name`, {
    hint: "Name a tool and its input, not a pattern:",
    command: `caliban check ${shellQuoted(text.slice(0, cut) || "Bash")} ${shellQuoted(rest)}`,
  });
}

/** The words that describe a call. */
export interface CallWords {
  readonly tool: string;
  /** The input as it was given; absent for none, `-` for standard input. */
  readonly input: string | undefined;
  /** The folder of `--cwd`. */
  readonly cwd: string | undefined;
}

/**
 * The call that the words describe: an input that is a JSON object, else the text of the tool's first argument. Throws
 * InputError for broken JSON, UsageError for text where the first argument is not known.
 */
export async function readCall(
  words: CallWords,
  { profiles, runtime }: { profiles: ToolProfiles; runtime: Runtime },
): Promise<ToolCall> {
  const cwd = words.cwd === undefined ? {} : { cwd: folderOf(words.cwd, runtime) };
  if (words.input === undefined) return { tool: words.tool, input: {}, ...cwd };
  const text = words.input === "-" ? await readInput(runtime) : words.input;
  const profile = profiles.get(words.tool);
  const known = profiles.has(words.tool) ? [] : profiles.known.map(({ name }) => name);
  return { tool: words.tool, input: inputOf(text, { profile, known }), ...cwd };
}

function inputOf(
  text: string,
  { profile, known }: { profile: ToolProfile; known: readonly string[] },
): JsonObject {
  const json = jsonObject(text);
  if (json) return json;
  const name = profile.firstArg?.[0];
  if (name !== undefined) return nested(name, text);
  const why = profile.firstArg === undefined
    ? "its first argument is unknown"
    : "it has no first argument";
  throw new UsageError(
    `Cannot use "${short(text)}" as input of ${profile.name}: ${why}`,
    {
      unknown: { word: profile.name, known },
      hint: "Give the input as a JSON object:",
      command: `caliban check ${shellQuoted(profile.name)} '{"${
        profile.fields[0] ?? "key"
      }": "…"}'`,
    },
  );
}

/** A dotted first argument is a path into the input. */
function nested(name: string, text: string): JsonObject {
  const [last = name, ...rest] = name.split(".").reverse();
  let object: JsonObject = { [last]: text };
  for (const key of rest) object = { [key]: object };
  return object;
}

/** The object when the text is one; undefined for any other text. */
function jsonObject(text: string): JsonObject | undefined {
  if (!text.includes("{") || !/^\s*\{/.test(text)) return undefined;
  const isMeant = /^\s*\{\s*"/.test(text);
  if (isMeant && isTooDeep(text)) {
    throw new InputError(`Cannot read the input as JSON: its nesting exceeds ${MAX_DEPTH}`);
  }
  try {
    const value: Json = JSON.parse(text);
    return value as JsonObject;
  } catch (cause) {
    if (!isMeant) return undefined;
    // The parser's own sentence is left to the cause: every runtime has another.
    throw new InputError(`Cannot read the input as JSON: "${short(text)}"`, {
      hint:
        "Text that begins with a brace and a quote is read as JSON; put other text in an object:",
      command: '{"command": "…"}',
      cause,
    });
  }
}

function folderOf(named: string, runtime: Runtime): string {
  const style = pathStyle(runtime.platform);
  const path = style.absolute(named, runtime.cwd());
  if (runtime.stat(path) === "directory") return path;
  throw new FileError(`Cannot use --cwd "${named}": there is no such folder`, {
    path,
    fault: "not-found",
  });
}

/** The input from standard input. Empty input is refused: most likely the command that feeds it failed. */
async function readInput(runtime: Runtime): Promise<string> {
  const text = withoutLineEnd(await readAll(runtime));
  if (text.trim() !== "") return text;
  throw new InputError("Cannot read the input: standard input is empty", {
    hint: "The command that feeds it printed nothing; for an empty input write '' instead of -",
  });
}

/** All of standard input as text. Throws InputError for what is no UTF-8 or too long. `ignoreBOM` keeps a byte order mark. */
export async function readAll(
  runtime: Runtime,
  { ignoreBOM = false }: { readonly ignoreBOM?: boolean } = {},
): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM });
  let text = "";
  let size = 0;
  try {
    for await (const chunk of runtime.stdin()) {
      size += chunk.length;
      if (size > MAX_INPUT) {
        throw new InputError(`Standard input is longer than ${MAX_INPUT} bytes`);
      }
      text += decoder.decode(chunk, { stream: true });
    }
    return text + decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new InputError("Standard input is not UTF-8", { cause });
  }
}

/** Removes the line end that a shell's echo adds. */
function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}…` : text;
}
