/** A process that asks on its terminal, for tests: `ask_driver.ts HOW` prints each answer as a line `answer JSON`. */
import process from "node:process";
import "../../lib/shell/parse/loaded_parser.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { terminalAsk } from "../../lib/io/runtime/terminal_ask.ts";
import type { AskAnswer } from "../../lib/model/verdict.ts";
import { questionOf } from "../unit/prompt/questions.ts";

const PUSH = questionOf("git push", {
  suggestion: "Bash(git push:*)",
  scopes: ["session", "project", "user", "local"],
});

async function drive(how: string): Promise<void> {
  const asker = terminalAsk(await chooseRuntime(), { settle: how === "settle" ? 1500 : 100 });
  const tell = (answer: AskAnswer) => console.log(`answer ${JSON.stringify(answer)}`);
  switch (how) {
    case "one":
    case "settle":
      return tell(await asker.ask(PUSH, {}));
    case "two":
      tell(await asker.ask(PUSH, {}));
      // Long enough for somebody to type what is not meant for the next question.
      await new Promise((go) => setTimeout(go, 500));
      return tell(await asker.ask(questionOf("git fetch"), {}));
    case "parallel": {
      const given = new AbortController();
      const answers = [
        asker.ask(PUSH, {}),
        asker.ask(questionOf("git stash"), { signal: given.signal }),
        asker.ask(questionOf("git fetch"), {}),
      ];
      given.abort();
      for (const answer of answers) tell(await answer);
      return;
    }
    case "abort": {
      const given = new AbortController();
      setTimeout(() => given.abort(), 500);
      tell(await asker.ask(PUSH, { signal: given.signal }));
      tell(await asker.ask(PUSH, { signal: given.signal }));
      return tell(await asker.ask(questionOf("git fetch"), {}));
    }
    case "hostile":
      return tell(await asker.ask(questionOf("ls\x1b[2J\u202e\n> y  allow once"), {}));
    default:
      throw new RangeError(`Cannot ask "${how}": it is not a way`);
  }
}

const [how] = process.argv.slice(2);
if (how !== undefined && import.meta.main) await drive(how);
