import type { Loss } from "../../model/loss.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import { type Glob, onlyText } from "../../pattern/glob.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import type { ValueTest } from "../../pattern/pattern.ts";
import { beforeSpaceStar } from "../convert/bash_pattern.ts";
import { geminiTool } from "./tools.ts";
import { withoutBraces } from "../convert/gitignore_path.ts";
import { editsFiles, lossOf, type Part } from "../convert/parts.ts";

/** What a part of a rule is in Gemini CLI's words. */
export interface GeminiSaid {
  /** Tools with a condition each, of which one must fit; none where it cannot be said. */
  readonly tests:
    readonly (readonly [tool: string, condition?: readonly [key: string, value: string]])[];
  /** What that costs. */
  readonly losses: readonly Loss[];
}

/** The tests for a part. */
export function sayGemini(part: Part): GeminiSaid {
  const { spec: specifier } = part;
  const names = toolNames(part);
  if (names.length === 0) {
    return {
      tests: [],
      losses: [lossOf(part, "dropped", "a wildcard in a tool's name cannot be written")],
    };
  }
  const bare = names.map((name) => [name] as const);
  if (specifier.kind === "any") return { tests: bare, losses: [] };
  if (specifier.kind === "argument" && specifier.test.kind === "command" && part.tool === "Bash") {
    return sayCommand(part, specifier.test);
  }
  const detail = "conditions on this tool's input cannot be written";
  if (part.rule.action === "allow") return { tests: [], losses: [lossOf(part, "dropped", detail)] };
  if (specifier.kind === "argument" && specifier.test.kind === "path") {
    return sayPath(part, { pattern: specifier.test.pattern, names });
  }
  return { tests: bare, losses: [lossOf(part, "narrowed", `${detail}, so it is the whole tool`)] };
}

/** A deny or ask with a path on a tool that edits holds for all of them. */
function toolNames({ tool, rule, spec: specifier }: Part): readonly string[] {
  if (editsFiles(tool) && rule.action !== "allow" && specifier.kind !== "any") {
    return ["write_file", "replace"];
  }
  const name = geminiTool(tool);
  return name === undefined ? [] : [name];
}

type CommandTest = Extract<ValueTest, { kind: "command" }>;

function sayCommand(part: Part, { anchor, glob }: CommandTest): GeminiSaid {
  const wide = part.rule.action !== "allow";
  const head = anchor === "whole" && wide ? beforeSpaceStar(glob) : undefined;
  const prefix = onlyText(anchor === "prefix" ? glob : head ?? [{ kind: "star" }]);
  if (prefix !== undefined && !/\n|\s$|"/.test(prefix)) return said(["commandPrefix", prefix]);
  const losses = inexact(glob, anchor)
    ? [lossOf(part, "narrowed", NARROW[wide ? "wide" : "strict"])]
    : [];
  const run = wide ? ".*" : '[^"\\\\]*';
  const start = anchor === "contains" ? run : "";
  if (anchor === "prefix" || head) {
    const source = regexOf(head ?? glob, run);
    return { tests: [shell(`${source}"`), shell(`${source} `)], losses };
  }
  // Anything may follow an expression, so that a final * is left out, and a quote stands for the end.
  const isOpen = glob.at(-1)?.kind === "star";
  const source = start + regexOf(isOpen ? glob.slice(0, -1) : glob, run);
  return { tests: [shell(isOpen || anchor === "contains" ? source : `${source}"`)], losses };
}

const NARROW = {
  wide: "a * of it may reach into other fields of the call there",
  strict: "a * of it fits no quote and no backslash there",
} as const;

/** Whether a wildcard stands anywhere but at the end, where anything may follow. */
function inexact(glob: Glob, reach: CommandTest["anchor"]): boolean {
  const inner = glob.at(-1)?.kind === "star" ? glob.slice(0, -1) : glob;
  return reach === "contains" || inner.some(({ kind }) => kind !== "text");
}

function shell(source: string): readonly [string, readonly [string, string]] {
  return ["run_shell_command", ["commandRegex", source]];
}

function said(condition: readonly [string, string]): GeminiSaid {
  return { tests: [["run_shell_command", condition]], losses: [] };
}

/** A glob as an expression over JSON's way of writing the text. */
function regexOf(glob: Glob, run: string): string {
  return glob.map((token) => {
    switch (token.kind) {
      case "text":
        return escaped(JSON.stringify(token.text).slice(1, -1));
      case "star":
        return run;
      case "anyChar":
        return run === ".*" ? ".+" : '[^"\\\\]';
    }
  }).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

function sayPath(
  part: Part,
  { pattern, names }: { pattern: PathPattern; names: readonly string[] },
): GeminiSaid {
  const globs = withoutBraces(pattern.glob) ?? [[{ kind: "globstar" }] as const];
  const tests = names.flatMap((name) =>
    globs.flatMap((glob) =>
      ['"', '[^"]*/'].map((start) =>
        [name, [
          "argsPattern",
          `"file_path":${start === '"' ? '"' : `"${start}`}${pathRegex(glob)}["/]`,
        ]] as const
      )
    )
  );
  return {
    tests,
    losses: [
      lossOf(
        part,
        "widened",
        "paths are compared as they are written there: links and .. are not followed",
      ),
    ],
  };
}

/** A path as an expression; what comes next ends it, or leads below it. */
function pathRegex(glob: PathGlob): string {
  return glob.map((node, index) => {
    if (node.kind === "text") {
      // `**/x` is x itself too: what stands before it is left free already.
      const text = index === 1 && glob[0]?.kind === "globstar"
        ? node.text.replace(/^\//, "")
        : node.text;
      return escaped(JSON.stringify(text).slice(1, -1));
    }
    return index === 0 && node.kind === "globstar" ? "" : '[^"]*';
  }).join("");
}
