import type { WrittenTest } from "../model/rule.ts";
import { errorAt, type FileProblem, type Problem, quoted } from "../model/problem.ts";
import { decodeTests } from "../policy/decode/decode_tests.ts";
import { didYouMean } from "../text/did_you_mean.ts";
import type { TomlMember } from "../text/toml_node.ts";
import { parseToml } from "../text/toml_tree.ts";

/** A file with policy tests, or a policy that has some. */
export interface TestFile {
  /** Its absolute path. */
  readonly path: string;
  /** Its text, without a byte order mark. */
  readonly text: string;
  /** Its tests, in the order of the text. */
  readonly tests: readonly WrittenTest[];
}

/**
 * Reads a `*.perms.toml`. Total: `problems` has everything that is wrong, in the order of the text.
 *
 * @example
 * ```ts
 * const { file } = readTestFile('[[tests]]\ncall = "Bash:ls"\nexpect = "ask"\n', "a.perms.toml");
 * file.tests[0]?.expect.value; // "ask"
 * ```
 */
export function readTestFile(
  whole: string,
  path: string,
): { readonly file: TestFile; readonly problems: readonly FileProblem[] } {
  const text = whole.replace(/^\ufeff/, "");
  const document = parseToml(text);
  const problems: Problem[] = [...document.problems];
  const { members } = document.root;
  for (const member of members.values()) {
    if (member.name !== "tests") problems.push(strayKey(member));
  }
  const member = members.get("tests");
  const tests = member === undefined ? [] : decodeTests(member, problems, "tests");
  problems.sort((a, b) => a.span.start - b.span.start);
  return {
    file: { path, text, tests },
    problems: problems.map((problem) => ({ ...problem, path, text })),
  };
}

function strayKey({ name, key }: TomlMember): Problem {
  const isPolicy = ["permissions", "rule", "rules", "tools", "shell", "hooks"].includes(name);
  return errorAt(key, {
    id: "unknown-key",
    message: `Cannot read key ${quoted(name)}: a test file has [[tests]] only`,
    hint: isPolicy
      ? "Rules belong in permissions.toml; --rules names another file of rules"
      : didYouMean(name, ["tests"]) ?? 'Write a test as [[tests]] with "call" and "expect"',
  });
}

/** The end of every test file's name. */
export const TEST_FILE_END = ".perms.toml";
