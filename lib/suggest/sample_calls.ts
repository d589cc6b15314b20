import type { JsonObject, ToolCall } from "../model/call.ts";
import type { ToolProfile } from "../model/tool_profile.ts";
import { type Glob, onlyText } from "../pattern/glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { parseSpec } from "../pattern/parse_spec.ts";
import type { PathGlob } from "../pattern/path_glob.ts";
import type { PathPattern } from "../pattern/path_pattern.ts";
import type { Spec, ValueTest } from "../pattern/pattern.ts";
import type { ToolProfiles } from "../tools/profiles.ts";

/** What stands for a run of characters in a sample. */
const FILLERS = ["x", "sample"];

/**
 * A few calls that a pattern fits, made from its own text; empty where that is not to be had. Samples, not proof: what
 * holds for all of them mostly holds for the rule.
 */
export function sampleCalls(text: string, profiles: ToolProfiles): readonly ToolCall[] {
  const pattern = parsePattern(text);
  if (!pattern.ok) return [];
  const tool = onlyText(pattern.value.tool);
  if (tool === undefined) return [];
  const profile = profiles.get(tool);
  const spec = parseSpec(pattern.value, profile);
  if (!spec.ok) return [];
  return FILLERS.flatMap((filler) => {
    const input = inputFor(spec.value, { profile, filler });
    return input === undefined ? [] : [{ tool, input }];
  });
}

function inputFor(
  spec: Spec,
  { profile, filler }: { profile: ToolProfile; filler: string },
): JsonObject | undefined {
  const first = profile.firstArg?.[0];
  switch (spec.kind) {
    case "any":
      return first === undefined ? {} : { [first]: anyValue(profile) };
    case "first": {
      const value = valueFor(spec.test, filler);
      return first === undefined || value === undefined ? undefined : { [first]: value };
    }
    case "fields": {
      if (spec.fields.some(({ negated, key }) => negated || key.includes("."))) return undefined;
      const pairs = spec.fields.map(({ key, test }) => [key, valueFor(test, filler)] as const);
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
    token.kind === "text" ? token.text : token.kind === "one" ? "x" : filler
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
      case "run":
      case "deep":
        text += filler;
        break;
      case "one":
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
