import type { Analysis, Decisions, Figures } from "./figures.ts";

/** A goal and the figure that shows if it is met. */
export interface Goal {
  readonly about: string;
  /** Their unit stands behind the goal and the figure. */
  readonly unit: string;
  readonly goal: number;
  /** True for a goal that a figure must reach instead of stay below. */
  readonly isLeast?: boolean;
  /** Undefined where this run did not measure it. */
  readonly measured: number | undefined;
}

/** True where the figure reaches its goal; undefined where there is none. */
export function isMet({ goal, isLeast = false, measured }: Goal): boolean | undefined {
  if (measured === undefined) return undefined;
  return isLeast ? measured >= goal : measured <= goal;
}

/** The goals by their subject, beside the figures of a run. */
export function goalsOf(figures: Figures): ReadonlyMap<string, readonly Goal[]> {
  return new Map([
    ["Start", [...starts(figures), ...loads(figures)]],
    ["Decision", figures.decisions.flatMap(decisions)],
    ["Other engines", otherEngines(figures)],
    ["Streams", streams(figures)],
    ["Analysis", analyses(figures)],
  ]);
}

function starts({ startUp }: Figures): readonly Goal[] {
  const goal = (about: string, most: number, name: string): Goal => ({
    about,
    unit: "×",
    goal: most,
    measured: startUp.find((each) => each.name === name)?.ratio,
  });
  const nodes = startUp.filter(({ name }) => /^node .* bundle$|^node .*, bundle$/.test(name));
  return [
    goal("compiled program, `check`", 0.9, "compiled"),
    goal("compiled program, `hook claude`", 1.1, "compiled, hook"),
    goal("bundle under Deno, `check`", 2, "deno, bundle"),
    goal("from source under Deno, `check`", 4.5, "deno, source"),
    ...nodes.map(({ name }) => {
      const version = Number(/v(\d+)/.exec(name)?.[1]);
      const title = `bundle under Node ${version}, \`check\`, to an empty program of that Node`;
      return goal(title, version < 22 ? 1.7 : 2, name);
    }),
  ];
}

function loads({ startUp }: Figures): readonly Goal[] {
  const row = (name: string) => startUp.find((each) => each.name === name);
  const more = (rules: number, most: number): Goal => ({
    about: `${rules.toLocaleString("en-US")} rules, more than 10`,
    unit: "ms",
    goal: most,
    measured: row(`deno, bundle, ${rules} rules`)?.more,
  });
  return [
    more(1_000, 15),
    more(10_000, 120),
    {
      about: "100,000 rules, memory",
      unit: "MB",
      goal: 400,
      measured: row("deno, bundle, 100000 rules of the user")?.peak,
    },
    {
      about: "the watchdog of a hook, more than without",
      unit: "ms",
      goal: 3,
      measured: row("hook, watched")?.more,
    },
  ];
}

function decisions({ runtime, parser, ours }: Decisions): readonly Goal[] {
  const [ten, thousand, most] = [10, 1_000, 10_000].map((count) =>
    ours.find(({ rules }) => rules === count)
  );
  const toParser = (us: number | undefined) => us === undefined ? undefined : us / parser;
  const isBun = runtime === "Bun";
  const line = (about: string, goal: number, us: number | undefined): Goal => ({
    about: `${runtime}: ${about}, to the parser`,
    unit: "×",
    goal,
    measured: toParser(us),
  });
  const call = (about: string, goal: number, measured: number | undefined): Goal => ({
    about: `${runtime}: ${about}`,
    unit: "µs",
    goal,
    measured,
  });
  return [
    line("fresh command line, 10 rules", isBun ? 7 : 12, ten?.bash),
    line("fresh command line, 1,000 rules", isBun ? 7 : 12, thousand?.bash),
    ...isBun ? [line("repeated command line, 1,000 rules", 4, thousand?.bashRepeated)] : [],
    call("call about a file, 1,000 rules", 3, thousand?.file),
    call("MCP call, 1,000 rules", 1, thousand?.mcp),
    {
      about: `${runtime}: mixed calls with 10,000 rules, to those with 10`,
      unit: "×",
      goal: 1.2,
      measured: most?.growth,
    },
  ];
}

function otherEngines({ decisions }: Figures): readonly Goal[] {
  const peers = decisions.find(({ runtime }) => runtime === "Bun")?.peers ?? [];
  const gemini = (rules: number) =>
    peers.find((each) => each.name === "Gemini CLI" && each.rules === rules);
  return ([[10, 5, 12], [10_000, 60, 200]] as const).flatMap(([rules, fresh, repeated]) => {
    const about = (kind: string) =>
      `Gemini CLI's engine, ${kind} calls, ${rules.toLocaleString("en-US")} rules (Bun)`;
    const found = gemini(rules);
    const goal = { unit: "× ours", isLeast: true };
    return [
      { ...goal, about: about("fresh"), goal: fresh, measured: found?.freshTimes },
      { ...goal, about: about("repeated"), goal: repeated, measured: found?.repeatedTimes },
    ];
  });
}

function streams({ stdin }: Figures): readonly Goal[] {
  return ([["fresh", 20_000], ["repeated", 40_000]] as const).map(([kind, goal]) => {
    const { calls = 1_000_000, perSecond } = stdin.find(({ name }) => name === kind) ?? {};
    const about = `\`check --stdin\`, a stream of ${calls.toLocaleString("en-US")} ${kind} calls`;
    return { about, unit: "a second", goal, isLeast: true, measured: perSecond };
  });
}

function analyses({ analysis }: Figures): readonly Goal[] {
  const row = (task: string, list: string, rules: number): Analysis | undefined =>
    analysis.find((each) => each.task === task && each.list === list && each.rules === rules);
  const time = (task: string, list: string, rules: number, goal: number): Goal => ({
    about: `\`perms ${task}\`, ${rules.toLocaleString("en-US")} ${LISTS[list]}`,
    unit: "s",
    goal,
    measured: row(task, list, rules)?.seconds,
  });
  return [
    time("lint", "team", 1_000, 1),
    time("lint", "team", 10_000, 6),
    {
      about: "`perms lint`, 10,000 rules of a team, memory",
      unit: "MB",
      goal: 350,
      measured: row("lint", "team", 10_000)?.mb,
    },
    time("lint", "hard", 3_000, 12),
    time("diff", "team", 10_000, 2),
    time("diff", "hard", 3_000, 4),
  ];
}

const LISTS: Readonly<Record<string, string>> = {
  team: "rules of a team",
  hard: "hard rules",
};
