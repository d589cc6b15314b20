import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import type { CaseOutcome } from "../../suite/run_case.ts";
import { readTestFile } from "../../suite/test_file.ts";
import { TEST_FILE_END } from "../../suite/test_file_name.ts";
import { type Change, changesOf, updatedText } from "../../suite/update_expectations.ts";
import { InputError } from "../errors.ts";
import { writePolicyFile } from "../write_file.ts";

/**
 * Writes the decisions of failed tests into their files as what is expected, and gives the changes. Each file is written
 * whole under its lock; `within` gives the workspace of a path, or null. Throws InputError for one that changed since its
 * tests ran, WriteError for one that cannot be.
 */
export async function updateFiles(
  outcomes: readonly CaseOutcome[],
  within: (path: string) => string | null,
): Promise<readonly Change[]> {
  const changes = changesOf(outcomes);
  for (const file of new Set(changes.map(({ outcome }) => outcome.file))) {
    const { path, text, tests } = file;
    const own = changes.filter(({ outcome }) => outcome.file === file);
    await writePolicyFile({ path, within: within(path), newFolders: 0 }, (now) => {
      if (now !== text) {
        throw new InputError(`Cannot update "${path}": it changed while its tests ran`, {
          hint: "Run it again",
        });
      }
      const updated = updatedText(text, own);
      if (countIn(updated, path) === tests.length) return updated;
      throw new Error(`Updating ${path} would break it`);
    });
  }
  return changes;
}

/** How many tests a file's text has; undefined when something in it is wrong. */
function countIn(text: string, path: string): number | undefined {
  if (path.endsWith(TEST_FILE_END)) {
    const { file, problems } = readTestFile(text, path);
    return problems.length === 0 ? file.tests.length : undefined;
  }
  const { tests = [], problems } = decodePolicy(text);
  return problems.length === 0 ? tests.length : undefined;
}
