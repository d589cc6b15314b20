import { callOf, type ToolCall } from "../../../model/call.ts";
import type { PathGlob } from "../../../pattern/path/path_glob.ts";
import type { Specifier, ValueTest } from "../../../pattern/parse_pattern.ts";
import { urlParts } from "../../../pattern/url/url_pattern.ts";
import { type Glob, printGlob } from "../../../pattern/glob.ts";
import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { foundAt, ruleName, shown, tried } from "../../place_finding.ts";
import { ruleSpecifier } from "../../rule_specifier.ts";

/** Allow rules for almost everything that a tool can do. */
export const broadAllow: Check = {
  id: "broad-allow",
  severity: "warning",
  docs: {
    what: "An allow for almost everything: *, bare Bash, Write:**, any URL",
    why:
      "If someone tricks the agent, any call runs without a question. Asks and denies below this rule have no effect.",
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
        message: `${ruleName(rule)} allows almost everything that ${toolWord(rule)} can do`,
        ...shown(context, call),
        hint: "Name the intended commands, folders or hosts",
      })];
    });
  },
};

function toolWord({ parsed }: CompiledRule): string {
  const name = printGlob(parsed.tool);
  return name === "*" ? "any tool" : name;
}

/** Calls that an unlimited rule fits; empty for any other. */
function broadCalls(
  rule: CompiledRule,
  { policy: { profiles } }: LintContext,
): readonly ToolCall[] {
  if (rule.parsed.specifier === undefined && isAny(rule.parsed.tool)) {
    return [{ tool: "AnyTool", input: {} }];
  }
  const found = ruleSpecifier(rule, profiles);
  if (found === undefined || !isBroad(found.specifier)) return [];
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
    case "class":
      return false;
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

/** True if a glob has only wildcards and blanks. */
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
