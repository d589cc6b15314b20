import assert from "node:assert/strict";
import { test } from "node:test";
import { folderRepository } from "../../lib/io/git/folder_repository.ts";
import { remoteIn } from "../../lib/io/git/repository.ts";
import { isLinkedOut, unquotedProblems } from "../../lib/io/load/linked_out.ts";
import { findPolicyLocation } from "../../lib/io/load/policy_location.ts";
import { systemPrograms } from "../../lib/io/load/system_program.ts";
import { isOwnRecord } from "../../lib/io/load/trust_files.ts";
import { isDangling, type LinkCalls, realPathBy } from "../../lib/io/runtime/real_path.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { errorAt } from "../../lib/model/problem.ts";
import { failure, type Files, linksOf, machine } from "../support/machine.ts";

/** The files of a repository without a configuration. */
function repository(folder: string): Files {
  return { [`${folder}/HEAD`]: "", [`${folder}/objects/`]: "", [`${folder}/refs/`]: "" };
}

const WORKSPACE = { "/w/.git/HEAD": "", "/w/.git/objects/": "", "/w/.git/refs/": "" };
const IN_WORKSPACE = { workspace: "/w", workspaceReal: "/w" };

function repositoryOf(files: Files, folder = "/w/vendor", location = IN_WORKSPACE) {
  return folderRepository(machine({ ...WORKSPACE, ...files }), { folder, location });
}

/** Configurations that name no program. */
const PLAIN: readonly string[] = [
  "",
  "# a comment\n; another\n\n",
  "[core]\n\tbare = false\r\n\tfilemode = true\n",
  "[CORE]\n\tBare\n",
  '[remote "origin"]\n\turl = https://x.org/a\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
  '[remote "origin"]\n\turl = git@x.org:a\n\tpushurl = ssh://x.org/a\n',
  '[branch "a.b"]\n\tremote = origin\n\tmerge = refs/heads/main\n',
  '[submodule "a"]\n\tactive = true\n\turl = https://x.org/b\n',
  "[user]\n\tname = Ada\n[pull]\n\tff = only\n[push]\n\tdefault = simple\n[fetch]\n\tprune = true\n",
  "[advice]\n\tdetachedHead = false\n[color]\n\tui = auto\n[gc]\n\tauto = 0\n",
  "[lfs]\n\trepositoryformatversion = 0\n[extensions]\n\tobjectformat = sha1\n",
];

/** Configurations that name a program, or are read in another way than here. */
const FOREIGN: readonly string[] = [
  "[core]\n\tfsmonitor = ./x\n",
  "[core]\n\thooksPath = x\n",
  "[core]\n\tworktree = ../x\n",
  "[core]\n\tbarely = true\n",
  "[xcore]\n\tbare = true\n",
  "[core] fsmonitor = ./x\n",
  "[core] bare = true\n",
  "x[core]\n\tbare = true\n",
  "[core]\n\t-bare = true\n",
  "[core]\n\tbare = true x = \\\n",
  "[core]\n\tbare: true\n",
  '[core "a\\"b"]\n',
  '[core "a]\n',
  "[include]\n\tpath = x\n",
  '[filter "x"]\n\tclean = ./x\n',
  '[remote "o"]\n\tvcs = x\n',
  '[remote "o"]\n\tuploadpack = ./x\n',
  "[alias]\n\ta = !x\n",
  "[color]\n[core]\n\teditor = ./x\n",
  ...["ext::sh -c x", "../x", "./x", "/x", "~/x", "file:///x"].flatMap((url) => [
    `[remote "o"]\n\turl = ${url}\n`,
    `[remote "o"]\n\tpushurl=${url}\n`,
    `[submodule "o"]\n\tURL = ${url}\n`,
  ]),
];

test("a repository below the workspace is plain only by what its configuration is known not to run", () => {
  const kind = (files: Files) => repositoryOf({ ...repository("/w/vendor/.git"), ...files });
  for (const config of PLAIN) {
    assert.equal(kind({ "/w/vendor/.git/config": config }), "here", config);
    assert.equal(kind({ "/w/vendor/.git/config.worktree": config }), "here", config);
  }
  for (const config of FOREIGN) {
    assert.equal(kind({ "/w/vendor/.git/config": config }), "foreign", config);
    assert.equal(kind({ "/w/vendor/.git/config.worktree": config }), "foreign", config);
  }
  assert.equal(kind({}), "here");
});

/** The hooks of githooks(5) that run where a command of git is run. */
const HOOKS = [
  "applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg post-commit",
  "pre-rebase post-checkout post-merge pre-push reference-transaction pre-auto-gc post-rewrite",
  "fsmonitor-watchman post-index-change",
].join(" ").split(" ");

test("one hook of a repository makes it foreign, a sample does not", () => {
  const kind = (name: string) =>
    repositoryOf({ ...repository("/w/vendor/.git"), [`/w/vendor/.git/hooks/${name}`]: "" });
  for (const name of HOOKS) {
    assert.equal(kind(name), "foreign", name);
    assert.equal(kind(`${name}.sample`), "here", name);
  }
});

test("the workspace's own repository is its user's, by each of its paths", () => {
  const config = "[core]\n\tfsmonitor = ./x\n";
  const files = {
    ...repository("/real/.git"),
    "/real/.git/config": config,
    "/a": { link: "/real" },
  };
  const location = { workspace: "/a", workspaceReal: "/real" };
  for (
    const [folder, kind] of [["/a", "here"], ["/real", "here"], ["/a/x", "above"], [
      "/real/x",
      "above",
    ]]
  ) {
    assert.equal(repositoryOf({ ...files, "/real/x/": "" }, folder, location), kind, folder);
  }
  assert.equal(repositoryOf(files, "vendor"), "foreign");
  assert.equal(repositoryOf(files, "/w/../w"), "foreign");
});

test("a file in the place of `.git` names the repository, wherever that lies", () => {
  const own = {
    ...repository("/w/.git/modules/m"),
    "/w/.git/modules/m/config": "[core]\n\tworktree = x\n",
  };
  const other = { ...repository("/o"), "/o/config": "[core]\n\tworktree = x\n" };
  const kinds: readonly (readonly [text: string, kind: string])[] = [
    ["gitdir: ../.git/modules/m\n", "here"],
    ["gitdir:/w/.git/modules/m  \n", "here"],
    ["gitdir: /o\n", "foreign"],
    ["no link\n", "here"],
  ];
  for (const [text, kind] of kinds) {
    assert.equal(repositoryOf({ ...own, ...other, "/w/vendor/.git": text }), kind, text);
  }
});

test("programs of the system are those that PATH finds outside of the workspace and of temporary folders", () => {
  const text = "#!";
  const files: Files = {
    "/bin/ls": text,
    "/bin/two": text,
    "/w/bin/own": text,
    "/w/bin/ls": text,
    "/real/tool": text,
    "/bin/linked": { link: "/w/bin/own" },
    "/bin/dead": { link: "/nowhere" },
    "/tmp/a/t": text,
    "/var/tmp/t": text,
    "/private/tmp/t": text,
    "/private/var/tmp/t": text,
    "/dev/shm/t": text,
    "/mine/t": text,
    "/minex/t": text,
    "/tmpx/t": text,
  };
  const location = { workspace: "/w", workspaceReal: "/real", platform: "linux" } as const;
  const table: readonly (readonly [path: string | undefined, name: string, isSystem: boolean])[] = [
    ["/bin", "ls", true],
    ["/bin/", "ls", true],
    ["/sbin:/bin", "ls", true],
    ["/bin:/w/bin", "ls", true],
    ["/w/bin:/bin", "ls", false],
    ["/w/bin", "own", false],
    ["/real", "tool", false],
    ["/bin", "linked", false],
    ["/bin", "dead", false],
    ["/bin", "none", false],
    ["/bin", "../bin/ls", false],
    [".:/bin", "ls", false],
    [":/bin", "ls", false],
    ["/bin:.", "ls", true],
    [undefined, "ls", false],
    ["", "ls", false],
    ...["/tmp/a", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm", "/mine"]
      .map((folder) => [folder, "t", false] as const),
    ["/tmpx", "t", true],
    ["/minex", "t", true],
  ];
  for (const [path, name, isSystem] of table) {
    const env = { TMPDIR: "/mine/", ...(path === undefined ? {} : { PATH: path }) };
    const tests = systemPrograms({ runtime: machine(files, env), location });
    assert.deepEqual([tests(name), tests(name)], [isSystem, isSystem], `${path} ${name}`);
  }
  for (
    const [path, mayLack] of [["/bin", true], ["/bin:/w/bin", false], ["/bin:/tmp/a", false], [
      "",
      false,
    ]] as const
  ) {
    const tests = systemPrograms({ runtime: machine(files, { PATH: path }), location });
    assert.equal(tests("none", { mayLack: true }), mayLack, `nothing of that name: ${path}`);
  }
  const managed: Files = {
    ...files,
    "/home/me/.asdf/shims/t": text,
    "/home/me/mise/t": { link: "/usr/bin/mise" },
    "/usr/bin/mise": text,
    "/home/me/bin/t": text,
    "/home/me/.cargo/bin/cargo": text,
    "/home/me/.cargo/bin/t": text,
    "/home/me/.elan/bin/t": text,
  };
  for (
    const [path, name, isDirect] of [
      ["/bin", "ls", true],
      ["/bin", "none", false],
      ["/home/me/.asdf/shims:/bin", "t", false],
      ["/home/me/mise:/bin", "t", false],
      ["/home/me/bin:/bin", "t", true],
      ["/home/me/.cargo/bin", "cargo", false],
      ["/home/me/.cargo/bin", "t", true],
      ["/home/me/.elan/bin", "t", false],
    ] as const
  ) {
    const tests = systemPrograms({ runtime: machine(managed, { PATH: path }), location });
    assert.equal(tests(name, { isDirect: true }), isDirect, `no manager of versions: ${path}`);
    assert.equal(tests(name), name !== "none");
  }
  const runtime = machine(files, { PATH: "/bin" });
  const unknown = { ...runtime, realPath: () => null };
  assert.equal(systemPrograms({ runtime: unknown, location })("ls"), false);
  const windows = { ...location, platform: "windows" } as const;
  assert.equal(systemPrograms({ runtime, location: windows })("ls"), false);
});

test("a path is dangling where the nearest thing on it is a link to nothing", () => {
  const runtime = machine({
    "/x": { link: "/nowhere" },
    "/a/x": { link: "y" },
    "/a/f": "text",
    "/l": { link: "/a" },
  });
  const table = {
    "/x": true,
    "/x/y/z": true,
    "/a/x": true,
    "/a/x/y": true,
    "/l/x": true,
    "/no": false,
    "/no/x": false,
    "/a/no": false,
    "/a/f/x": false,
    "/l/no": false,
    "/": false,
  };
  for (const [path, expected] of Object.entries(table)) {
    assert.equal(isDangling(runtime, path), expected, path);
  }
});

test("a real path needs few look-ups, and is unknown where one of them fails", () => {
  const folder = "/a/b/c/d/e/f/g/h";
  const files: Files = { [`${folder}/x`]: "", "/l": { link: "/gone/x" }, "/up": { link: ".." } };
  const table: readonly (readonly [path: string, real: string | null, count: number])[] = [
    [`${folder}/x`, `${folder}/x`, 1],
    [`${folder}/new`, `${folder}/new`, 2],
    [`${folder}/new/${"n/".repeat(2000)}n`, `${folder}/new/${"n/".repeat(2000)}n`, 14],
    ["/l", "/gone/x", 4],
    [`${folder}/../../x`, "/a/b/c/d/e/f/x", 3],
    ["relative", null, 0],
    ["", null, 0],
  ];
  for (const [path, real, count] of table) {
    const calls = linksOf(files);
    assert.equal(realPathBy(calls, path), real, path);
    assert.ok(calls.count <= count, `${path.slice(0, 40)}: ${calls.count} look-ups`);
  }
  const failing = (code: string): LinkCalls => ({
    ...linksOf(files),
    readLink() {
      throw failure(code);
    },
  });
  for (
    const [code, real] of [["EINVAL", "/n"], ["ENOENT", "/n"], ["EACCES", null], [
      "EIO",
      null,
    ]] as const
  ) {
    assert.equal(realPathBy(failing(code), "/n"), real, code);
  }
});

test("a file of a workspace is linked out where its real path is not below the workspace's", () => {
  const files: Files = {
    "/real/p/f": "",
    "/real/in": { link: "p/f" },
    "/real/out": { link: "/secret" },
    "/real/far": { link: "/other" },
    "/real/loop": { link: "loop" },
    "/other/f": "",
    "/secret": "",
    "/a": { link: "/real" },
  };
  const table: Readonly<Record<string, boolean>> = {
    "p/f": false,
    in: false,
    new: false,
    "p/../in": false,
    out: true,
    "p/../out": true,
    "far/f": true,
    loop: true,
  };
  const runtime = machine(files);
  for (const [workspace, workspaceReal] of [["/a", "/real"], ["/real", "/real"]] as const) {
    const isOut = (path: string) => isLinkedOut(runtime, path, { workspace, workspaceReal });
    for (const [name, expected] of Object.entries(table)) {
      assert.equal(isOut(`${workspace}/${name}`), expected, `${workspace}/${name}`);
      assert.equal(isOut(`/real/${name}`), expected, `/real/${name}`);
    }
    // A file of the person's own may lead anywhere.
    assert.equal(isOut("/secret"), false);
    assert.equal(isOut(`${workspace}/../secret`), false);
  }
});

test("the problems of a file that is not quoted are one without its text", () => {
  const problem = (message: string) =>
    errorAt({ start: 3, end: 4, line: 2, column: 1 }, { id: "unknown-key", message });
  assert.deepEqual(unquotedProblems([]), []);
  for (const problems of [[problem("secret")], [problem("secret"), problem("other")]]) {
    const shown = unquotedProblems(problems);
    assert.deepEqual(shown.map(({ id, span }) => [id, span.line]), [["unknown-key", 1]]);
    assert.doesNotMatch(shown[0]!.message, /secret/);
  }
});

test("a trust record counts only outside of the workspace, unless the home folder is in it too", () => {
  const table: readonly (readonly [
    path: string,
    workspace: string,
    home: string | undefined,
    isOwn: boolean,
  ])[] = [
    ["/h/t.json", "/w", "/h", false],
    ["/w/s/t.json", "/w", "/h", true],
    ["/w/s/t.json", "/w", undefined, true],
    ["/w/s/t.json", "/w", "/w", false],
    ["/w/h/t.json", "/w", "/w/h", false],
    ["/wx/t.json", "/w", "/h", false],
    ["C:\\w\\t.json", "C:\\w", "C:\\h", true],
    ["D:\\w\\t.json", "C:\\w", "C:\\h", false],
    ["D:\\w\\t.json", "C:\\w", "D:\\w", false],
    ["C:\\w\\t.json", "C:\\w", "D:\\w", true],
  ];
  for (const [path, workspaceReal, homeReal, isOwn] of table) {
    const platform = path.startsWith("/") ? "linux" as const : "windows" as const;
    const runtime = { realPath: (each: string) => each } as Runtime;
    const location = {
      platform,
      cwd: workspaceReal,
      workspace: workspaceReal,
      workspaceReal,
      ...(homeReal === undefined ? {} : { home: homeReal, homeReal }),
    };
    assert.equal(isOwnRecord(runtime, { path, location }), isOwn, `${path} ${homeReal}`);
    const unknown = { realPath: () => null } as unknown as Runtime;
    assert.equal(isOwnRecord(unknown, { path, location }), isOwn, `${path} ${homeReal}`);
  }
});

test("the home folder has its own variable on each platform", () => {
  const env = { HOME: "/home/ada", USERPROFILE: "C:\\ada" };
  const homeOn = (platform: Runtime["platform"], cwd: string) => {
    const own = { ...machine({}, env), platform, cwd: () => cwd, realPath: (path: string) => path };
    return findPolicyLocation({ ...own, stat: () => undefined, isThere: () => false }, {}).home;
  };
  assert.equal(homeOn("linux", "/w"), "/home/ada");
  assert.equal(homeOn("darwin", "/w"), "/home/ada");
  assert.equal(homeOn("windows", "C:\\w"), "C:\\ada");
});

/** Texts of configurations, and their remote. */
const REMOTES: readonly (readonly [config: string, url: string | undefined])[] = [
  ['[remote "o"]\nurl = https://x.org/a', "https://x.org/a"],
  ['[remote "o"]\nurl = "https://x.org/a"', "https://x.org/a"],
  ['[remote "o"]\nurl = "https://x.org/a" # no', '"https://x.org/a" # no'],
  ['[remote "o"]\nurl = x"y"', 'x"y"'],
  ['[remote "o"] url = a\r\n[remote "origin"] URL=b\r\n', "b"],
  ['[remote "origin"]\nurl = a\nurl = b', "a"],
  ['[remote "o"]\nurl = a\n[remote "p"]\nurl = b', "a"],
  ['[remote "o"]\npushurl = a', undefined],
  ['url = a\n[remote "o"]\n[core]\nurl = b', undefined],
  ["", undefined],
];

test("the remote of a configuration is the first URL of origin, else of the first remote", () => {
  for (const [config, url] of REMOTES) assert.equal(remoteIn(config), url, config);
});
