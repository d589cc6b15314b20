import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { compileInto } from "../../scripts/release/compile_into.ts";
import {
  CLI,
  commandOf,
  type Ended,
  finish,
  type Program,
  starter,
  treeOf,
  TRIED,
  unwrapped,
  without,
} from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const LONG = { timeout: 120_000 };

/** The needs of a test of a runtime. */
function needs(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return { ...LONG, skip: without(program) };
}

function needsLinux(program: Program): { readonly timeout: number; readonly skip: string | false } {
  return process.platform === "linux" ? needs(program) : { ...LONG, skip: "needs Linux" };
}

interface Place {
  /** The folder that commands run in: the agent works on it, and may have written in it. */
  readonly cwd: string;
  /** The home. */
  readonly home: string;
}

function inPlace(use: (place: Place) => void | Promise<void>): Promise<void> {
  return withTempDir((folder) => {
    const [cwd, home] = [join(folder, "work"), join(folder, "home")];
    mkdirSync(cwd);
    mkdirSync(home);
    return use({ cwd, home });
  });
}

/** Every file by which a runtime lets the current folder configure it; `proof` is written when code of it runs. */
function layBait({ cwd }: Place): string {
  const proof = join(cwd, "proof");
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  write(
    "evil.ts",
    `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(proof)}, "");\n`,
  );
  for (const name of [".env", ".env.local", ".env.development", ".env.production"]) {
    write(name, "CALIBAN_AUTO_ALLOW=1\n");
  }
  write("bunfig.toml", 'preload = ["./evil.ts"]\n[run]\npreload = ["./evil.ts"]\n');
  write("tsconfig.json", '{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}');
  const scripts = { [CLI]: "touch proof", "cli.ts": "touch proof" };
  write("package.json", JSON.stringify({ scripts, imports: { "#x": "./evil.ts" } }));
  const imports = { "toml-eslint-parser": "./evil.ts", [CLI]: "./evil.ts" };
  write("deno.json", JSON.stringify({ imports }));
  for (const name of ["toml-eslint-parser", "proper-lockfile"]) {
    mkdirSync(join(cwd, "node_modules", name), { recursive: true });
    write(`node_modules/${name}/package.json`, JSON.stringify({ name, main: "../../evil.ts" }));
  }
  return proof;
}

/** Runs words, in the hostile folder and in one below it, and asserts that it changed nothing. */
async function assertUnmoved(words: readonly string[], place: Place): Promise<void> {
  const proof = layBait(place);
  const below = join(place.cwd, "a/b");
  mkdirSync(below, { recursive: true });
  for (const cwd of [place.cwd, below]) {
    const { status, stdout, stderr } = await finish([...words, "check", "Bash", "git push"], {
      cwd,
      env: { HOME: place.home },
    });
    assert.equal(existsSync(proof), false, "code of the folder ran");
    assert.equal(status, 2, stderr);
    assert.match(stdout, /^ask /);
    const added = await finish([...words, "add", "Bash(npm test:*)", "allow", "--scope", "user"], {
      cwd,
      env: { HOME: place.home },
    });
    assert.equal(added.status, 0, added.stderr);
    assert.equal(existsSync(proof), false, "code of the folder ran");
  }
}

for (const program of TRIED) {
  test(
    `the folder that is judged does not configure ${program}`,
    needs(program),
    () => inPlace((place) => assertUnmoved(starter(program), place)),
  );
}

test(
  "the bait works: without our flags Bun takes it",
  needs("bun"),
  () =>
    inPlace(async (place) => {
      const proof = layBait(place);
      const run = () =>
        finish([commandOf("bun"), CLI, "check", "Bash", "git push"], {
          cwd: place.cwd,
          env: { HOME: place.home },
        });
      await run();
      assert.equal(existsSync(proof), true, "nothing of bunfig.toml or tsconfig.json ran");
      rmSync(proof);
      rmSync(join(place.cwd, "bunfig.toml"));
      await run();
      assert.equal(existsSync(proof), true, "nothing of tsconfig.json ran");
      rmSync(join(place.cwd, "tsconfig.json"));
      assert.equal((await run()).status, 0, "nothing of .env counted");
    }),
);

test(
  "the folder that is judged does not configure a compiled binary",
  needs("bun"),
  () =>
    inPlace(async (place) => {
      const binary = join(place.home, "caliban");
      compileInto(binary);
      await assertUnmoved([binary], place);
    }),
);

interface Odd extends Place {
  /** The words that run the command line. */
  readonly words: readonly string[];
}

function oddly(program: Program, use: (odd: Odd) => void | Promise<void>): Promise<void> {
  return inPlace((place) => use({ ...place, words: starter(program) }));
}

/** Runs a shell script in which `"$@"` is the command line. */
function shell(script: string, { cwd, home, words }: Odd): Promise<Ended> {
  return finish(["bash", "-c", script, "bash", ...words], { cwd, env: { HOME: home } });
}

for (const program of TRIED) {
  test(
    `without HOME and XDG it says what to set, and decides nothing (${program})`,
    needs(program),
    () =>
      oddly(program, async ({ cwd, words }) => {
        for (const env of [{}, { HOME: "", XDG_CONFIG_HOME: "" }, { HOME: "relative" }]) {
          const ended = await finish([...words, "check", "Read", "a"], { cwd, env });
          assert.deepEqual([ended.status, ended.stdout], [64, ""]);
          assert.match(
            unwrapped(ended.stderr),
            /neither XDG_CONFIG_HOME nor HOME .* pass --no-user$/m,
          );
          const alone = await finish([...words, "check", "Read", "a", "--no-user"], { cwd, env });
          assert.equal(alone.status, 0, alone.stderr);
        }
      }),
  );

  test(
    `a current folder that is gone is an error (${program})`,
    needs(program),
    () =>
      oddly(program, async (odd) => {
        mkdirSync(join(odd.cwd, "gone"));
        const script = 'cd gone && rmdir ../gone && "$@" check Read a --allow Read';
        const { status, stdout } = await shell(script, odd);
        // Deno does not even start there; it ends in 1, which is a deny.
        assert.equal(status, program === "deno" ? 1 : 66);
        assert.equal(stdout, "");
      }),
  );

  test(
    `closed streams change no status (${program})`,
    needs(program),
    () =>
      oddly(program, async (odd) => {
        const ends: readonly (readonly [script: string, status: number])[] = [
          ['"$@" check Bash ls --deny Bash >&-', 1],
          ['"$@" check Bash ls >&- 2>&-', 2],
          ['"$@" check Bash ls --deny Bash <&-', 1],
          ['"$@" check Bash - <&-', 65],
          ['"$@" check --stdin <&-', 0],
          ['"$@" check --bogus 2>&-', 64],
          ['"$@" check --bogus >&- 2>&- <&-', 64],
        ];
        for (const [script, status] of ends) {
          assert.equal((await shell(script, odd)).status, status, script);
        }
      }),
  );

  test(
    `an answer that cannot be written is no answer (${program})`,
    needsLinux(program),
    () =>
      oddly(program, async (odd) => {
        const allowed = '"$@" check Bash ls --allow Bash';
        const full = await shell(`${allowed} >/dev/full`, odd);
        assert.equal(full.status, 73, full.stderr);
        assert.match(unwrapped(full.stderr), /^error: Cannot write "stdout": .*[Nn]o space left/);
        assert.equal((await shell(`${allowed} >/dev/full 2>/dev/full`, odd)).status, 73);
        assert.equal((await shell('"$@" check --bogus 2>/dev/full', odd)).status, 64);
        assert.equal((await shell('echo "{}" | "$@" check --stdin >/dev/full', odd)).status, 73);
        assert.equal((await shell('"$@" check --help >/dev/full', odd)).status, 73);
      }),
  );

  test(
    `standard input that cannot be read is an error (${program})`,
    needs(program),
    () =>
      oddly(program, async (odd) => {
        for (const line of ["check Bash - --allow Bash", "check --stdin"]) {
          const { status, stdout, stderr } = await shell(`"$@" ${line} < .`, odd);
          assert.deepEqual([status, stdout], [65, ""]);
          assert.match(unwrapped(stderr), /^error: Cannot read "standard input": /);
        }
      }),
  );

  test(
    `what is no file where a policy should be is an error (${program})`,
    needs(program),
    () =>
      oddly(program, async ({ cwd, home, words }) => {
        const kinds: readonly (readonly [string, (path: string) => void, RegExp])[] = [
          ["folder", (path) => mkdirSync(path), /it is not a file$/m],
          ["loop", (path) => symlinkSync("permissions.toml", path), /links lead in a circle$/m],
          ["dangling", (path) => symlinkSync("nowhere", path), /a link that leads nowhere$/m],
          ["fifo", (path) =>
            void spawnSync("mkfifo", [path]), /it is a pipe or device, not a file; save/m],
        ];
        for (const [kind, make, message] of kinds) {
          const workspace = join(cwd, kind);
          mkdirSync(join(workspace, ".caliban"), { recursive: true });
          make(join(workspace, ".caliban/permissions.toml"));
          const before = kind === "fifo" ? undefined : treeOf(workspace);
          for (const argv of [["check", "Read", "a"], ["add", "Bash:ls", "allow"], ["list"]]) {
            const ended = await finish([...words, ...argv], {
              cwd: workspace,
              env: { HOME: home },
            });
            assert.ok(ended.status === 65 || ended.status === 66, `${kind}: ${ended.stderr}`);
            assert.match(unwrapped(ended.stderr), message);
            assert.equal(ended.stdout, "");
          }
          if (before !== undefined) {
            assert.deepEqual(treeOf(workspace), before);
          }
        }
      }),
  );

  test(
    `a loop in place of any folder is an error (${program})`,
    needs(program),
    () =>
      oddly(program, async ({ cwd, home, words }) => {
        symlinkSync("loop", join(cwd, "loop"));
        mkdirSync(join(cwd, "project"));
        symlinkSync(".caliban", join(cwd, "project/.caliban"));
        const lines: readonly (readonly [string, readonly string[]])[] = [
          [".", ["--workspace", "loop"]],
          [".", ["--cwd", "loop"]],
          [".", ["--rules", "loop"]],
          ["project", []],
        ];
        for (const [folder, flags] of lines) {
          const argv = ["check", "Read", "a", ...flags];
          const place = { cwd: join(cwd, folder), env: { HOME: home } };
          const ended = await finish([...words, ...argv], place);
          assert.deepEqual([ended.status, ended.stdout], [65, ""], `${flags}`);
          assert.match(
            unwrapped(ended.stderr),
            /^error: Cannot read ".*": its links lead in a circle$/m,
          );
        }
        const place = { cwd, env: { HOME: home, XDG_CONFIG_HOME: join(cwd, "loop") } };
        const ended = await finish([...words, "check", "Read", "a"], place);
        assert.deepEqual([ended.status, ended.stdout], [65, ""]);
      }),
  );

  test(
    `the root folder is a workspace that is read, and not written unasked (${program})`,
    needs(program),
    () =>
      oddly(program, async ({ home, words }) => {
        const place = { cwd: "/", env: { HOME: home } };
        const checked = await finish([...words, "check", "Read", "a", "--no-project"], place);
        assert.equal(checked.status, 0, checked.stderr);
        const added = await finish([...words, "add", "Bash:ls", "allow"], place);
        assert.equal(added.status, 64);
        assert.match(
          unwrapped(added.stderr),
          /^error: The workspace \/ is more than one project$/m,
        );
      }),
  );
}
