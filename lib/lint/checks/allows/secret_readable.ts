import { callOf, type ToolCall } from "../../../model/call.ts";
import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import { foundAt, foundIn, listed, ruleName, shown, tried } from "../../place_finding.ts";
import { fileOf, patternAgainst, SECRET_FILES } from "../../secret_files.ts";

/** Secrets that the agent may read without a question. */
export const secretReadable: Check = {
  id: "secret-readable",
  severity: "warning",
  docs: {
    what: "No deny or ask protects .env, ~/.ssh, ~/.aws/credentials and the like from the agent",
    why:
      "An agent sends the files that it reads to a model, and may repeat them elsewhere. The built-in rules ask about the " +
      "best-known secrets of the home folder and allow every other Read, which is a note; an allow of your own for Read, or for cat, is a warning. A deny on Read also applies to cat .env.",
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
    const readings = allowedDisclosures(context);
    const own = context.rules.flatMap((linted) => {
      const some = readings.filter(({ by }) => by === linted);
      return some.length === 0 ? [] : [readableBy(linted, { some, context })];
    });
    return [...own, ...readableByDefault(readings, context)];
  },
};

interface Disclosure {
  readonly name: string;
  readonly call: ToolCall;
  /** The linted rule that allows it; undefined for a built-in rule, or one of a file that is not linted. */
  readonly by: LintedRule | undefined;
  /** True if a built-in rule allows it. */
  readonly isBuiltin: boolean;
}

function allowedDisclosures(context: LintContext): readonly Disclosure[] {
  const { policy, rules } = context;
  const [home] = policy.context.home;
  return SECRET_FILES.flatMap((name) =>
    readCalls(fileOf(name, home), context).flatMap((call): readonly Disclosure[] => {
      const { action, rule } = tried(context, call);
      if (action !== "allow" || rule === null) return [];
      const by = rules.find((each) => each.rule === rule);
      return [{ name, call, by, isBuiltin: rule.source.kind === "builtin" }];
    })
  );
}

/** Calls that read a file: by tools that read files, by Grep, and by programs that print files. */
function readCalls(path: string, { policy: { profiles } }: LintContext): readonly ToolCall[] {
  return profiles.known.flatMap((profile): readonly ToolCall[] => {
    const { name, searches } = profile;
    if (profile.class === "read" && profile.kind === "path") {
      return [callOf(profile, path) ?? []].flat();
    }
    if (searches?.glob !== undefined && !searches.lists) {
      return [{ tool: name, input: { [searches.path]: path } }];
    }
    if (profile.kind !== "command") return [];
    return ["cat", "head", "grep ."].flatMap((program) =>
      callOf(profile, `${program} ${path}`) ?? []
    );
  });
}

function readableBy(
  linted: LintedRule,
  { some, context }: { some: readonly Disclosure[]; context: LintContext },
): Found {
  return foundAt(linted, {
    message: `${ruleName(linted.rule)} lets the agent read ${namesOf(some)}`,
    ...shown(context, some[0]!.call),
    hint: `Deny Read for these files above it: ${patternsFor(some)}`,
  });
}

/** The finding about files that the built-in rules allow, reported once at the first file. */
function readableByDefault(
  readings: readonly Disclosure[],
  context: LintContext,
): readonly Found[] {
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
    hint: `Deny Read for these files: ${patternsFor(some)}`,
  })];
}

function namesOf(readings: readonly Disclosure[]): string {
  return listed([...new Set(readings.map(({ name }) => name))]);
}

function patternsFor(readings: readonly Disclosure[]): string {
  return listed([...new Set(readings.map(({ name }) => `"${patternAgainst(name)}"`))]);
}
