import assert from "node:assert/strict";
import { test } from "node:test";
import { aboutJson } from "../../../scripts/about_json.ts";
import { isOwnName, namedForms, subCommandsIn, tells } from "../../../scripts/about/forms.ts";
import { whyMore } from "../../../scripts/about/trace.ts";

const START = '7 execve("/usr/bin/x", ["x", "--help"], 0x7f /* 9 vars */) = 0\n';

/** A line of strace, and the start of the reason against the program; undefined where there is none. */
const CALLS: readonly (readonly [string, string | undefined])[] = [
  [
    'openat(AT_FDCWD</srv/top/work>, "/usr/lib/x.so", O_RDONLY|O_CLOEXEC) = 3</usr/lib/x.so>',
    undefined,
  ],
  ['openat(AT_FDCWD</srv/top/work>, "/dev/null", O_RDWR) = 3</dev/null>', undefined],
  ['newfstatat(1</out/0.txt>, "", {st_mode=S_IFREG|0666}, AT_EMPTY_PATH) = 0', undefined],
  ['readlink("/usr/bin/python3", "python3.11", 4096) = 10', undefined],
  ['newfstatat(AT_FDCWD</srv/top/work>, "/srv/top/work", {}, 0) = 0', undefined],
  [
    'openat(AT_FDCWD</srv/top/work>, "/usr/lib/python3/__pycache__/a.pyc", O_WRONLY|O_CREAT) = -1 EROFS',
    undefined,
  ],
  [
    'connect(3<UNIX-STREAM:[9]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
    undefined,
  ],
  [
    'openat(AT_FDCWD</srv/top/work>, "x.conf", O_RDONLY) = -1 ENOENT',
    "looks for /srv/top/work/x.conf",
  ],
  ['openat(AT_FDCWD</srv/top/work>, "../x", O_RDONLY) = -1 ENOENT', "looks for /srv/top/x"],
  ['openat(AT_FDCWD</srv/top/work>, "/usr/../srv/top/x", O_RDONLY) = 3', "looks for /srv/top/x"],
  ['openat(AT_FDCWD</srv/top/work>, ".", O_RDONLY|O_DIRECTORY) = 3', "looks for /srv/top/work"],
  ['openat(5</srv/top>, "work/x", O_RDONLY) = 3', "looks for /srv/top/work/x"],
  ['access("/home/user/.xrc", R_OK) = -1 ENOENT', "looks for /home/user/.xrc"],
  [
    'openat(AT_FDCWD</srv/top/work>, "/usr/share/x", O_RDONLY|O_CREAT, 0666) = 3',
    "writes /usr/share/x",
  ],
  ['openat(AT_FDCWD</srv/top/work>, "/tmp/x", O_RDONLY) = -1 ENOENT', "looks for /tmp/x"],
  ['unlink("/usr/x") = -1 EROFS', "unlink"],
  ["fchmod(3</usr/x>, 0644) = 0", "fchmod"],
  ['openat(AT_FDCWD</srv/top/work>, "/proc/1/environ", O_RDONLY) = 3', "looks at /proc/1/environ"],
  ['openat(AT_FDCWD</srv/top/work>, "/etc/shadow", O_RDONLY) = -1 EACCES', "looks at /etc/shadow"],
  ['openat(AT_FDCWD</srv/top/work>, "/dev/sda", O_RDONLY) = -1 ENOENT', "looks at /dev/sda"],
  ["socket(AF_INET, SOCK_STREAM, IPPROTO_TCP) = 3<TCP:[9]>", "socket"],
  [
    'connect(3<UNIX-STREAM:[9]>, {sa_family=AF_UNIX, sun_path="/run/bus"}, 110) = -1 ENOENT',
    "connect",
  ],
  ["kill(1, SIGTERM) = 0", "kill"],
  ['execve("/usr/bin/less", ["less"], 0x7f /* 9 vars */) = 0', "starts /usr/bin/less"],
  ['execve("/usr/bin/less", ["less"], 0x7f /* 9 vars */ <unfinished ...>', "starts /usr/bin/less"],
  ['execve("/usr/local/bin/less", ["less"], 0x7f) = -1 ENOENT', undefined],
  ["+++ killed by SIGSEGV +++", "a signal ends it"],
];

test("a trace that shows more than reading the system says so", () => {
  for (const [call, expected] of CALLS) {
    const why = whyMore(`${START}7 ${call}\n`, false);
    assert.equal(expected === undefined ? why : why?.slice(0, expected.length), expected, call);
  }
  assert.equal(whyMore("", false), "does not start");
  const python = '7 execve("/usr/bin/python3", ["python3", "x"], 0x7f) = 0\n';
  assert.equal(whyMore(START + python, true), undefined);
  assert.equal(whyMore(START + python, false), "starts /usr/bin/python3");
  assert.equal(whyMore(START + python + python, true), "starts /usr/bin/python3");
});

test("a program tells about itself where it prints its usage or version", () => {
  const cases: readonly (readonly [string, string, number, boolean])[] = [
    ["--help", "Usage: x [FILE]\n", 0, true],
    ["--help", "Usage: x [FILE]\n", 139, false],
    ["--help", "", 0, false],
    ["--help", "x: cannot open display\nusage", 1, false],
    ["--version", "x 1.2.3", 0, true],
    ["--version", "hello", 0, false],
    ["-h", "Usage: x\n  -h, --help  show this", 0, true],
    ["-h", "Usage: x\n  -h HOST  the host", 0, false],
    ["-V", "x 1.2", 0, true],
    ["-V", "x 1.2", 1, false],
  ];
  for (const [form, text, status, expected] of cases) {
    assert.equal(tells(form, { text, status }), expected, `${form} ${text}`);
  }
});

test("further forms and sub-commands are those that the help names", () => {
  const help =
    "Usage: x\n\nCommands:\n  list, ls   list\n  add        add one\n  help       this\n\n" +
    "Options:\n  -V, --version  print version\n  -v             verbose\n  -h\n";
  assert.deepEqual(namedForms(help), ["-V", "help"]);
  assert.deepEqual(subCommandsIn(help), ["list", "add"]);
});

test("names of people's own programs, of shell commands and of managers of versions are left out", () => {
  for (const name of ["nmap", "xmlstarlet", "a2ps", "x.y"]) assert.ok(isOwnName(name), name);
  for (
    const name of [
      "deploy",
      "ls2.1",
      "fc",
      "gs",
      "asdf",
      "killall5",
      "sudoedit",
      "run",
      "gcc-12",
      "x y",
      "-x",
    ]
  ) {
    assert.ok(!isOwnName(name), name);
  }
});

test("the list holds each program once, with forms that are known", () => {
  assert.equal(
    aboutJson('"--help -V" = ["nmap", "xyz z"]'),
    '{\n "--help -V": ",nmap,xyz z,"\n}\n',
  );
  for (
    const text of [
      '"--help" = ["nmap"]\n"-V" = ["nmap"]',
      '"--force" = ["nmap"]',
      '"--help" = ["deploy"]',
      '"--help" = ["nmap -x"]',
      '"--help" = []',
      '"--help" = ["a,b"]',
    ]
  ) {
    assert.throws(() => aboutJson(text), /Cannot use about.toml/, text);
  }
});
