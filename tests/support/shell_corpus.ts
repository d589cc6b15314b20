/** The corpus of shell lines: the rules and the verdict of each. */
import { type Policy, policyFromToml } from "../../lib/core.ts";
import { oneRepository } from "./policy.ts";
import policies from "../cases/shell/corpus/policies.json" with { type: "json" };
import assignments from "../cases/shell/corpus/assignments.json" with { type: "json" };
import attacks from "../cases/shell/corpus/attacks.json" with { type: "json" };
import attacks_environment from "../cases/shell/corpus/attacks_environment.json" with {
  type: "json",
};
import attacks_everyday from "../cases/shell/corpus/attacks_everyday.json" with {
  type: "json",
};
import attacks_expansion from "../cases/shell/corpus/attacks_expansion.json" with {
  type: "json",
};
import attacks_git from "../cases/shell/corpus/attacks_git.json" with { type: "json" };
import attacks_hidden from "../cases/shell/corpus/attacks_hidden.json" with { type: "json" };
import attacks_made_names from "../cases/shell/corpus/attacks_made_names.json" with {
  type: "json",
};
import attacks_names from "../cases/shell/corpus/attacks_names.json" with { type: "json" };
import attacks_redirection from "../cases/shell/corpus/attacks_redirection.json" with {
  type: "json",
};
import attacks_shells from "../cases/shell/corpus/attacks_shells.json" with { type: "json" };
import attacks_state from "../cases/shell/corpus/attacks_state.json" with { type: "json" };
import attacks_tools from "../cases/shell/corpus/attacks_tools.json" with { type: "json" };
import attacks_tree from "../cases/shell/corpus/attacks_tree.json" with { type: "json" };
import attacks_unknown from "../cases/shell/corpus/attacks_unknown.json" with { type: "json" };
import attacks_words from "../cases/shell/corpus/attacks_words.json" with { type: "json" };
import companions from "../cases/shell/corpus/companions.json" with { type: "json" };
import denied from "../cases/shell/corpus/denied.json" with { type: "json" };
import denied_ask from "../cases/shell/corpus/denied_ask.json" with { type: "json" };
import folders from "../cases/shell/corpus/folders.json" with { type: "json" };
import global_options from "../cases/shell/corpus/global_options.json" with { type: "json" };
import harmless from "../cases/shell/corpus/harmless.json" with { type: "json" };
import literal from "../cases/shell/corpus/literal.json" with { type: "json" };
import literal_parsed from "../cases/shell/corpus/literal_parsed.json" with { type: "json" };
import made_names from "../cases/shell/corpus/made_names.json" with { type: "json" };
import not_denied from "../cases/shell/corpus/not_denied.json" with { type: "json" };
import ordinary from "../cases/shell/corpus/ordinary.json" with { type: "json" };
import ordinary_shells from "../cases/shell/corpus/ordinary_shells.json" with { type: "json" };
import redirections from "../cases/shell/corpus/redirections.json" with { type: "json" };
import redirections_bare from "../cases/shell/corpus/redirections_bare.json" with {
  type: "json",
};
import single_reasons from "../cases/shell/corpus/single_reasons.json" with { type: "json" };
import tree from "../cases/shell/corpus/tree.json" with { type: "json" };
import urls from "../cases/shell/corpus/urls.json" with { type: "json" };
import whole_line from "../cases/shell/corpus/whole_line.json" with { type: "json" };
import whole_line_redirected from "../cases/shell/corpus/whole_line_redirected.json" with {
  type: "json",
};
import work_trees from "../cases/shell/corpus/work_trees.json" with { type: "json" };
import wrappers from "../cases/shell/corpus/wrappers.json" with { type: "json" };

/** One line. */
export interface CorpusCase {
  readonly command: string;
  readonly expect: string;
  readonly policy?: string;
}

/** Lines under the same rules. */
export interface CorpusTable {
  readonly title: string;
  readonly policy: string;
  readonly cases: readonly CorpusCase[];
}

/** Tables in which "ask" means at least ask. */
export const AT_LEAST: Readonly<Record<string, CorpusTable>> = {
  attacks,
  attacks_environment,
  attacks_everyday,
  attacks_expansion,
  attacks_git,
  attacks_hidden,
  attacks_made_names,
  attacks_names,
  attacks_redirection,
  attacks_shells,
  attacks_state,
  attacks_tools,
  attacks_tree,
  attacks_unknown,
  attacks_words,
  denied_ask,
};

/** Tables of exact verdicts. */
export const EXACT: Readonly<Record<string, CorpusTable>> = {
  assignments,
  companions,
  denied,
  folders,
  global_options,
  harmless,
  literal,
  literal_parsed,
  made_names,
  not_denied,
  ordinary,
  ordinary_shells,
  redirections,
  redirections_bare,
  single_reasons,
  tree,
  urls,
  whole_line,
  whole_line_redirected,
  work_trees,
  wrappers,
};

const NAMED: Readonly<Record<string, string>> = policies;

/** The policy of a name, or of a text. */
export function corpusPolicy(policy: string): Policy {
  return policyFromToml(NAMED[policy] ?? policy, {
    workspace: "/work",
    home: "/home/ada",
    gitRepository: oneRepository("/work", ["vendor/bare", "vendor/nested"]),
  });
}
