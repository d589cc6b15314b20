import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { CLI, commandOf, finish, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/**
 * What `check` of a plain policy may load. Every module here is paid for by every tool call of an agent: one that is new
 * must be needed there, or be imported where it is needed.
 */
const LOADED: readonly string[] = [
  "cli.ts",
  "lib/agents/agent_name.ts",
  "lib/cli/choose_color.ts",
  "lib/cli/common_flags.ts",
  "lib/cli/dangers.ts",
  "lib/cli/decide_under.ts",
  "lib/cli/decision_flags.ts",
  "lib/cli/errors.ts",
  "lib/cli/exit_status.ts",
  "lib/cli/find_verb.ts",
  "lib/cli/flag.ts",
  "lib/cli/hook_line.ts",
  "lib/cli/invocation.ts",
  "lib/cli/json_depth.ts",
  "lib/cli/parse_args.ts",
  "lib/cli/policy_flags.ts",
  "lib/cli/quote.ts",
  "lib/cli/read_call.ts",
  "lib/cli/registry.ts",
  "lib/cli/run.ts",
  "lib/cli/scope_flag.ts",
  "lib/cli/start_mode.ts",
  "lib/cli/verb.ts",
  "lib/cli/verbs/add.ts",
  "lib/cli/verbs/audit.ts",
  "lib/cli/verbs/auto_eval.ts",
  "lib/cli/verbs/check.ts",
  "lib/cli/verbs/check_run.ts",
  "lib/cli/verbs/completions.ts",
  "lib/cli/verbs/diff.ts",
  "lib/cli/verbs/doctor.ts",
  "lib/cli/verbs/explain.ts",
  "lib/cli/verbs/export.ts",
  "lib/cli/verbs/hook.ts",
  "lib/cli/verbs/hook_install.ts",
  "lib/cli/verbs/hook_try.ts",
  "lib/cli/verbs/hook_uninstall.ts",
  "lib/cli/verbs/import.ts",
  "lib/cli/verbs/init.ts",
  "lib/cli/verbs/lint.ts",
  "lib/cli/verbs/list.ts",
  "lib/cli/verbs/remove.ts",
  "lib/cli/verbs/replay.ts",
  "lib/cli/verbs/schema.ts",
  "lib/cli/verbs/suggest.ts",
  "lib/cli/verbs/test_policy.ts",
  "lib/cli/verbs/trust.ts",
  "lib/engine/decide.ts",
  "lib/engine/evaluate.ts",
  "lib/engine/judge_file.ts",
  "lib/engine/judge_line.ts",
  "lib/engine/judged.ts",
  "lib/engine/quoted.ts",
  "lib/engine/reason.ts",
  "lib/engine/shadow_warnings.ts",
  "lib/engine/walk.ts",
  "lib/engine/why_not.ts",
  "lib/engine/why_not_command.ts",
  "lib/guard/check.ts",
  "lib/guard/check_edit.ts",
  "lib/guard/check_foreign.ts",
  "lib/guard/check_line.ts",
  "lib/guard/check_unread.ts",
  "lib/guard/fetched_name.ts",
  "lib/guard/file_uses.ts",
  "lib/guard/git_setting.ts",
  "lib/guard/guard_call.ts",
  "lib/guard/guarded_places.ts",
  "lib/guard/names_place.ts",
  "lib/guard/protected_place.ts",
  "lib/guard/target.ts",
  "lib/guard/writing_verb.ts",
  "lib/io/choose_runtime.ts",
  "lib/io/dangling.ts",
  "lib/io/deno_runtime.ts",
  "lib/io/file_fault.ts",
  "lib/io/file_text.ts",
  "lib/io/find_facts.ts",
  "lib/io/find_workspace.ts",
  "lib/io/load_error.ts",
  "lib/io/load_policy.ts",
  "lib/io/load_sources.ts",
  "lib/io/read_places.ts",
  "lib/io/real_path.ts",
  "lib/io/runtime.ts",
  "lib/io/sha256.ts",
  "lib/io/trust_files.ts",
  "lib/io/write_all.ts",
  "lib/model/action.ts",
  "lib/model/hook.ts",
  "lib/model/match.ts",
  "lib/modes/accept_edits.ts",
  "lib/modes/asks_by_spec.ts",
  "lib/modes/auto.ts",
  "lib/modes/bypass_permissions.ts",
  "lib/modes/default.ts",
  "lib/modes/disabled.ts",
  "lib/modes/dont_ask.ts",
  "lib/modes/mode.ts",
  "lib/modes/plan.ts",
  "lib/modes/registry.ts",
  "lib/pattern/fold_case.ts",
  "lib/pattern/glob.ts",
  "lib/pattern/linked_pattern.ts",
  "lib/pattern/match_glob.ts",
  "lib/pattern/match_path.ts",
  "lib/pattern/match_url.ts",
  "lib/pattern/nfc.ts",
  "lib/pattern/normal_path.ts",
  "lib/pattern/overlap.ts",
  "lib/pattern/parse_pattern.ts",
  "lib/pattern/parse_spec.ts",
  "lib/pattern/path_facts.ts",
  "lib/pattern/path_glob.ts",
  "lib/pattern/path_pattern.ts",
  "lib/pattern/path_program.ts",
  "lib/pattern/print_pattern.ts",
  "lib/pattern/run_program.ts",
  "lib/pattern/url_facts.ts",
  "lib/pattern/url_pattern.ts",
  "lib/policy/command_matcher.ts",
  "lib/policy/compile_policy.ts",
  "lib/policy/could_name.ts",
  "lib/policy/decode_document.ts",
  "lib/policy/decode_fast.ts",
  "lib/policy/decode_fast_scan.ts",
  "lib/policy/decode_hooks.ts",
  "lib/policy/decode_rule.ts",
  "lib/policy/decode_rules.ts",
  "lib/policy/decode_settings.ts",
  "lib/policy/decode_shell.ts",
  "lib/policy/decode_tools.ts",
  "lib/policy/did_you_mean.ts",
  "lib/policy/foreign_matcher.ts",
  "lib/policy/guard_rules.ts",
  "lib/policy/instant.ts",
  "lib/policy/keys.ts",
  "lib/policy/known_programs.ts",
  "lib/policy/mixed_shapes.ts",
  "lib/policy/policy.ts",
  "lib/policy/policy_error.ts",
  "lib/policy/problems.ts",
  "lib/policy/read_value.ts",
  "lib/policy/rule_index.ts",
  "lib/policy/rule_keys.ts",
  "lib/policy/rule_matcher.ts",
  "lib/policy/rule_table.ts",
  "lib/policy/search_matcher.ts",
  "lib/policy/speaks_of.ts",
  "lib/policy/unknown_keys.ts",
  "lib/policy/value_matcher.ts",
  "lib/report/call_text.ts",
  "lib/report/color.ts",
  "lib/report/decision_text.ts",
  "lib/report/layout.ts",
  "lib/report/place_text.ts",
  "lib/report/visible.ts",
  "lib/report/width.ts",
  "lib/shell/arithmetic.ts",
  "lib/shell/awk_script.ts",
  "lib/shell/braces.ts",
  "lib/shell/command_texts.ts",
  "lib/shell/contents.ts",
  "lib/shell/file_tails.ts",
  "lib/shell/folders.ts",
  "lib/shell/gaps.ts",
  "lib/shell/inner_command.ts",
  "lib/shell/jq_filter.ts",
  "lib/shell/line_facts.ts",
  "lib/shell/local_path.ts",
  "lib/shell/loop_words.ts",
  "lib/shell/operand_kinds.ts",
  "lib/shell/option_uses.ts",
  "lib/shell/parse_command.ts",
  "lib/shell/parse_compound.ts",
  "lib/shell/parse_line.ts",
  "lib/shell/parse_word.ts",
  "lib/shell/place.ts",
  "lib/shell/plain_command.ts",
  "lib/shell/prints.ts",
  "lib/shell/program.ts",
  "lib/shell/programs.ts",
  "lib/shell/read_command.ts",
  "lib/shell/read_line.ts",
  "lib/shell/read_options.ts",
  "lib/shell/read_wrapped.ts",
  "lib/shell/redirect_units.ts",
  "lib/shell/script_uses.ts",
  "lib/shell/sed_script.ts",
  "lib/shell/set_variables.ts",
  "lib/shell/shell_reading.ts",
  "lib/shell/simple_reader.ts",
  "lib/shell/spaced_line.ts",
  "lib/shell/syntax.ts",
  "lib/shell/tree.ts",
  "lib/shell/unit_reader.ts",
  "lib/shell/use_units.ts",
  "lib/sources/builtin.ts",
  "lib/sources/cli.ts",
  "lib/sources/command.ts",
  "lib/sources/entry_text.ts",
  "lib/sources/flag.ts",
  "lib/sources/local.ts",
  "lib/sources/managed.ts",
  "lib/sources/merge.ts",
  "lib/sources/merge_settings.ts",
  "lib/sources/merge_tools.ts",
  "lib/sources/merge_wrappers.ts",
  "lib/sources/notices.ts",
  "lib/sources/path_style.ts",
  "lib/sources/project.ts",
  "lib/sources/registry.ts",
  "lib/sources/session.ts",
  "lib/sources/single_rule.ts",
  "lib/sources/source_error.ts",
  "lib/sources/trust.ts",
  "lib/sources/trust_text.ts",
  "lib/sources/user.ts",
  "lib/sources/user_folder.ts",
  "lib/sources/workspace.ts",
  "lib/sources/workspace_file.ts",
  "lib/suggest/decide_call.ts",
  "lib/suggest/exact_pattern.ts",
  "lib/suggest/narrow_pattern.ts",
  "lib/suggest/with_flag.ts",
  "lib/tools/facts.ts",
  "lib/tools/profiles.ts",
  "lib/tools/read_field.ts",
];

const NEEDS = { skip: without("deno") };

/** What one run of the command line loaded. */
interface Loaded {
  /** Our modules, by path from the root, sorted. */
  readonly own: readonly string[];
  /** The names of the packages. */
  readonly packages: ReadonlySet<string>;
  /** The text of every module, ours and the packages'. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Runs `check` in a folder, as Deno. V8 writes one coverage profile for each module that it has run, and for no other. */
async function loadedBy(words: readonly string[], folder: string): Promise<Loaded> {
  const profiles = join(folder, "profiles");
  const flags = ["--quiet", "--no-prompt", "--cached-only", "--allow-read", "--allow-env"];
  const command = [
    commandOf("deno"),
    "run",
    ...flags,
    `--coverage=${profiles}`,
    CLI,
    "check",
    ...words,
  ];
  const home = join(folder, "home");
  mkdirSync(home);
  const ended = await finish(command, { cwd: join(folder, "ws"), env: { HOME: home } });
  assert.equal(ended.status, 0, ended.stderr);
  const paths = readdirSync(profiles).map((name) => {
    const profile: { url: string } = JSON.parse(readFileSync(join(profiles, name), "utf8"));
    return fileURLToPath(profile.url);
  });
  const isOwn = (path: string) => path.startsWith(`${REPO}/`) && !path.includes("/node_modules/");
  return {
    own: paths.filter(isOwn).map((path) => path.slice(REPO.length + 1)).toSorted(),
    packages: new Set(paths.filter((path) => !isOwn(path)).map(packageOf)),
    texts: new Map(paths.map((path) => [path, readFileSync(path, "utf8")])),
  };
}

/** The package that a module in Deno's cache, or in node_modules, belongs to. */
function packageOf(path: string): string {
  const match = /\/(?:npm\/[^/]+|node_modules)\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
  return match?.[1] ?? path;
}

function withPolicy(text: string, use: (folder: string) => Promise<void>): Promise<void> {
  return withTempDir(async (folder) => {
    mkdirSync(join(folder, "ws/.caliban"), { recursive: true });
    writeFileSync(join(folder, "ws/.caliban/permissions.toml"), text);
    await use(folder);
  });
}

const example = readFileSync(join(REPO, "examples/policy/.caliban/permissions.toml"), "utf8");

test(
  "check of a plain policy loads these modules, a parser of TOML, one of shell lines and nothing of Node",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own, packages, texts } = await loadedBy(["Bash", "git status"], folder);
      assert.deepEqual(own, LOADED);
      assert.deepEqual([...packages].toSorted(), ["smol-toml", "unbash"]);
      const names = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["']node:/;
      assert.deepEqual([...texts].filter(([, text]) => names.test(text)).map(([path]) => path), []);
    }),
);

test(
  "another format loads its own reporter alone",
  NEEDS,
  () =>
    withPolicy(example, async (folder) => {
      const { own } = await loadedBy(["--json", "Bash", "git status"], folder);
      const reporters = own.filter((path) => path.startsWith("lib/report/"));
      assert.deepEqual(reporters, [
        "lib/report/color.ts",
        "lib/report/decision_json.ts",
        "lib/report/visible.ts",
      ]);
    }),
);

test(
  "a policy that is written in another way loads the full decoder and its parser",
  NEEDS,
  () =>
    withPolicy(
      'permissions.rules = [{ pattern = "Bash(git:*)", action = "allow" }]\n',
      async (folder) => {
        const { own, packages } = await loadedBy(["Bash", "git status"], folder);
        assert.ok(own.includes("lib/policy/decode_policy.ts"));
        assert.ok(packages.has("toml-eslint-parser"));
      },
    ),
);
