import { foldCase } from "../pattern/fold_case.ts";
import { literalHead } from "../pattern/glob.ts";
import type { Request } from "../policy/compile/facts.ts";
import { RuleIndex } from "../policy/compile/rule_index.ts";
import type { ToolRule } from "../policy/compile/rule_table.ts";
import { firstOpen } from "../shell/parse/parse_word.ts";
import { HeadIndex } from "./automata/head_index.ts";
import { PathNames } from "./languages/path_names.ts";

/** The rules of one tool, ready to be asked. */
interface ToolEntries {
  readonly entries: readonly ToolRule[];
  readonly index: RuleIndex;
  readonly names: PathNames;
  guards?: CommandGuards;
}

/** The compiled rules of every tool, each tool's made once, however many there are. */
export class EntryStore {
  readonly #make: (tool: string) => readonly ToolRule[];
  readonly #tools = new Map<string, ToolEntries>();

  /** `make` compiles the rules that speak of a tool. */
  constructor(make: (tool: string) => readonly ToolRule[]) {
    this.#make = make;
  }

  /** Every rule that speaks of the tool, in order. */
  entries(tool: string): readonly ToolRule[] {
    return this.#of(tool).entries;
  }

  /** The rules that may fit the call, in order; what is left out does not fit, or another one speaks for it. */
  candidates(request: Request): readonly ToolRule[] {
    const { index, names } = this.#of(request.profile.name);
    return names.narrowed(index.candidates(request), request);
  }

  /** Every deny and ask rule of the call's tool that cannot be evaluated for what the call's line leaves open, in order. */
  guards(request: Request): readonly ToolRule[] {
    const tool = this.#of(request.profile.name);
    return (tool.guards ??= new CommandGuards(tool.entries)).of(request);
  }

  #of(tool: string): ToolEntries {
    let known = this.#tools.get(tool);
    if (!known) {
      const toolRules = this.#make(tool);
      known = {
        entries: toolRules,
        index: new RuleIndex(toolRules),
        names: new PathNames(toolRules),
      };
      this.#tools.set(tool, known);
    }
    return known;
  }
}

/** The deny and ask rules of one tool on its commands, by how they begin. */
class CommandGuards {
  readonly #guards: readonly ToolRule[];
  readonly #heads: HeadIndex;

  /** Finds them among the tool's rules. */
  constructor(toolRules: readonly ToolRule[]) {
    this.#guards = toolRules.filter(({ rule, specifier }) =>
      rule.action !== "allow" && specifier?.kind === "argument" && specifier.test.kind === "command"
    );
    this.#heads = new HeadIndex(this.#guards.map(headOf));
  }

  /** All that may not be evaluated for a call, in order; and perhaps some that can. */
  of(request: Request): readonly ToolRule[] {
    const open = openBeginnings(request);
    if (open.includes("")) return this.#guards;
    const places = new Set(open.flatMap((head) => this.#heads.near(head)));
    return [...places].sort((a, b) => a - b).map((place) => this.#guards[place]!);
  }
}

function headOf({ specifier }: ToolRule): string {
  if (
    specifier?.kind !== "argument" || specifier.test.kind !== "command" ||
    specifier.test.anchor === "contains"
  ) {
    return "";
  }
  return foldCase(literalHead(specifier.test.glob)).trimEnd();
}

/** How each spelling of the command begins that is not fixed; an empty text for what may begin anyhow. */
function openBeginnings({ profile, part }: Request): readonly string[] {
  if (profile.kind !== "command") return [];
  if (!part || part.effect.kind === "opaque") return [""];
  return part.effect.denyTexts.flatMap(({ text, template }) =>
    text === template ? [] : [foldCase(template.slice(0, firstOpen(template))).trimEnd()]
  );
}
