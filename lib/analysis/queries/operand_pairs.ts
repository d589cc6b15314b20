import { deciderOf, type PairQuery, type TwoCalls } from "./pair_queries.ts";

/** With more combinations of rules, those of operands are searched together, and those that decide are not told apart. */
const MOST = 4_000;

/**
 * The calls that a rule of the first policy allows or denies, and that are a safety check of the second by their operands: the
 * decider, the rule of the operands or the decider of the second has changed.
 */
export function* operandPairs({ old, new: now, changed }: TwoCalls): Generator<PairQuery> {
  const all = now.operands.guards;
  if (all.length === 0) return;
  const ends = [old.operands.end.rule, now.operands.end.rule];
  const isMoved = (ends[0] === undefined) !== (ends[1] === undefined) ||
    ends.some((end) => end !== undefined && (changed.old.has(end) || changed.new.has(end)));
  const some = isMoved ? all : all.filter(({ rule }) => changed.new.has(rule));
  const denies = now.rules.flatMap((each) => each.rule.action === "deny" ? [each.yes] : []);
  const deciders = old.rules.filter(({ rule }) => rule.action !== "ask");
  const isLarge = deciders.length * all.length * now.rules.length > MOST;
  for (const analysed of deciders) {
    if (!now.operands.mayRun(analysed)) continue;
    const isChanged = changed.old.has(analysed.rule);
    const before = deciderOf(analysed, old);
    const after = now.nearTo(analysed.end).filter(({ rule }) =>
      rule.action !== "deny" && (!isLarge || !isChanged && changed.new.has(rule))
    );
    for (const by of [undefined, ...after]) {
      const guards = isChanged || by && changed.new.has(by.rule) ? all : some;
      const decider = by ? deciderOf(by, now) : { all: [], none: [] };
      for (const group of isLarge ? [guards] : guards.map((guard) => [guard])) {
        const raised = now.operands.raised(by, group);
        if (raised === now.nothing) continue;
        const earlier = all.filter(({ place }) => place < group[0]!.place);
        yield {
          all: [now.domain, ...before.all, ...decider.all, raised],
          none: [...before.none, ...decider.none],
          was: before.rule,
          now: group[0]!.rule,
          isRaised: true,
          hidden: [before.hidden, ...(by ? [] : denies), now.operands.raised(undefined, earlier)],
        };
      }
    }
  }
}
