import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sample } from "../support/cases.ts";
import { finish, starter, without } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** A fault, the bash line that makes it (`"$@"` is caliban), and the exit status. */
type Fault = readonly [name: string, line: string, status: number];

/** The user's policy. */
const POLICY = `[[permissions.rules]]
pattern = "Bash(rm:*)"
action = "deny"

[[permissions.rules]]
pattern = "Bash(ls:*)"
action = "allow"
`;

const EVENT = JSON.stringify({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command: "rm x" },
});

/** A rule file with these bytes, in the notation of printf. */
const file = (bytes: string, tool = "Bash ls") =>
  `printf '${bytes}' > f; "$@" check --rules f ${tool}`;

/** A rule file that awk writes. */
const written = (program: string) => `awk 'BEGIN { ${program} }' > f; "$@" check --rules f Bash ls`;

const RULE = '[[permissions.rules]]\\npattern="Bash(ls:*)"\\naction="allow"\\n';

const RULE_FILES: readonly Fault[] = [
  ["a pipe that nobody writes to", 'mkfifo f; "$@" check --rules f Bash ls', 65],
  ["a folder", 'mkdir f; "$@" check --rules f Bash ls', 65],
  ["a link in a circle", 'ln -s f f; "$@" check --rules f Bash ls', 65],
  ["a link to nowhere", 'ln -s no f; "$@" check --rules f Bash ls', 66],
  ["a file without an end", '"$@" check --rules /dev/zero Bash ls', 65],
  ["a device that is empty", '"$@" check --rules /dev/null Bash ls', 65],
  ["no bytes", ': > f; "$@" check --no-user --rules f Bash ls', 2],
  ["one byte order mark", file(`\\xef\\xbb\\xbf${RULE}`), 0],
  ["two byte order marks", file(`\\xef\\xbb\\xbf\\xef\\xbb\\xbf${RULE}`), 65],
  ["UTF-16", file("\\xff\\xfe[\\0p\\0]\\0"), 65],
  ["a byte that is no UTF-8, in a comment", file(`# \\xff\\n${RULE}`), 65],
  ["an overlong form", file(`# \\xc0\\xaf\\n${RULE}`), 65],
  ["a lone surrogate", file(`# \\xed\\xa0\\x80\\n${RULE}`), 65],
  ["a NUL", file(`${RULE}# \\0\\n`), 65],
  ["an escape character", file(`${RULE}# \\033[2J\\n`), 65],
  ["a carriage return alone", file(`${RULE}# a\\rb\\n`), 65],
  ["lines that end in CR LF", file(RULE.replaceAll("\\n", "\\r\\n")), 0],
  ["arrays 10,000 deep", written('printf "x="; for (;i++ < 10000;) printf "["'), 65],
  ["tables 10,000 deep", written('for (;i++ < 10000;) printf "x={"'), 65],
  ["a key of 10,000 parts", written('printf "a"; for (;i++ < 10000;) printf ".a"; print "=1"'), 65],
  [
    "a header of 10,000 parts",
    written('printf "[a"; for (;i++ < 10000;) printf ".a"; print "]"'),
    65,
  ],
  ["a key twice", file(`[permissions]\\nenforce=true\\nenforce=false\\n`), 65],
  ["a table twice", file(`[permissions]\\n[permissions]\\n`), 65],
  ["the key __proto__", file(`[permissions]\\n__proto__ = 1\\n`), 65],
  ["a tool of the name __proto__", file(`${RULE}[tools.__proto__]\\nkind="text"\\n`), 0],
  ["a tool of the name constructor", file(`${RULE}[tools.constructor]\\nkind="text"\\n`), 0],
  [
    "an integer of 400 digits",
    written('printf "[permissions]\\nenforce="; for (;i++ < 400;) printf 9'),
    65,
  ],
  ["a number that is none", file("[permissions]\\nenforce=nan\\n"), 65],
  [
    "a date as an action",
    file('[[permissions.rules]]\\npattern="Bash"\\naction=2027-01-01\\n'),
    65,
  ],
  ["a date that is none", file(`${RULE}expires_at=2027-02-30T00:00:00Z\\n`), 65],
  [
    "65 MiB of comments",
    "head -c 68157440 /dev/zero | tr '\\0' '#' > f; \"$@\" check --rules f Bash ls",
    65,
  ],
  [
    "a pattern of 2 MB",
    written(
      'printf "[[permissions.rules]]\\naction=\\"allow\\"\\npattern=\\"Bash:"; for (;i++ < 2000000;) printf "a"; print "\\""',
    ),
    65,
  ],
  [
    "4,000 alternatives",
    written(
      'printf "[[permissions.rules]]\\naction=\\"deny\\"\\npattern=\\"Read:"; for (;i++ < 4000;) printf "{a*,*b}"; print "\\""',
    ),
    65,
  ],
];

const SURROUNDINGS: readonly Fault[] = [
  ["standard output is full: check", '"$@" check Bash ls > /dev/full', 73],
  ["standard output is full: list", '"$@" list > /dev/full', 73],
  ["standard output is full: lint", '"$@" lint > /dev/full', 73],
  [
    "standard output is full: a stream",
    `echo '{"tool":"Bash","input":{"command":"ls"}}' | "$@" check --stdin > /dev/full`,
    73,
  ],
  ["standard output is full: a hook that denies", '"$@" hook claude < event > /dev/full', 2],
  [
    "standard output is full: a hook that allows",
    'sed s/rm/ls/ event | "$@" hook claude > /dev/full',
    2,
  ],
  ["a hook without standard input", '"$@" hook claude <&-', 2],
  ["a hook with an empty standard input", '"$@" hook claude < /dev/null', 2],
  ["a hook whose standard input is a folder", '"$@" hook claude < .', 2],
  ["no HOME", 'env -u HOME "$@" check Bash ls', 64],
  ["an empty HOME", 'HOME= "$@" check Bash ls', 64],
  ["a relative HOME", 'HOME=home "$@" check Bash ls', 64],
  ["no HOME: a hook", 'env -u HOME "$@" hook claude < event', 2],
  ["a HOME that is not there", 'HOME=$PWD/no "$@" check Bash ls', 2],
  [
    "a time zone and a language that are not there",
    'TZ=No/Where LC_ALL=tr_TR.UTF-8 "$@" check Bash "rm x"',
    1,
  ],
  ["a folder that is gone", 'mkdir d; cd d; rmdir ../d; "$@" hook claude < ../event || exit 2', 2],
  ["12 file descriptors", 'ulimit -n 12; "$@" hook claude < event || exit 2', 2],
  ["1 GB of memory", 'ulimit -v 1000000; "$@" hook claude < event || exit 2', 2],
  [
    "a disk that takes no byte more: add",
    'cp $POLICY was; (trap "" XFSZ; ulimit -f 0; "$@" perms add --scope user "Bash(x:*)" allow) 2>&1 | cat > said; s=${PIPESTATUS[0]}; cmp -s was $POLICY || exit 99; ls -A $(dirname $POLICY) | grep -q tmp && exit 98; exit $s',
    73,
  ],
  [
    "a disk that takes no byte more: init",
    '(trap "" XFSZ; ulimit -f 0; "$@" init) 2>&1 | cat > said; s=${PIPESTATUS[0]}; tr -s "\\n " " " < said | grep -q "no larger file" || exit 97; test -e .caliban/permissions.toml && exit 99; exit $s',
    73,
  ],
  [
    "a file that is rewritten while it is read",
    `(for i in $(seq 300); do printf '[[permissions.rules]]\npattern="Bash(rm:*)"\naction="deny"\n' > f; printf '\n[[permissions.rules]]\npattern="Bash"\naction="allow"\n' >> f; done) & for i in $(seq 6); do "$@" check --no-user --rules f Bash "rm x" && exit 99; done; wait; exit 7`,
    7,
  ],
  [
    "a check beside five writers",
    'for i in 1 2 3 4 5; do "$@" perms add --scope user "Bash(x$i:*)" allow & done; for i in $(seq 5); do "$@" check Bash "rm x"; test $? = 1 || exit 99; done; wait; "$@" list | grep -c "Bash(x[1-5]:" | grep -qx 5 || exit 98; exit 7',
    7,
  ],
  [
    "SIGTERM and SIGINT while rules are added",
    'for i in $(seq 6); do "$@" perms add --scope user "Bash(x$i:*)" allow & sleep 0.0$((i * 7)); kill -$((i % 2 ? 15 : 2)) $! ; wait $!; "$@" check Bash "rm x" > out; test $? = 1 || exit 99; done; exit 7',
    7,
  ],
  [
    "half a line at the end of a stream",
    `printf '{"tool":"Bash","input":{"command":"ls"}}\\n{"tool"' | "$@" check --stdin > out; s=$?; grep -q '"decision":"allow"' out || exit 99; exit $s`,
    65,
  ],
  [
    "a line of 100 MB in a stream",
    `{ head -c 100000000 /dev/zero | tr '\\0' x; echo; echo '{"tool":"Bash","input":{"command":"rm x"}}'; } | "$@" check --stdin > out; s=$?; grep -q '"decision":"deny"' out || exit 99; exit $s`,
    65,
  ],
];

const NEEDS = { skip: without("deno"), timeout: 240_000 } as const;

/** Runs the faults, four at a time, each in a folder of its own; returns those that ended in another way. */
async function unlike(faults: readonly Fault[], top: string): Promise<readonly string[]> {
  const wrong: string[] = [];
  const queue = [...faults.entries()];
  const work = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, [name, line, status]] = next;
      const folder = join(top, `${index}`);
      const home = join(folder, "home");
      const policy = join(home, ".config/caliban/permissions.toml");
      mkdirSync(join(policy, ".."), { recursive: true });
      writeFileSync(policy, POLICY);
      writeFileSync(join(folder, "event"), EVENT);
      const words = ["bash", "-c", line, "bash", ...starter("deno")];
      const env = { HOME: home, POLICY: policy, CLAUDE_PROJECT_DIR: folder };
      const ended = await finish(words, { cwd: folder, env });
      const isAllowed = status !== 0 && ended.stdout.includes('"permissionDecision":"allow"');
      if (ended.status === status && !isAllowed) continue;
      wrong.push(`${name}: ${ended.status}, not ${status}: ${ended.stderr.slice(0, 300)}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return wrong;
}

test(
  "a rule file that is broken in any way is an error with its place, and never an allow",
  NEEDS,
  () =>
    withTempDir(async (folder) =>
      assert.deepEqual(await unlike(sample(RULE_FILES, 10, 25), folder), [])
    ),
);

test(
  "what fails around caliban stops the call, and leaves files as they were",
  NEEDS,
  () =>
    withTempDir(async (folder) =>
      assert.deepEqual(await unlike(sample(SURROUNDINGS, 10, 15), folder), [])
    ),
);
