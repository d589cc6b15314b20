/**
 * A process that edits a file, for tests with many of them: `add FILE LINE` appends a line, `churn FILE` replaces the
 * text by longer and longer runs of one number until it is killed, `die FILE` kills itself while it holds the lock.
 */
import process from "node:process";
import { editFile } from "../../lib/io/write/edit_file.ts";

/** The number of lines that `churn` writes. */
export const CHURN_LINES = 20_000;

const FREE = { within: null };

async function drive([verb, file = "", line = ""]: readonly string[]): Promise<void> {
  switch (verb) {
    case "add":
      await editFile(file, (text = "") => `${text}${line}\n`, FREE);
      return;
    case "churn":
      for (let round = 1;; round++) {
        await editFile(file, () => `${process.pid}-${round}\n`.repeat(CHURN_LINES), FREE);
      }
    case "die":
      await editFile(file, () => {
        process.kill(process.pid, "SIGKILL");
        return "never";
      }, FREE);
      return;
    default:
      throw new RangeError(`Cannot drive "${verb}": it is not a verb`);
  }
}

const args = process.argv.slice(2);
if (args.length > 0 && import.meta.main) await drive(args);
