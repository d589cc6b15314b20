import { CLASS_PHRASES } from "../model/class_phrases.ts";
import type { JsonObject, ToolCall, ToolProfile } from "../model/call.ts";
import { type Glob, onlyText } from "../pattern/glob.ts";
import { parsePattern, type Specifier, type ValueTest } from "../pattern/parse_pattern.ts";
import { parseSpecifier } from "../pattern/parse_specifier.ts";
import type { PathGlob } from "../pattern/path/path_glob.ts";
import type { PathPattern } from "../pattern/path/path_pattern.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";

/** The texts that replace a `*` in a sample. */
const FILLERS = ["x", "sample"];

/**
 * A few calls that a pattern matches, made from its own text, or examples of its class; empty if none can be made. Samples,
 * not proof.
 */
export function sampleCalls(text: string, profiles: ToolProfiles): readonly ToolCall[] {
  const pattern = parsePattern(text);
  if (!pattern.ok) return [];
  const tool = onlyText(pattern.value.tool);
  if (tool === undefined) return [];
  const profile = profiles.get(tool);
  const specifier = parseSpecifier(pattern.value, profile);
  if (!specifier.ok) return [];
  return FILLERS.flatMap((filler) => {
    const input = inputFor(specifier.value, { profile, filler });
    return input === undefined ? [] : [{ tool, input }];
  });
}

function inputFor(
  specifier: Specifier,
  { profile, filler }: { profile: ToolProfile; filler: string },
): JsonObject | undefined {
  const first = profile.firstArg?.[0];
  switch (specifier.kind) {
    case "any":
      return first === undefined ? {} : { [first]: anyValue(profile) };
    case "class": {
      const [one, other] = CLASS_PHRASES[specifier.name].examples;
      const text = filler === FILLERS[0] ? one : other ?? one;
      return first === undefined || text === undefined ? undefined : { [first]: text };
    }
    case "argument": {
      const value = valueFor(specifier.test, filler);
      return first === undefined || value === undefined ? undefined : { [first]: value };
    }
    case "fields": {
      if (specifier.fields.some(({ negated, key }) => negated || key.includes("."))) {
        return undefined;
      }
      const pairs = specifier.fields.map(({ key, test }) => [key, valueFor(test, filler)] as const);
      return pairs.some(([, value]) => value === undefined)
        ? undefined
        : Object.fromEntries(pairs) as JsonObject;
    }
  }
}

function anyValue(profile: ToolProfile): string {
  switch (profile.kind) {
    case "command":
      return "sample-command";
    case "path":
      return "sample-file";
    case "url":
      return "https://sample.example/";
    case "text":
      return "sample";
  }
}

function valueFor(test: ValueTest, filler: string): string | undefined {
  switch (test.kind) {
    case "text":
    case "command":
      return globText(test.glob, filler);
    case "url":
      return globText(test.glob, filler);
    case "domain":
      return `https://${test.host}/${filler}`;
    case "path":
      return pathText(test.pattern, filler);
  }
}

function globText(glob: Glob, filler: string): string {
  return glob.map((token) =>
    token.kind === "text" ? token.text : token.kind === "anyChar" ? "x" : filler
  ).join("");
}

const BASES: Readonly<Record<PathPattern["base"], string>> = {
  root: "/",
  home: "~/",
  workspace: "",
  plain: "",
};

function pathText(pattern: PathPattern, filler: string): string | undefined {
  const rest = nodesText(pattern.glob, filler);
  return rest === undefined ? undefined : `${BASES[pattern.base]}${rest}`;
}

function nodesText(glob: PathGlob, filler: string): string | undefined {
  let text = "";
  for (const node of glob) {
    switch (node.kind) {
      case "text":
        text += node.text;
        break;
      case "star":
      case "globstar":
        text += filler;
        break;
      case "anyChar":
        text += "x";
        break;
      case "set":
        text += node.text;
        break;
      case "either": {
        const first = nodesText(node.options[0] ?? [], filler);
        if (first === undefined) return undefined;
        text += first;
        break;
      }
    }
  }
  return text;
}
