import { foldCase } from "../pattern/unicode.ts";
import type { Request } from "../policy/compile/request.ts";
import { fixedBeginning } from "../policy/compile/index/indeterminate_rules.ts";
import { RuleIndex } from "../policy/compile/rule_index.ts";
import { commandHead, keyOf, requiredNames, type RuleKey } from "../policy/compile/rule_keys.ts";
import type { CompiledRule, RuleSet, ToolRule } from "../policy/compile/compiled_policy.ts";
import { HeadIndex } from "./automata/head_index.ts";
import { RarePieces } from "./rare_pieces.ts";

/** The tools whose rules are asked about the operands of commands. */
export const OPERAND_TOOLS: ReadonlySet<string> = new Set(["Read", "Write", "WebFetch"]);

/** The rules of one tool with their indexes. */
interface IndexedRules {
  readonly toolRules: readonly ToolRule[];
  /** Those that are not built in. */
  written?: readonly ToolRule[];
  /** Made for the first call of the tool: some tools are never called. */
  found?: Narrowing;
  indeterminate?: IndeterminateRules;
}

/** The indexes by which the rules that a call may fit are found. */
interface Narrowing {
  readonly index: RuleIndex;
  readonly pieces: RarePieces;
}

/** The compiled rules of every tool, each tool's compiled once. */
export class RuleStore {
  readonly #make: (tool: string) => readonly ToolRule[];
  readonly #tools = new Map<string, IndexedRules>();

  /** `make` compiles the rules that apply to a tool. */
  constructor(make: (tool: string) => readonly ToolRule[]) {
    this.#make = make;
  }

  /** Every rule that applies to the tool, in order. */
  toolRules(tool: string): readonly ToolRule[] {
    return this.#of(tool).toolRules;
  }

  /** Every rule that applies to the tool and is not built in, in order. */
  writtenRules(tool: string): readonly ToolRule[] {
    const rules = this.#of(tool);
    return rules.written ??= rules.toolRules.filter(({ rule }) => rule.source.kind !== "builtin");
  }

  /** The rules that may fit the call, in order; omits those that do not fit or that an indeterminate rule represents. */
  candidates(request: Request): readonly ToolRule[] {
    const rules = this.#of(request.profile.name);
    const { index, pieces } = rules.found ??= narrowingOf(rules.toolRules);
    return pieces.narrowed(index.candidates(request), request);
  }

  /** Every deny and ask rule of the call's tool that may be indeterminate for the call's line, in order. */
  indeterminate(request: Request): readonly ToolRule[] {
    const tool = this.#of(request.profile.name);
    return (tool.indeterminate ??= new IndeterminateRules(tool.toolRules)).of(request);
  }

  #of(tool: string): IndexedRules {
    return remembered(this.#tools, tool, () => ({ toolRules: this.#make(tool) }));
  }
}

function narrowingOf(toolRules: readonly ToolRule[]): Narrowing {
  const names = new PathNames(toolRules);
  return {
    index: new RuleIndex(toolRules, { keyOf: (toolRule) => names.keyOf(toolRule) }),
    pieces: new RarePieces(toolRules),
  };
}

/** The deny and ask rules for a tool's commands, by their literal beginnings. */
class IndeterminateRules {
  readonly #toolRules: readonly ToolRule[];
  readonly #heads: HeadIndex;

  constructor(toolRules: readonly ToolRule[]) {
    this.#toolRules = toolRules.filter(({ rule, specifier }) =>
      rule.action !== "allow" && specifier?.kind === "argument" && specifier.test.kind === "command"
    );
    this.#heads = new HeadIndex(this.#toolRules.map(headOf));
  }

  /** All rules that may be indeterminate for a call, in order, and perhaps some that are not. */
  of(request: Request): readonly ToolRule[] {
    const open = openBeginnings(request);
    if (open.includes("")) return this.#toolRules;
    const places = new Set(open.flatMap((head) => this.#heads.near(head)));
    return [...places].sort((a, b) => a - b).map((place) => this.#toolRules[place]!);
  }
}

function headOf({ specifier }: ToolRule): string {
  const head = specifier?.kind === "argument" ? commandHead(specifier.test) : undefined;
  return foldCase(head ?? "").trimEnd();
}

/** The fixed beginning of each spelling of the command that is partly unknown; empty if nothing is fixed. */
function openBeginnings({ profile, part }: Request): readonly string[] {
  if (profile.kind !== "command") return [];
  if (!part || part.effect.kind === "opaque") return [""];
  return part.effect.denyTexts.flatMap(({ text, template }) =>
    text === template ? [] : [fixedBeginning(template).trimEnd()]
  );
}

/** With fewer rules the index costs more than it saves. */
const WORTH_IT = 16;

/** Path rules by the rarest name that a path must have, since many may share their longest name. */
class PathNames {
  readonly #rarest = new Map<ToolRule, string>();

  constructor(toolRules: readonly ToolRule[]) {
    if (toolRules.length < WORTH_IT) return;
    const counts = new Map<string, number>();
    const all = toolRules.flatMap((toolRule) => {
      const names = namesOf(toolRule);
      for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
      return names.length === 0 ? [] : [{ toolRule, names }];
    });
    const rarer = (a: string, b: string) => counts.get(b)! < counts.get(a)! ? b : a;
    for (const { toolRule, names } of all) this.#rarest.set(toolRule, names.reduce(rarer));
  }

  /** The key by which a rule is found. */
  keyOf(toolRule: ToolRule): RuleKey | undefined {
    const name = this.#rarest.get(toolRule);
    return name === undefined ? keyOf(toolRule) : { kind: "name", text: name };
  }
}

/** The names that a path must have, folded; empty if it needs none. */
function namesOf(toolRule: ToolRule): readonly string[] {
  if (keyOf(toolRule)?.kind !== "name") return [];
  const { specifier } = toolRule;
  const test = specifier?.kind === "argument"
    ? specifier.test
    : specifier?.kind === "fields"
    ? specifier.fields.find((field) => field.isArgument && !field.negated)?.test
    : undefined;
  return test?.kind === "path" ? requiredNames(test.pattern.glob) : [];
}

interface ViewOptions {
  /** The policy's rules, compiled. */
  readonly store: RuleStore;
  /** The rule that is left out. */
  readonly without?: CompiledRule;
}

/**
 * A policy, or the policy without one of its rules, without compiling the other rules again.
 *
 * INVARIANT: its verdicts are those of the policy compiled without the rule. A law test checks that.
 */
export class PolicyView implements RuleSet {
  /** The policy's rules, the one that is left out included: their indexes stay. */
  readonly rules: RuleSet["rules"];
  /** The policy's settings. */
  readonly settings: RuleSet["settings"];
  readonly #store: RuleStore;
  readonly #without: CompiledRule | undefined;
  readonly #toolRules = new Map<string, readonly ToolRule[]>();
  readonly #written = new Map<string, readonly ToolRule[]>();

  constructor(
    { rules, settings }: Pick<RuleSet, "rules" | "settings">,
    { store, without }: ViewOptions,
  ) {
    this.rules = rules;
    this.settings = settings;
    this.#store = store;
    this.#without = without;
  }

  /** Every rule that applies to the tool, in order. */
  toolRules(tool: string): readonly ToolRule[] {
    return remembered(this.#toolRules, tool, () => this.#rest(this.#store.toolRules(tool)));
  }

  /** Every rule that applies to the tool and is not built in, in order. */
  writtenRules(tool: string): readonly ToolRule[] {
    const written = this.#store.writtenRules(tool);
    // Of other tools only the deny and ask rules are looked for here, and a list that stays is remembered.
    if (this.#without?.action === "allow" && !OPERAND_TOOLS.has(tool)) return written;
    return remembered(this.#written, tool, () => this.#rest(written));
  }

  /** The rules that may fit the call, in order. */
  candidates(request: Request): readonly ToolRule[] {
    const found = this.#store.candidates(request);
    const rest = this.#rest(found);
    const gone = this.#without;
    if (gone === undefined || rest === found || gone.action === "allow") return rest;
    const others = this.#store.indeterminate(request);
    if (others.length === 0) return rest;
    // The rule may have represented others that are indeterminate too.
    const all = new Set([...rest, ...this.#rest(others)]);
    return [...all].sort((a, b) => a.rule.index - b.rule.index);
  }

  /** The same list if the rule that is left out is not in it, so that what others remember of the list holds. */
  #rest(toolRules: readonly ToolRule[]): readonly ToolRule[] {
    if (this.#without === undefined) return toolRules;
    const at = placeOf(this.#without, toolRules);
    return at < 0 ? toolRules : toolRules.toSpliced(at, 1);
  }
}

/** The place of a rule in a list that is in the order of the policy; -1 if it is not there. */
function placeOf(gone: CompiledRule, toolRules: readonly ToolRule[]): number {
  let low = 0;
  let high = toolRules.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (toolRules[middle]!.rule.index < gone.index) low = middle + 1;
    else high = middle;
  }
  return toolRules[low]?.rule === gone ? low : -1;
}

/** The value of a key, made on first use. */
export function remembered<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = values.get(key);
  if (value === undefined) values.set(key, value = make(key));
  return value;
}
