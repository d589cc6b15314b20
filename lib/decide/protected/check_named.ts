import { keyWords } from "../named_keys.ts";
import defaults from "../../../defaults/tools.json" with { type: "json" };
import { printGlob } from "../../pattern/glob.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { Json, ToolProfile } from "../../model/call.ts";
import { onDemand } from "../../model/on_demand.ts";
import type { CompiledPolicy, ToolRule } from "../../policy/compile/compiled_policy.ts";
import { furtherPaths, type NamedArgument, namedArguments } from "../named_arguments.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import type { Request } from "../../policy/compile/request.ts";
import { beginsLike, checkLine, placesIn } from "./check_line.ts";
import { literalText, mentions, namesPlace } from "./names_place.ts";
import { placeName, type ProtectedPlace, protectedPlaces } from "./protected_places.ts";
import { type Check, fittingAllows, NO_CHECKS, protectedReason } from "./safety_check.ts";
import { fixedTarget, globTarget, placesTouched, touchesNone } from "./target.ts";

/** A call of a tool with a policy. */
interface Checked {
  readonly policy: CompiledPolicy;
  readonly request: Request;
}

/**
 * The checks of what a call names by its keys: protected files, which any tool may write that is not known to read only, and
 * the lines of commands.
 */
export function checkNamed(policy: CompiledPolicy, request: Request): readonly Check[] {
  const { call: { input }, profile } = request;
  const { named, isCut } = namedArguments(input, profile);
  const first = firstFiles(request);
  if (first.length === 0 && named.length === 0 && !isCut) return NO_CHECKS;
  const checked = { policy, request };
  const commands = named.flatMap((argument) => checkCommand(argument, checked));
  if (onlyReads(profile)) return commands;
  const files = [...first, ...named]
    .flatMap((argument) => checkFile(argument, checked) ?? []);
  const found = [...files, ...commands];
  const unread = isCut && found.length === 0 ? checkUnread(checked) : undefined;
  return unread === undefined ? found : [unread];
}

const NO_ARGUMENTS: readonly NamedArgument[] = [];

/** The files that a first argument names, where only a policy describes the tool. */
function firstFiles({ first, profile: { name, kind } }: Request): readonly NamedArgument[] {
  if (DEFAULT_TOOLS.has(name) || first.state !== "text") return NO_ARGUMENTS;
  if (kind !== "path" && kind !== "url") return NO_ARGUMENTS;
  const { text } = first;
  return [...(kind === "path" ? [text] : []), ...furtherPaths(text)]
    .map((path) => ({ kind: "file", text: path, at: "", isCertain: false }));
}

function checkFile(
  { kind, text, at }: NamedArgument,
  { policy, request }: Checked,
): Check | undefined {
  if (kind !== "file") return undefined;
  const touched = touchedBy(text, { policy, request });
  if (touched.length === 0) return undefined;
  const own = fittingAllows(policy, request);
  const writes = fittingAllows(policy, request.withTool("Write", { path: text }));
  const place = touched.find((each) =>
    !own.some((toolRule) => namesPlace(toolRule, each) || namesInField(toolRule, each, at)) &&
    !writes.some((toolRule) => namesPlace(toolRule, each))
  );
  if (!place) return undefined;
  const reason = protectedReason(text, {
    does: "may write",
    name: placeName(place),
    why: place.why,
    relation: "in",
  });
  if (at === "") {
    return { kind: "call", text, via: null, depth: 0, tool: request.call.tool, reason };
  }
  return { kind: "write", text, via: `the argument "${at}"`, depth: 0, tool: "Write", reason };
}

/** The protected places that a text names, as a path and as a glob. */
function touchedBy(text: string, { policy, request }: Checked): readonly ProtectedPlace[] {
  const places = protectedPlaces(policy);
  const path = request.path(text);
  const touched = touchesNone(path, places) ? [] : placesTouched(fixedTarget(path, places), places);
  if (!/[*?[]/.test(text) || /[({]/.test(text)) return touched;
  // A segment of wildcards alone is most often something else.
  const glob = text.split("/").map((part) => /^\*+$/.test(part) ? "…" : part).join("/");
  const byGlob = placesTouched(globTarget(glob, { request, places }), places);
  return [...touched, ...byGlob.filter((place) => beginsLike(glob, place))];
}

/** True if a rule names a place in its glob for the very field. */
function namesInField({ rule, specifier, readAs }: ToolRule, place: ProtectedPlace, at: string) {
  if (specifier?.kind !== "fields" || place.notBy.includes(rule.source.kind)) return false;
  const folded = readAs?.context.ignoreCase ? foldCase : (text: string) => text;
  const names = place.names.map(folded);
  return specifier.fields.some(({ key, negated, test }) => {
    if (key !== at || negated) return false;
    const text = test.kind === "text" ? printGlob(test.glob) : literalText(test);
    return mentions(folded(text.replace(/[*?]/g, "\uffff")), names);
  });
}

/** The checks of a command line under the key of commands. Code of a language that is not known only by what it does as a line. */
function checkCommand(
  { kind, text, at, isCertain, folder }: NamedArgument,
  { policy, request }: Checked,
): readonly Check[] {
  if (kind !== "command") return [];
  const via = `the argument "${at}"`;
  return checkLine(policy, request.withCommand(text, folder))
    .filter((check) => isCertain || check.kind !== "opaque")
    .map((check) => ({ ...check, via: check.via ?? via }));
}

/** The most values of an input that are looked through for names of protected files. */
const MOST_VALUES = 200_000;

/** The check of an input that is too deep or too large for its keys: any text in it that names a protected file counts. */
function checkUnread({ policy, request }: Checked): Check | undefined {
  const left: Json[] = [request.call.input];
  const texts: string[] = [];
  for (let count = 0; left.length > 0 && count < MOST_VALUES; count++) {
    const value = left.pop()!;
    if (typeof value === "string") texts.push(value);
    if (typeof value !== "object" || value === null) continue;
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (!isList) texts.push(key);
      left.push(member);
    }
  }
  const text = texts.join("\n").replaceAll("\\", "/");
  const [place] = placesIn(policy.context.ignoreCase ? foldCase(text) : text);
  const names = place === undefined ? undefined : `it names \`${placeName(place)}\``;
  const why = names ?? (left.length > 0 ? "may name a protected file" : undefined);
  if (why === undefined) return undefined;
  const { tool } = request.call;
  const reason = `its input is too deep or too large to read in full, and ${why}`;
  return { kind: "call", text: tool, via: null, depth: 0, tool, reason };
}

/** The words of tools' names; most calls are of tools whose class is known. */
const known = onDemand((): Readonly<Record<keyof typeof defaults.names, ReadonlySet<string>>> => ({
  reads: new Set(defaults.names.reads),
  writes: new Set(defaults.names.writes),
  subjects: new Set(defaults.names.subjects),
}));

/** Words that say a change even as a part of another one: `readwrite`. */
const CHANGES = /write|edit|delete|remove|create|update|replace|rename|save|move/;

/** True if a tool changes no file: by its class or, for a tool without one, by the words of its name. */
function onlyReads({ name, class: toolClass, isUntrusted }: ToolProfile): boolean {
  if (toolClass !== undefined && !isUntrusted) return toolClass === "read";
  const { reads, writes, subjects } = known();
  const own = name.replace(/^mcp__.+?__/s, "");
  const joined = own.toLowerCase();
  const words = keyWords(own);
  if (words.some((word) => writes.has(word) || CHANGES.test(word))) return false;
  if (reads.has(words[0] ?? "")) return true;
  const parts = words.filter((word) => words.length === 1 || word !== joined);
  return parts.some((word) => reads.has(word)) &&
    parts.every((word) => reads.has(word) || subjects.has(word));
}
