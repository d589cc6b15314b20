import type { ToolCall } from "../../model/call.ts";
import { example, rule } from "../example.ts";
import type { Check, Found } from "../check.ts";
import { foundAt, foundIn, shown, tried } from "../found_at.ts";
import type { LintContext, LintedRule } from "../lint_context.ts";
import { callOf } from "../rule_spec.ts";
import { fileOf, patternAgainst, SECRET_FILES } from "../secret_files.ts";
import { listed, ruleName } from "../words.ts";

/** Secrets that the agent may read unasked. */
export const secretReadable: Check = {
  id: "secret-readable",
  severity: "warning",
  docs: {
    what:
      "No deny or ask stands between the agent and .env, ~/.ssh, ~/.aws/credentials and their like",
    why:
      "What an agent reads, it tells a model, and may repeat elsewhere. The built-in rules allow every Read, so where only " +
      "they do, it is a note; an allow of your own for Read, or for cat, is a warning. A deny on Read holds for cat .env too.",
    avoid: example([rule("Bash(cat:*)", "allow")]),
    prefer: example([
      rule("Read:**/.env", "deny"),
      rule("Read:~/.{ssh,aws,docker,kube,netrc,npmrc}/**", "deny"),
      rule("Read:~/.{netrc,npmrc}", "deny"),
      rule("Read:~/.config/gh/**", "deny"),
      rule("Bash(cat:*)", "allow"),
    ]),
  },
  find(context) {
    const readings = allowedReadings(context);
    const own = context.rules.flatMap((linted) => {
      const some = readings.filter(({ by }) => by === linted);
      return some.length === 0 ? [] : [readableBy(linted, { some, context })];
    });
    return [...own, ...readableAnyway(readings, context)];
  },
};

interface Reading {
  readonly name: string;
  readonly call: ToolCall;
  /** The linted rule that allows it; undefined for a built-in one, or one of a file that is not looked at. */
  readonly by: LintedRule | undefined;
  /** Whether a built-in rule allows it. */
  readonly isBuiltin: boolean;
}

function allowedReadings(context: LintContext): readonly Reading[] {
  const { policy, rules } = context;
  const [home] = policy.context.home;
  return SECRET_FILES.flatMap((name) =>
    readingCalls(fileOf(name, home), context).flatMap((call): readonly Reading[] => {
      const { action, rule } = tried(context, call);
      if (action !== "allow" || rule === null) return [];
      const by = rules.find((each) => each.rule === rule);
      return [{ name, call, by, isBuiltin: rule.source.kind === "builtin" }];
    })
  );
}

/** Ways to read a file: with tools that read files, with Grep, and with programs that print them. */
function readingCalls(path: string, { policy: { profiles } }: LintContext): readonly ToolCall[] {
  return profiles.known.flatMap((profile): readonly ToolCall[] => {
    const { name, searches } = profile;
    if (profile.class === "read" && profile.kind === "path") {
      return [callOf(profile, path) ?? []].flat();
    }
    if (searches?.glob !== undefined) return [{ tool: name, input: { [searches.path]: path } }];
    if (profile.kind !== "command") return [];
    return ["cat", "head", "grep ."].flatMap((program) =>
      callOf(profile, `${program} ${path}`) ?? []
    );
  });
}

function readableBy(
  linted: LintedRule,
  { some, context }: { some: readonly Reading[]; context: LintContext },
): Found {
  return foundAt(linted, {
    message: `${ruleName(linted.rule)} lets the agent read ${namesOf(some)}`,
    ...shown(context, some[0]!.call),
    hint: `Deny Read for them above it: ${patternsFor(some)}`,
  });
}

/** What the built-in rules allow is told once, at the first file. */
function readableAnyway(readings: readonly Reading[], context: LintContext): readonly Found[] {
  const file = context.files.find(({ problems }) =>
    problems.every(({ severity }) => severity !== "error")
  );
  const some = readings.filter(({ isBuiltin }) => isBuiltin);
  const [first] = some;
  if (file === undefined || first === undefined) return [];
  return [foundIn(file, {
    severity: "note",
    message: `The agent may read ${namesOf(some)}: no rule denies it or asks`,
    ...shown(context, first.call),
    hint: `Deny Read for them: ${patternsFor(some)}`,
  })];
}

function namesOf(readings: readonly Reading[]): string {
  return listed([...new Set(readings.map(({ name }) => name))]);
}

function patternsFor(readings: readonly Reading[]): string {
  return listed([...new Set(readings.map(({ name }) => `"${patternAgainst(name)}"`))]);
}
