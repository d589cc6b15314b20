import type { ToolCall } from "../../model/call.ts";
import type { PathGlob } from "../../pattern/path/path_glob.ts";
import type { Specifier, ValueTest } from "../../pattern/pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import { type Glob, printGlob } from "../../pattern/glob.ts";
import type { CompiledRule } from "../../policy/compile/rule_table.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt, shown, tried } from "../found_at.ts";
import type { LintContext } from "../lint_context.ts";
import { callOf, ruleSpec } from "../rule_spec.ts";
import { ruleName } from "../words.ts";

/** Allow rules for nearly everything that a tool can do. */
export const broadAllow: Check = {
  id: "broad-allow",
  severity: "warning",
  docs: {
    what: "An allow for nearly everything: *, bare Bash, Write:**, any URL",
    why:
      "Whatever the agent is talked into then runs unasked. Rules below it that ask or deny never count.",
    avoid: example([rule("Write:**", "allow"), rule("WebFetch:https://*", "allow")]),
    prefer: example([
      rule("Write:src/**", "allow"),
      rule("WebFetch:domain:docs.example.com", "allow"),
    ]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const call = broadCalls(rule, context).find((each) => {
        const verdict = tried(context, each);
        return verdict.action === "allow" && verdict.rule === rule;
      });
      if (call === undefined) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} allows nearly everything that ${toolWord(rule)} can do`,
        ...shown(context, call),
        hint: "Name the commands, folders or hosts that are meant",
      })];
    });
  },
};

function toolWord({ parsed }: CompiledRule): string {
  const name = printGlob(parsed.tool);
  return name === "*" ? "any tool" : name;
}

/** Calls that a rule without bounds fits; empty for one with bounds. */
function broadCalls(
  rule: CompiledRule,
  { policy: { profiles } }: LintContext,
): readonly ToolCall[] {
  if (rule.parsed.specifier === undefined && isAny(rule.parsed.tool)) {
    return [{ tool: "AnyTool", input: {} }];
  }
  const found = ruleSpec(rule, profiles);
  if (found === undefined || !isBroad(found.spec)) return [];
  const { profile } = found;
  switch (profile.class ?? "unknown") {
    case "execute":
      return ["some-program --with any-argument", "rm x"].flatMap((text) =>
        callOf(profile, text) ?? []
      );
    case "edit":
      return ["any/file.txt", "/any/file.txt"].flatMap((text) => callOf(profile, text) ?? []);
    case "network": {
      const calls = ["https://any-host.example/", "http://any-host.example/"].flatMap((text) =>
        callOf(profile, text) ?? []
      );
      return calls.length > 0 ? calls : [{ tool: profile.name, input: {} }];
    }
    case "read":
    case "control":
    case "unknown":
      return [];
  }
}

function isBroad(specifier: Specifier): boolean {
  switch (specifier.kind) {
    case "any":
      return true;
    case "argument":
      return isBroadTest(specifier.test);
    case "fields":
      return specifier.fields.every(({ negated, test }) => !negated && isBroadTest(test));
  }
}

function isBroadTest(test: ValueTest): boolean {
  switch (test.kind) {
    case "text":
    case "command":
      return hasNoText(test.glob);
    case "url": {
      const parts = urlParts(printGlob(test.glob));
      return parts.ok && parts.value !== undefined &&
        parts.value.labels.every(({ kind }) => kind === "anyLabels");
    }
    case "path":
      return pathHasNoText(test.pattern.glob);
    case "domain":
      return false;
  }
}

function isAny(glob: Glob): boolean {
  return glob.length === 1 && glob[0]?.kind === "star";
}

/** Whether a glob is wildcards and blanks only. */
function hasNoText(glob: Glob): boolean {
  return glob.every((token) => token.kind !== "text" || token.text.trim() === "") &&
    glob.some(({ kind }) => kind === "star");
}

function pathHasNoText(glob: PathGlob): boolean {
  return glob.every((node) =>
    node.kind === "globstar" || node.kind === "star" ||
    node.kind === "text" && /^\/*$/.test(node.text)
  );
}
