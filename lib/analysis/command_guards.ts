import { foldCase } from "../pattern/fold_case.ts";
import { literalHead } from "../pattern/glob.ts";
import type { Entry } from "../policy/rule_table.ts";
import { firstOpen } from "../shell/parse_word.ts";
import type { Facts } from "../tools/facts.ts";
import { HeadIndex } from "./head_index.ts";

/** The deny and ask rules of one tool on its commands, by how they begin. */
export class CommandGuards {
  readonly #guards: readonly Entry[];
  readonly #heads: HeadIndex;

  /** Finds them among the tool's rules. */
  constructor(entries: readonly Entry[]) {
    this.#guards = entries.filter(({ rule, spec }) =>
      rule.action !== "allow" && spec?.kind === "first" && spec.test.kind === "command"
    );
    this.#heads = new HeadIndex(this.#guards.map(headOf));
  }

  /** All that may not be evaluated for a call, in order; and perhaps some that can. */
  of(facts: Facts): readonly Entry[] {
    const open = openBeginnings(facts);
    if (open.includes("")) return this.#guards;
    const places = new Set(open.flatMap((head) => this.#heads.near(head)));
    return [...places].sort((a, b) => a - b).map((place) => this.#guards[place]!);
  }
}

function headOf({ spec }: Entry): string {
  if (spec?.kind !== "first" || spec.test.kind !== "command" || spec.test.reach === "inside") {
    return "";
  }
  return foldCase(literalHead(spec.test.glob)).trimEnd();
}

/** How each spelling of the command begins that is not fixed; an empty text for what may begin anyhow. */
function openBeginnings({ profile, part }: Facts): readonly string[] {
  if (profile.kind !== "command") return [];
  if (!part || part.unit.kind === "opaque") return [""];
  return part.unit.wide.flatMap(({ text, shape }) =>
    text === shape ? [] : [foldCase(shape.slice(0, firstOpen(shape))).trimEnd()]
  );
}
