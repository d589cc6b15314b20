import type { Match } from "../model/match.ts";
import type { UnitVerdict } from "../model/verdict.ts";
import { couldName } from "../policy/could_name.ts";
import { type Entry, entryOfOthers } from "../policy/rule_table.ts";
import type { Unit } from "../shell/unit.ts";
import type { Facts } from "../tools/facts.ts";
import { type Judged, judged, type Judging } from "./judged.ts";
import { expired, type Walked, walkPath } from "./walk.ts";

/** The tool whose rules speak of such a file or URL, and the field that names it. */
const TOOLS: Readonly<Record<"read" | "write" | "url", { tool: string; field: string }>> = {
  read: { tool: "Read", field: "path" },
  write: { tool: "Write", field: "path" },
  url: { tool: "WebFetch", field: "url" },
};

type FileUnit = Unit & { readonly kind: "read" | "write" | "url" };

/**
 * A file that a redirection opens or a program writes besides its trade: judged as a call of Write or Read, by the same
 * rules; an allow rule of the shell tool that covers it counts in its place.
 */
export function judgeFile(unit: Unit, judging: Judging): Judged {
  const { policy, facts: command, options } = judging;
  const facts = fileFacts(unit as FileUnit, judging);
  const covers = (entry: Entry): Entry | undefined =>
    entry.rule.action === "allow" ? { ...entry, matches: () => entry.matches(command) } : undefined;
  const merged = (own: readonly Entry[], others: readonly Entry[]) => {
    const entries = new Map(own.map((entry) => [entry.rule.index, entry]));
    for (const entry of others) {
      const cover = covers(entry);
      const same = entries.get(entry.rule.index);
      if (cover && (!same || same.matches(facts) !== "yes")) entries.set(entry.rule.index, cover);
    }
    return [...entries.values()].sort((a, b) => a.rule.index - b.rule.index);
  };
  const walked = walkPath(policy, facts, {
    ...options,
    path: {
      candidates: merged(policy.candidates(facts), policy.candidates(command)),
      all: () => {
        const known = merged(
          policy.entries(facts.profile.name),
          policy.entries(command.profile.name),
        );
        const byRule = new Map(known.map((entry) => [entry.rule, entry]));
        return policy.rules.map((rule) => byRule.get(rule) ?? entryOfOthers(rule));
      },
    },
  });
  return judged(walked, { facts, unit: shown(unit) });
}

/**
 * The walk for a redirection whose file cannot be known: the rules of the shell tool, and those that deny or ask about
 * files, which cannot be evaluated where they have a spec.
 */
export function walkUnknownFile(unit: Unit, { policy, facts, options }: Judging): Walked {
  const guards = (unit.opens ?? []).flatMap((kind) => policy.entries(TOOLS[kind].tool))
    .filter(({ rule, spec }) => rule.action !== "allow" && spec);
  const unknown = (entry: Entry): Entry => ({
    ...entry,
    matches: () => entry.spec?.kind === "any" ? "yes" : "unknown",
  });
  const merged = (own: readonly Entry[]) => {
    const entries = new Map(own.map((entry) => [entry.rule.index, entry]));
    for (const guard of guards) {
      if (!entries.has(guard.rule.index)) entries.set(guard.rule.index, unknown(guard));
    }
    return [...entries.values()].sort((a, b) => a.rule.index - b.rule.index);
  };
  return walkPath(policy, facts, {
    ...options,
    path: {
      candidates: merged(policy.candidates(facts)),
      all: () => {
        const byRule = new Map(
          merged(policy.entries(facts.profile.name)).map((each) => [each.rule, each]),
        );
        return policy.rules.map((rule) => byRule.get(rule) ?? entryOfOthers(rule));
      },
    },
  });
}

/**
 * A file that a program reads or writes as its trade: only the rules that people wrote are asked, and silence is no
 * objection. Undefined when no deny or ask rule guards files of that kind.
 */
export function judgeGuarded(unit: Unit, judging: Judging): Judged | undefined {
  const { policy, options } = judging;
  const facts = fileFacts(unit as FileUnit, judging);
  const written = policy.writtenEntries(facts.profile.name);
  const guard = written.find(({ rule, spec }) =>
    rule.action !== "allow" && spec !== undefined && !expired(rule, { policy, now: options.now })
  );
  if (!guard) return undefined;
  if (unit.path === "open") return openFile(unit, { facts, guard });
  const matcher = (entry: Entry): Entry =>
    unit.path === "glob" ? { ...entry, matches: () => globMatch(entry, unit.text, facts) } : entry;
  const candidates = unit.path === "glob"
    ? written
    : policy.candidates(facts).filter(({ rule }) => rule.source.kind !== "builtin");
  const walked = walkPath(policy, facts, {
    ...options,
    path: {
      candidates: candidates.map(matcher),
      all: () => {
        const byRule = new Map(written.map((entry) => [entry.rule, matcher(entry)]));
        return policy.rules.map((rule) => byRule.get(rule) ?? entryOfOthers(rule));
      },
    },
  });
  if (walked.rule !== null) return judged(walked, { facts, unit: shown(unit) });
  return judged({ ...walked, action: "allow" }, {
    facts,
    unit: shown(unit),
    reason: "no deny or ask rule objects to it",
  });
}

/** A file that the line does not fix may be one that a rule guards. */
function openFile(unit: Unit, { facts, guard }: { facts: Facts; guard: Entry }): Judged {
  const walked: Walked = { action: "ask", by: "rule", rule: null, entry: null, steps: [] };
  const verb = unit.kind === "read" ? "reads" : unit.kind === "write" ? "writes" : "fetches";
  return judged(walked, {
    facts,
    unit: shown(unit),
    reason:
      `what it ${verb} is not fixed (${unit.text}), and \`${guard.rule.pattern}\` guards some`,
  });
}

/** Whether a rule speaks of a file that a glob may name: surely for a rule without a spec, else it cannot be evaluated. */
function globMatch(entry: Entry, glob: string, facts: Facts): Match {
  const { spec, rule } = entry;
  if (spec === undefined) return "no";
  if (spec.kind === "any") return "yes";
  if (rule.action === "allow") return "no";
  return couldName(glob, { spec, facts, context: entry.reading?.context }) ? "unknown" : "no";
}

function fileFacts({ kind, text }: FileUnit, { policy, facts }: Judging): Facts {
  const { tool, field } = TOOLS[kind];
  return policy.facts({ ...facts.call, tool, input: { [field]: text } });
}

function shown(
  { kind, text, via, depth, path }: Unit,
): Pick<UnitVerdict, "kind" | "text" | "via" | "depth" | "path"> {
  return { kind, text, via, depth, ...(path === undefined ? {} : { path }) };
}
