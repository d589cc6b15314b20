import type { Action } from "../../model/call.ts";
import { onlyText, printGlob } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import { urlParts } from "../../pattern/url/url_pattern.ts";
import type { CompiledRule, ToolRule } from "../../policy/compile/compiled_policy.ts";
import { headOf } from "../automata/head_index.ts";
import type { State } from "../automata/state.ts";
import type { RuleLanguage } from "./rule_language.ts";
import type { RuleLanguages } from "./rule_languages.ts";

/** A rule as one tool reads it. */
export class AnalysedRule implements RuleLanguage {
  /** Its place among the tool's rules. */
  readonly place: number;
  /** The rule itself. */
  readonly rule: CompiledRule;
  /** The rule, compiled for this tool. */
  readonly toolRule: ToolRule;
  readonly #languages: RuleLanguages;
  #end: string | undefined;

  /** `languages` has those of all rules of the tool. */
  constructor(
    toolRule: ToolRule,
    { place, languages }: { readonly place: number; readonly languages: RuleLanguages },
  ) {
    this.place = place;
    this.rule = toolRule.rule;
    this.toolRule = toolRule;
    this.#languages = languages;
  }

  /** The calls that it fits. */
  get yes(): State {
    return this.#languages.at(this.place).yes;
  }

  /** The calls that it fits, for their least word alone: the other rules of the tool need no language for it. */
  get yesAlone(): State {
    return this.#languages.alone(this.place).yes;
  }

  /** The calls for which it is indeterminate; nothing for an allow rule. */
  get indeterminate(): State {
    return this.#languages.at(this.place).indeterminate;
  }

  /** A text by which rules are told apart: they fit nothing in common if neither text begins with the other. */
  get end(): string {
    return this.#end ??= endOf(this);
  }
}

/** The end of the host, reversed, or the beginning of all words. */
function endOf(analysed: AnalysedRule): string {
  const { toolRule } = analysed;
  const test = toolRule.specifier?.kind === "argument" ? toolRule.specifier.test : undefined;
  const isUrl = test?.kind === "url" || test?.kind === "domain";
  return isUrl ? hostEnd(test, toolRule.rule.action) : headOf(analysed.yes);
}

type UrlTest = Extract<ValueTest, { kind: "url" | "domain" }>;

/**
 * The end of all hosts that a test fits, reversed, with a mark behind a whole host; empty if that is not fixed, as for a
 * deny whose wildcards may also match a part of the path.
 */
function hostEnd(test: UrlTest, action: Action): string {
  if (test.kind === "domain") return backwards(test.host);
  const parts = urlParts(printGlob(test.glob));
  if (!parts.ok || !parts.value) return "";
  const { scheme, host, labels } = parts.value;
  const whole = onlyText(host);
  if (whole !== undefined) {
    const isFixed = action === "allow" || onlyText(scheme) !== undefined;
    return isFixed ? `${backwards(whole)}\u0000` : "";
  }
  if (action !== "allow") return "";
  let end = "";
  for (const label of labels.toReversed()) {
    const text = label.kind === "label" ? onlyText(label.glob) : undefined;
    if (text === undefined) return end;
    end += `${backwards(text)}.`;
  }
  return end.replace(/\.$/, "\u0000");
}

function backwards(text: string): string {
  return [...text].reverse().join("");
}
