import { agentProfile } from "../../agents/profile.ts";
import type { Color } from "../../report/color.ts";
import { labelled } from "../../report/layout.ts";
import { visible } from "../../text/visible.ts";
import type { Probe } from "./probe.ts";
import { type Examined, type RuleGap, unseenBy } from "./run.ts";
import type { Remark } from "./unguarded.ts";

/** The result of `caliban doctor`. */
export interface DoctorOutcome {
  /** True if every hook works. */
  readonly isGood: boolean;
  readonly examined: readonly Examined[];
  /** Settings that cannot be read, one sentence each. */
  readonly broken: readonly string[];
  /** The agent that was named and has no hook; absent otherwise. */
  readonly missing: string | undefined;
}

/** For people: a block for each installed command. */
export function doctorText(outcome: DoctorOutcome, color: Color): string {
  const { examined, broken, missing } = outcome;
  if (missing !== undefined) {
    return `${color.red("fault")}   ${missing} has no caliban hook: ` +
      `caliban hook install ${missing}\n`;
  }
  const faults = broken.map((message) =>
    labelled(visible(message), { text: "fault  ", painted: color.red("fault  "), indent: 8 })
      .join("\n") + "\n"
  );
  if (examined.length + faults.length === 0) {
    return "No agent has a caliban hook; install one with: caliban hook install <agent>\n";
  }
  return [...faults, ...examined.map((each) => block(each, color))].join("\n");
}

function block({ agent, place, probes, faults, notes, gaps }: Examined, color: Color): string {
  const { title, version } = agentProfile(agent);
  const lines = [
    `${title} (written against ${version}), ${place.scope}`,
    ...labelled(visible(place.path), { text: "  in", painted: "  in", indent: 8 }),
    ...probes.flatMap((each) => probeLines(each, color)),
    ...faults.flatMap((each) =>
      labelled(remarkText(each), { text: "  fault", painted: color.red("  fault"), indent: 8 })
    ),
    ...notes.flatMap((each) =>
      labelled(remarkText(each), { text: "  note", painted: "  note", indent: 8 })
    ),
    ...gaps.flatMap((gap) => gapLines(gap, color)),
    ...unseenBy(agent).flatMap((what) =>
      labelled(what, { text: "  note", painted: "  note", indent: 8 })
    ),
  ];
  return lines.join("\n") + "\n";
}

function remarkText({ what, mend }: Remark): string {
  return visible(mend === undefined ? what : `${what}; ${mend}`);
}

const TRIED: Readonly<Record<Probe["name"], string>> = {
  deny: "a denied call",
  allow: "an allowed call",
  garbage: "a malformed event",
};

function probeLines({ name, isGood, says, ms, reason }: Probe, color: Color): readonly string[] {
  const [text, painted] = isGood
    ? ["  ok", color.green("  ok")]
    : ["  fault", color.red("  fault")];
  const why = isGood || reason === "" ? "" : `: ${visible(reason.replaceAll(/\s+/g, " ").trim())}`;
  return labelled(`${TRIED[name]}: ${says}, ${ms} ms${why}`, { text, painted, indent: 8 });
}

function gapLines({ rule, why }: RuleGap, color: Color): readonly string[] {
  const { source, action, pattern } = rule;
  const where = `${source.path}:${source.line}`;
  const text = `${action} ${visible(pattern)} (${visible(where)}): ${why}`;
  return labelled(text, { text: "  gap", painted: color.yellow("  gap"), indent: 8 });
}

/** For programs. */
export function doctorJson({ isGood, examined, broken }: DoctorOutcome): object {
  return {
    ok: isGood,
    broken,
    agents: examined.map(({ agent, place, command, probes, faults, notes, gaps }) => {
      const { title, version } = agentProfile(agent);
      const { scope, path } = place;
      return {
        agent,
        title,
        version,
        scope,
        path,
        command,
        probes: probes.map(({ name, isGood, says, ms, reason }) => ({
          name,
          ok: isGood,
          says,
          ms,
          reason,
        })),
        faults,
        notes,
        gaps: gaps.map(({ id, why, rule }) => ({
          id,
          pattern: rule.pattern,
          action: rule.action,
          path: rule.source.path,
          line: rule.source.line,
          why,
        })),
      };
    }),
  };
}
