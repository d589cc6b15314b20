import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { finish, HERE, starter } from "../support/process.ts";
import { withoutTerminal } from "../support/pty.ts";
import { PtySession } from "../support/pty_session.ts";
import { withTempDir } from "../support/temp_dir.ts";

const POLICY = '[[permissions.rules]]\npattern = "Bash:make *"\naction = "allow"\n';
const LOOSER = POLICY.replace("make *", "*");

/** Keys on a terminal that `caliban trust` asks on, the file they find when they are typed, and the answer to `make x` afterwards. */
const ANSWERS: readonly (readonly [title: string, typed: string, action: "allow" | "ask"])[] = [
  ["y trusts", "y\r", "allow"],
  ["Enter alone does not", "\r", "ask"],
  ["a word that begins with y does not", "yolo\r", "ask"],
  ["the end of the input does not", "\x04", "ask"],
];

for (const [title, typed, action] of ANSWERS) {
  test(`caliban trust on a terminal shows the rules and asks: ${title}`, {
    timeout: 60_000,
    skip: withoutTerminal(),
  }, async () => {
    await withTempDir(async (folder) => {
      const { place, session } = trusting(folder);
      await session.until("Bash:make *");
      await session.until("Trust these files? [y/N] ");
      await session.type(typed);
      await session.ended();
      assert.equal(await actionOf("make x", place), action);
    });
  });
}

test("a file that changes while caliban trust asks is not trusted", {
  timeout: 60_000,
  skip: withoutTerminal(),
}, async () => {
  await withTempDir(async (folder) => {
    const { place, session, file } = trusting(folder);
    await session.until("Trust these files? [y/N] ");
    writeFileSync(file, LOOSER);
    await session.type("y\r");
    await session.ended();
    assert.equal(await actionOf("make x", place), "ask");
    assert.equal(await actionOf("git push", place), "ask");
  });
});

function trusting(folder: string) {
  const cwd = join(folder, "work");
  const home = join(folder, "home");
  const file = join(cwd, ".caliban/permissions.toml");
  mkdirSync(join(cwd, ".caliban"), { recursive: true });
  mkdirSync(home);
  writeFileSync(file, POLICY);
  const place = { cwd, env: { HOME: home, NO_COLOR: "1" } };
  return { place, file, session: new PtySession([...starter(HERE), "trust"], place) };
}

async function actionOf(
  command: string,
  place: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<string> {
  const { stdout } = await finish([...starter(HERE), "check", "--json", "Bash", command], place);
  return JSON.parse(stdout).verdict;
}
