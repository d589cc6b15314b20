import { decodePolicy } from "../../policy/decode/decode_policy.ts";
import type { CaseOutcome } from "../../suite/run_suite.ts";
import { readTestFile, TEST_FILE_END } from "../../suite/test_file.ts";
import { type Change, changesOf, updatedText } from "../../suite/suite_report.ts";
import { InputError } from "../errors/errors.ts";
import { type PolicyWriting, writePolicyFile } from "../write/write_file.ts";

/** Options of `updateFiles`. */
interface UpdateOptions extends PolicyWriting {
  /** The workspace of a path, or null. */
  readonly within: (path: string) => string | null;
}

/**
 * Writes the decisions of failed tests into their files as what is expected, and gives the changes. Each file is written
 * whole under its lock, and a policy stays trusted. Throws InputError for one that changed since its
 * tests ran, WriteError for one that cannot be.
 */
export async function updateFiles(
  outcomes: readonly CaseOutcome[],
  { within, ...writing }: UpdateOptions,
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
    }, writing);
  }
  return changes;
}

/** The number of tests in a file's text; undefined if the text has errors. */
function countIn(text: string, path: string): number | undefined {
  if (path.endsWith(TEST_FILE_END)) {
    const { file, problems } = readTestFile(text, path);
    return problems.length === 0 ? file.tests.length : undefined;
  }
  const { tests = [], problems } = decodePolicy(text);
  return problems.length === 0 ? tests.length : undefined;
}
