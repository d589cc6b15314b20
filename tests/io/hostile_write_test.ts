/** Obstacles that a cloned project lays in the way of writing. No file that is not caliban's is changed or removed. */
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";
import { lockPath } from "../../lib/io/write/file_lock.ts";
import { createGate, loadPolicy } from "../../mod.ts";
import { sample } from "../support/cases.ts";
import {
  finish,
  type Program,
  starter,
  treeOf,
  TRIED,
  unwrapped,
  without,
} from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";
import { bash, ended, person } from "../unit/gate/scene.ts";

const POLICY = `[[permissions.rules]]
pattern = "Bash:rm *"
action = "deny"

[[permissions.rules]]
pattern = "Bash:rm *"
action = "deny"
`;

const TESTS = '[[tests]]\ncall = "Bash:rm x"\nexpect = "allow"\n';

interface Scene {
  /** The cloned project, which commands run in. */
  readonly project: string;
  /** The throw-away home. */
  readonly home: string;
  /** A folder of the home with files that nobody may touch. */
  readonly victim: string;
}

function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  return withTempDir((top) => {
    const home = join(top, "home");
    const scene = { home, project: join(home, "proj"), victim: join(home, ".ssh") };
    for (const folder of [".git", ".caliban"]) {
      mkdirSync(join(scene.project, folder), { recursive: true });
    }
    mkdirSync(scene.victim);
    for (const name of ["id_rsa", "config"]) writeFileSync(join(scene.victim, name), `${name}\n`);
    writeFileSync(join(scene.victim, crypto.randomUUID()), "no token of ours\n");
    writeFileSync(join(scene.project, "claude.json"), '{"permissions":{"allow":["Bash(ls:*)"]}}\n');
    return use(scene);
  });
}

interface Writer {
  /** The words of its command line. */
  readonly words: readonly string[];
  /** The file that it writes, in the project or, with `~/`, in the home. */
  readonly file: string;
  /** Makes what it needs; a policy in the project when left out. */
  readonly before?: (scene: Scene, program: Program) => Promise<void> | void;
}

function printPolicy({ project }: Scene): void {
  writeFileSync(join(project, ".caliban/permissions.toml"), POLICY);
}

function run(words: readonly string[], { program, scene }: Running) {
  const { project: cwd, home } = scene;
  return finish([...starter(program), ...words], { cwd, env: { HOME: home } });
}

interface Running {
  readonly program: Program;
  readonly scene: Scene;
}

const HOOK = ["claude", "--scope", "project"] as const;

const WRITERS: readonly Writer[] = [
  { words: ["init"], file: ".caliban/permissions.toml", before: () => {} },
  { words: ["init", "--scope", "local"], file: ".caliban/permissions.local.toml" },
  { words: ["perms", "add", "Bash(npm test:*)", "allow"], file: ".caliban/permissions.toml" },
  {
    words: ["perms", "add", "Bash:ls", "allow", "--scope", "local"],
    file: ".caliban/permissions.local.toml",
  },
  {
    words: ["perms", "add", "Bash:ls", "allow", "--scope", "user"],
    file: "~/.config/caliban/permissions.toml",
  },
  { words: ["perms", "remove", "Bash:rm *"], file: ".caliban/permissions.toml" },
  {
    words: ["perms", "import", "--from", "claude.json", "--format", "claude", "--scope", "project"],
    file: ".caliban/permissions.toml",
  },
  { words: ["perms", "lint", "--fix"], file: ".caliban/permissions.toml" },
  {
    words: ["perms", "test", "--update", ".caliban/tests/a.perms.toml"],
    file: ".caliban/tests/a.perms.toml",
    before(scene) {
      printPolicy(scene);
      mkdirSync(join(scene.project, ".caliban/tests"));
      writeFileSync(join(scene.project, ".caliban/tests/a.perms.toml"), TESTS);
    },
  },
  { words: ["hook", "install", ...HOOK], file: ".claude/settings.local.json" },
  {
    words: ["hook", "uninstall", ...HOOK],
    file: ".claude/settings.local.json",
    async before(scene, program) {
      const { status, stderr } = await run(["hook", "install", ...HOOK], { program, scene });
      assert.equal(status, 0, stderr);
    },
  },
  { words: ["trust", "--yes"], file: "~/.local/state/caliban/trust.json" },
];

interface Obstacle {
  /** Its name. */
  readonly name: string;
  /** Lays it in the way of writing `path`. */
  readonly lay: (path: string, scene: Scene) => void;
  /** The messages about it, with their paths. */
  readonly said: (path: string, scene: Scene) => readonly string[];
  /** True if it stops only files of the workspace. */
  readonly inWorkspace?: true;
}

const LONG_AGO = new Date(Date.now() - 60_000);

const isLink = (
  path: string,
) => [`"${lockPath(path)}" is a symbolic link, not a lock of caliban's`];

const OBSTACLES: readonly Obstacle[] = [
  {
    name: "a lock that is a link",
    lay: (path, { victim }) => {
      symlinkSync(victim, lockPath(path));
      utimesSync(victim, LONG_AGO, LONG_AGO);
    },
    said: isLink,
  },
  {
    name: "a lock that is a link to nothing",
    lay: (path, { victim }) => symlinkSync(join(victim, "nothing"), lockPath(path)),
    said: isLink,
  },
  {
    name: "a lock that is a file",
    lay: (path) => {
      writeFileSync(lockPath(path), "mine\n");
      utimesSync(lockPath(path), LONG_AGO, LONG_AGO);
    },
    said: (path) => [`"${lockPath(path)}" is a file, not a lock of caliban's`],
  },
  {
    name: "a lock with files of others",
    lay: (path) => {
      mkdirSync(lockPath(path));
      writeFileSync(join(lockPath(path), "a-letter"), "");
      utimesSync(lockPath(path), LONG_AGO, LONG_AGO);
    },
    said: (path) => [`"${lockPath(path)}" holds "a-letter", which is not caliban's`],
  },
  {
    name: "a lock with a folder that is named like a token",
    lay: (path) => {
      mkdirSync(join(lockPath(path), "0b6f1f6e-0000-4000-8000-000000000000"), { recursive: true });
      utimesSync(lockPath(path), LONG_AGO, LONG_AGO);
    },
    said: (path) => [`"${lockPath(path)}" holds "0b6f1f6e-0000-4000-8000-000000000000"`],
  },
  {
    name: "a folder that is a link out of the workspace",
    lay(path, { home }) {
      const moved = join(home, "elsewhere");
      renameSync(dirname(path), moved);
      symlinkSync(moved, dirname(path));
    },
    said: (path, { home }) => [
      `the link "${dirname(path)}" leads out of the workspace, to "${join(home, "elsewhere")}"`,
    ],
    inWorkspace: true,
  },
  {
    name: "a file that is a link out of the workspace",
    lay(path, { home }) {
      if (existsSync(path)) renameSync(path, join(home, "elsewhere"));
      symlinkSync(join(home, "elsewhere"), path);
    },
    said: (path, { home }) => [
      `the link "${path}" leads out of the workspace, to "${join(home, "elsewhere")}"`,
    ],
    inWorkspace: true,
  },
];

/** Everything below the home but what runtimes and `hook install` keep there. */
function treeOfHome({ home }: Scene): readonly (readonly [string, string])[] {
  return [...treeOf(home)].filter(([path]) =>
    !/^\.(?:local\/share|cache|bun)(?:\/|$)|^\.local$/.test(path)
  );
}

for (const program of TRIED) {
  for (const obstacle of OBSTACLES) {
    test(`${obstacle.name} is refused, and nothing changes (${program})`, {
      timeout: 120_000,
      skip: without(program),
    }, async () => {
      const writers = WRITERS.filter(({ file }) => !obstacle.inWorkspace || !file.startsWith("~/"));
      for (const writer of sample(writers, 2, 2)) {
        await assertRefused(writer, { obstacle, program });
      }
    });
  }
}

function assertRefused(
  { words, file, before = printPolicy }: Writer,
  { obstacle, program }: { readonly obstacle: Obstacle; readonly program: Program },
): Promise<void> {
  return inScene(async (scene) => {
    const path = file.startsWith("~/")
      ? join(scene.home, file.slice(2))
      : join(scene.project, file);
    await before(scene, program);
    mkdirSync(dirname(path), { recursive: true });
    obstacle.lay(path, scene);
    const tree = treeOfHome(scene);
    const started = Date.now();
    const { status, stdout, stderr } = await run(words, { program, scene });
    const about = `${words.join(" ")}: ${stdout}${stderr}`;
    assert.deepEqual(treeOfHome(scene), tree, about);
    // Of a link to nothing is told before that it cannot be read.
    if (/leads nowhere/.test(unwrapped(stderr)) && (status === 65 || status === 66)) return;
    assert.equal(status, 73, about);
    assert.ok(Date.now() - started < 15_000, about);
    for (const part of obstacle.said(path, scene)) {
      assert.ok(unwrapped(stderr).includes(part), `${about}\nlacks: ${part}`);
    }
  });
}

test("a cloned project does not empty a folder of the home", () =>
  inScene(async (scene) => {
    printPolicy(scene);
    const lock = join(scene.project, ".caliban/.permissions.toml.caliban-lock");
    symlinkSync("../../.ssh", lock);
    utimesSync(scene.victim, LONG_AGO, LONG_AGO);
    const before = treeOfHome(scene);
    const { stderr } = await run(["perms", "add", "Bash(npm test:*)", "allow"], {
      program: "deno",
      scene,
    });
    assert.deepEqual(treeOfHome(scene), before, stderr);
  }));

for (const obstacle of OBSTACLES) {
  test(`${obstacle.name}: an always stays in the session`, () =>
    inScene(async (scene) => {
      printPolicy(scene);
      const path = join(scene.project, ".caliban/permissions.toml");
      const policy = await loadPolicy({ cwd: scene.project, off: ["user"] });
      const ask = person({ kind: "allow-always", scope: "project" });
      obstacle.lay(path, scene);
      const tree = treeOfHome(scene);
      const gate = createGate({ policy, ask });
      const decision = await gate.decide(bash("make"));
      assert.deepEqual(treeOfHome(scene), tree);
      assert.equal(ended(decision), "allow ask");
      assert.match(decision.warnings.join(), /^The answer is kept for this session only: /);
      for (const part of obstacle.said(path, scene)) {
        assert.ok(decision.warnings.join().includes(part), decision.warnings.join());
      }
    }));
}

for (const program of TRIED) {
  test(`a link that stays in the workspace is followed (${program})`, {
    skip: without(program),
  }, () =>
    inScene(async (scene) => {
      const folder = join(scene.project, ".caliban");
      renameSync(folder, join(scene.project, "policies"));
      symlinkSync("policies", folder);
      printPolicy(scene);
      const words = ["perms", "add", "Bash(npm test:*)", "allow"];
      const { status, stderr } = await run(words, { program, scene });
      assert.equal(status, 0, stderr);
      assert.deepEqual(readdirSync(join(scene.project, "policies")), ["permissions.toml"]);
    }));

  test(`a link of the user's own policy is followed (${program})`, {
    skip: without(program),
  }, () =>
    inScene(async (scene) => {
      const own = join(scene.home, ".config/caliban");
      mkdirSync(own, { recursive: true });
      const target = join(scene.home, "dotfiles.toml");
      writeFileSync(target, "");
      symlinkSync("../../dotfiles.toml", join(own, "permissions.toml"));
      const words = ["perms", "add", "Bash(npm test:*)", "allow", "--scope", "user"];
      const { status, stderr } = await run(words, { program, scene });
      assert.equal(status, 0, stderr);
      assert.deepEqual(readdirSync(own), ["permissions.toml"]);
      assert.ok(!existsSync(lockPath(target)));
    }));

  test(`a backup that is not caliban's is neither followed nor replaced (${program})`, {
    skip: without(program),
  }, () =>
    inScene(async (scene) => {
      printPolicy(scene);
      const path = join(scene.project, ".claude/settings.local.json");
      const backup = `${path}.before-caliban`;
      mkdirSync(dirname(path));
      writeFileSync(path, "{}\n");
      const lays: readonly (() => void)[] = [
        () => symlinkSync(join(scene.victim, "id_rsa"), backup),
        () => symlinkSync(join(scene.victim, "new"), backup),
        () => writeFileSync(backup, "somebody's\n"),
        () => mkdirSync(backup),
      ];
      for (const lay of lays) {
        lay();
        const tree = treeOfHome(scene);
        const { status, stderr } = await run(["hook", "install", ...HOOK], { program, scene });
        assert.equal(status, 73, stderr);
        assert.ok(unwrapped(stderr).includes(basename(backup)), stderr);
        assert.deepEqual(treeOfHome(scene), tree);
        rmSync(backup, { recursive: true });
      }
    }));
}

/** The one folder in which a hook's copy stands. */
function copyOf({ home }: Scene): string {
  const folder = join(home, ".local/share/caliban/hooks");
  const [name = "", ...more] = readdirSync(folder);
  assert.deepEqual(more, []);
  return join(folder, name);
}

test("a hook's copy is made anew where it was changed, and nobody else's files go with it", {
  timeout: 120_000,
  skip: without("deno"),
}, () =>
  inScene(async (scene) => {
    const install = () => run(["hook", "install", "claude"], { program: "deno", scene });
    assert.equal((await install()).status, 0);
    const copy = copyOf(scene);
    const whole = treeOf(copy);
    rmSync(join(copy, "lib/io"), { recursive: true });
    writeFileSync(join(copy, "cli.ts"), "changed");
    assert.equal((await install()).status, 0);
    assert.deepEqual(treeOf(copyOf(scene)), whole);
    const lays: readonly (readonly [string, () => void])[] = [
      ["mine", () => writeFileSync(join(copy, "lib/mine"), "mine")],
      ["io", () => {
        renameSync(join(copy, "lib/io"), join(scene.home, "io"));
        symlinkSync(join(scene.home, "io"), join(copy, "lib/io"));
      }],
      [basename(copy), () => {
        rmSync(copy, { recursive: true });
        symlinkSync(scene.victim, copy);
      }],
      [basename(copy), () => {
        rmSync(copy);
        writeFileSync(copy, "mine");
      }],
    ];
    for (const [name, lay] of lays) {
      if (existsSync(join(copy, "cli.ts"))) writeFileSync(join(copy, "cli.ts"), "changed");
      lay();
      const tree = treeOf(scene.home);
      const { status, stderr } = await install();
      assert.equal(status, 73, stderr);
      assert.ok(unwrapped(stderr).includes(`${name}" was not made by caliban`), stderr);
      assert.deepEqual(treeOf(scene.home), tree);
    }
  }));
