import type { PolicyLocation } from "../../io/load/policy_location.ts";
import type { Rule } from "../../model/rule.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import { printPolicy } from "../../policy/edit/print_policy.ts";
import { isWorkspaceFile, usableFile } from "../../policy/sources/entry_text.ts";
import type { Color } from "../../report/color.ts";
import { ruleJson } from "../../report/decision_json.ts";
import { countEffects } from "../../report/diff/diff_report.ts";
import { diffText } from "../../report/diff/diff_text.ts";
import { ruleListText } from "../../report/rule_list.ts";
import { visible } from "../../text/visible.ts";
import type { Review } from "./review.ts";

/** The most rules that are shown. */
const MOST_RULES = 100;

interface Style {
  readonly color: Color;
  readonly folders: PolicyLocation;
}

/** The review for a person; ends in a newline, or is empty. */
export function reviewText(review: Review, { color, folders }: Style): string {
  const { policy, hooks, hosts, auto, changes, fault } = review;
  const rules = policy === undefined ? [] : workspaceRules(policy);
  const more = rules.length - MOST_RULES;
  const blocks = [
    rules.length === 0
      ? ""
      : `Rules:\n${
        ruleListText(rules.slice(0, MOST_RULES).map((rule) => ({ rule })), { color, folders })
      }${more > 0 ? `  and ${more} more: caliban perms list --trust\n` : ""}`,
    linesOf("Settings", policy === undefined ? [] : settingsOf(policy)),
    linesOf(
      "Hooks, which run these commands",
      hooks.map(({ event, matcher, command }) =>
        `${event}${matcher === "" ? "" : ` ${matcher}`}: ${command}`
      ),
    ),
    linesOf(
      "Hosts, which auto mode sends calls to",
      hosts.map(({ baseUrl, model, keyVariable }) =>
        `${baseUrl}, model ${model}, ${
          keyVariable === undefined ? "without a key" : `with the key in ${keyVariable}`
        }`
      ),
    ),
    linesOf("Auto mode", auto),
    fault === undefined ? "" : `The files cannot be shown: ${visible(fault)}\n`,
    changes === undefined
      ? ""
      : `Changes since it was trusted:\n${
        indent(diffText({ ...changes, old: "before", new: "now" }, color))
      }`,
  ];
  return blocks.filter((block) => block !== "").join("\n");
}

function linesOf(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return `${title}:\n${lines.map((line) => `  ${visible(line)}\n`).join("")}`;
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

function workspaceRules({ rules }: CompiledPolicy): readonly Rule[] {
  return rules.filter(({ source: { kind } }) => isWorkspaceFile(kind));
}

/** The settings and tools of the workspace's files, as TOML without blank lines. */
function settingsOf({ sources }: CompiledPolicy): readonly string[] {
  return sources.entries.filter(({ kind }) => isWorkspaceFile(kind)).flatMap((entry) => {
    const file = usableFile(entry);
    if (file === undefined) return [];
    const { settings, tools } = file;
    const text = printPolicy({ shape: "canonical", rules: [], settings, tools, problems: [] });
    return text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  });
}

/** The same for programs. */
export function reviewJson({ policy, hooks, hosts, changes, fault }: Review): object {
  return {
    rules: policy === undefined ? [] : workspaceRules(policy).map(ruleJson),
    hooks,
    hosts,
    changes: changes === undefined ? null : countEffects(changes),
    ...(fault === undefined ? {} : { fault }),
  };
}
