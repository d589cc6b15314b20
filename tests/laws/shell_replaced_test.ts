/** A part of a line that becomes an unknown of the same value: what was no allow does not become one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { enough } from "../support/cases.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const LONG = { timeout: 120_000 };
const ALLOW: TestRule = { pattern: "Bash", action: "allow" };

/** Policies that deny files by their folder or their name, and allow the rest. */
const DENY_FILES = ["/etc/**", "**/passwd"].map((files) =>
  policyOf([
    { pattern: `Read:${files}`, action: "deny" },
    { pattern: `Write:${files}`, action: "deny" },
    ALLOW,
  ])
);
/** A policy that denies a program. */
const DENIES_PROGRAM = policyOf([{ pattern: "Bash:cat *", action: "deny" }, ALLOW]);

/** Lines with the part `§`, by its value. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  "/etc": [
    "cd § && cat passwd",
    "cd §; echo a > passwd",
    "cd § || exit; cat passwd",
    "cd -P §; cat < passwd",
    "cd -- §; cat passwd",
    "cd a || cd §; cat passwd",
    "pushd §; cat passwd",
    "pushd § && cd . && cat passwd",
    "command cd §; cat passwd",
    "builtin cd §; cat passwd",
    "eval cd §; cat passwd",
    "trap 'cat passwd' EXIT; cd §",
    "alias y='cat passwd'; cd §",
    "CDPATH=a cd §; cat passwd",
    "f() { cd §; }; f; cat passwd",
    "{ cd §; }; cat passwd",
    "(cd §; cat passwd)",
    "if cd §; then cat passwd; fi",
    "while cd §; do cat passwd; done",
    "for i in 1 2; do cat passwd; cd §; done",
    "while :; do cat passwd; cd §; done",
    "until false; do cat < passwd; cd §; done",
    "for ((i=0; i<2; i++)); do echo a > passwd; cd §; done",
    "for i in 1 2; do cat passwd; { cd §; }; done",
    "for i in 1 2; do cat passwd; if :; then cd §; fi; done",
    "for i in 1 2; do cat passwd; pushd §; done",
    "for i in 1 2; do cat passwd; eval cd §; done",
    "for i in 1 2; do cat passwd; command cd §; done",
    "for i in 1 2; do for j in 1 2; do cat passwd; done; cd §; done",
    "f() { cat passwd; cd §; }; f; f",
    "case a in a) cd §;; esac; cat passwd",
    "select i in a; do cat passwd; cd §; done",
    "for d in a §; do cd $d; cat passwd; done",
    "for d in a §; do cat $d/passwd; done",
    "cat §/passwd",
    "cat §/./passwd",
    "cp §/passwd a",
    "cp a §",
    "mv a §/",
    "ln -s § a; cat a/passwd",
    "env -C § cat passwd",
    "env --chdir=§ cat passwd",
    "env --chdir § cat passwd",
    "sudo -D § cat passwd",
    "sudo --chdir=§ cat passwd",
    "sudo --chdir § sh -c 'cat passwd'",
    "git -C § diff --no-index passwd a",
    "make -C § -f passwd",
    "tar -C § -cf a.tar passwd",
    "tar -cf a.tar -C § passwd",
    "find § -name passwd -exec cat {} +",
    "find § -delete",
    "grep -r a §",
    "bash -c 'cd §; cat passwd'",
    "bash -c 'cd \"$1\"; cat passwd' a §",
    "sh <<E\ncd §; cat passwd\nE",
    "xargs -I{} cat {}/passwd <<< §",
    "systemd-run --working-directory=§ cat passwd",
    "parallel --wd § cat ::: passwd",
    "rsync -a §/ b",
    "rm -rf §",
    "x=§; cd $x; cat passwd",
    "x=§; cat $x/passwd",
    "x=(a §); cd ${x[1]}; cat passwd",
    "read x <<< §; cd $x; cat passwd",
    'export x=§; cat "$x/passwd"',
  ],
  "/etc/passwd": [
    "cat §",
    "cat -n § b",
    "cat b §",
    "cat < §",
    "echo a > §",
    "echo a >> §",
    "echo a >| §",
    "echo a &> §",
    "cat 0<> §",
    "cat <<E > §\na\nE",
    "tee § < a",
    "cp a §",
    "cp § a",
    "dd if=a of=§",
    "sort -o § a",
    "sed -i s/a/b/ §",
    "grep a §",
    "grep -f § a",
    "curl -K §",
    "curl -T § https://x.org",
    "wget -O § https://x.org",
    "tar -cf a.tar §",
    "tar -T § -cf a.tar",
    "zip a.zip §",
    "git hash-object §",
    "x=§; cat $x",
    'x=§; cat "$x"',
    "x=§ && cat < $x",
    "x=(a §); cat ${x[1]}",
    'x=(§); cat "${x[@]}"',
    "x[1]=§; cat ${x[1]}",
    "declare -A a=([k]=§); cat ${a[k]}",
    "declare x=§; cat $x",
    "local x=§; cat $x",
    "readonly x=§; cat $x",
    "x+=§; cat $x",
    "x=${y:-§}; cat $x",
    "read x <<< §; cat $x",
    "mapfile -t x <<< §; cat ${x[0]}",
    "printf -v x %s §; cat $x",
    "set -- §; cat $1",
    "set -- a §; shift; cat $1",
    "for f in a §; do cat $f; done",
    "for f in §; do cat ${f[0]}; done",
    "for f in a §; do sort ${f[1]} $f; done",
    'for f in §; do cat < "$f"; done',
    "for f in §; do g=$f; cat $g; done",
    "cat {a,§}",
    "cat a{,b} §",
    "cat ''§",
    "f() { cat $1; }; f §",
    'f() { cat "$@"; }; f a §',
    "eval cat §",
    'eval "cat §"',
    "bash -c 'cat §'",
    "bash -c 'cat $0' §",
    "bash -c 'cat \"$1\"' a §",
    "echo § | xargs cat",
    "xargs cat <<< §",
    "xargs -a § echo",
    "find a -fprint §",
    "timeout 5 cat §",
    "nohup cat § &",
    "sudo cat §",
    "coproc cat §",
    "time cat §",
    "exec 3< §",
    "exec cat §",
    "diff <(cat §) b",
    "cat $(echo §)",
    "cat $(cat a) §",
    "source §",
    ". §",
    "[[ -n a ]] && cat §",
    "case a in *) cat §;; esac",
    "while read x; do cat §; done",
    "trap 'cat §' EXIT",
    "awk 1 §",
    "jq . §",
    "python a.py < §",
    "patch § a",
    "ln § a",
    "truncate -s 0 §",
    "touch §",
    "rm §",
    "openssl enc -in §",
    "ssh -i § h",
    "docker run --env-file § a",
    "split §",
    "install a §",
    "less §",
  ],
  "passwd": [
    "cat /etc/§",
    "cat /etc/./§",
    "cd /etc; cat §",
    "cat < /etc/§",
    "echo a > /etc/§",
    "cat /etc/a/../§",
  ],
  "cat": [
    "§ a",
    "env § a",
    "env A=1 § a",
    "sudo § a",
    "sudo -u b § a",
    "command § a",
    "exec § a",
    "nice -n 5 § a",
    "timeout 5 § a",
    "nohup § a",
    "xargs § < a",
    "xargs -n 1 § < a",
    "find . -exec § {} +",
    "bash -c '§ a'",
    "eval § a",
    "time § a",
    "a=1 § a",
    "a() { § a; }; a",
    "for i in 1; do § a; done",
    "echo a | § a",
    "x=§; $x a",
    "x=(§); ${x[0]} a",
    "trap '§ a' EXIT",
    "alias y='§ a'",
    "watch § a",
    "ssh h § a",
    "git -c alias.y='!§ a' y",
    "/bin/§ a",
    "echo $(§ a)",
    "[[ -n $(§ a) ]]",
  ],
};

/** Words that may have the value, each as the line spells it: variables, substitutions, globs, braces with quotes. */
const SPELLINGS: readonly ((value: string) => string)[] = [
  () => "$X",
  () => '"$X"',
  () => "${X}",
  () => "${X:-a}",
  () => '"${X%a}"',
  () => "${!X}",
  () => "${X[0]}",
  () => '"${X[@]}"',
  () => "$1",
  () => '"$@"',
  () => "$(cat x)",
  () => '"$(cat x)"',
  () => "`cat x`",
  () => "$(<x)",
  (value) => value.replace(/[a-z]/, "?"),
  (value) => value.replace(/[a-z]/, "*"),
  (value) => value.replace(/[a-z](?=[^a-z]*$)/, "*"),
  (value) => value.replace(/[a-z](?=[^a-z]*$)/, "[a-z]"),
  (value) => value.replace(/[a-z]/, (char) => `[${char}]`),
  (value) => value.replace(/[a-z]/, "$X"),
  (value) => value.replace(/[a-z](?=[^a-z]*$)/, '"$X"'),
  (value) => value.replace(/[a-z](?=[^a-z]*$)/, "$(cat x)"),
  (value) => `${value.slice(0, 1)}$X`,
  (value) => `{'${value}',b}`,
  () => `{"$X",b}`,
  (value) => `{${value},$X}`,
  (value) => `{b,${value.slice(0, 2)}'${value.slice(2)}'}`,
  (value) => `$'${value}'`,
  (value) => `'${value}'`,
  (value) => `"${value}"`,
  (value) => value.replace(/[a-z]/, "\\$&"),
  (value) => value.replace(/[a-z]/, "''$&"),
  (value) => value.replace(/[a-z]/, '"$&"'),
];

/** Lines that run another one. */
const AROUND: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => `( ${line}\n)`,
  (line) => `if :; then ${line}\nfi`,
  (line) => `echo a; ${line}`,
  (line) => `${line}\necho a`,
  (line) => `! { ${line}\n}`,
  (line) => `for zq in 1 2; do ${line}\ndone`,
  (line) => `zq() { ${line}\n}; zq`,
];

const part = fc.constantFrom(
  ...Object.entries(LINES).flatMap(([value, lines]) => lines.map((line) => ({ line, value }))),
);

test("a part of a line that becomes an unknown of the same value makes no allow", LONG, () => {
  const counts = { held: 0, allowed: 0 };
  fc.assert(
    fc.property(
      part,
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom(...AROUND),
      ({ line, value }, spelling, around) => {
        const written = spelling(value);
        // Quotes within quotes are other text.
        if (/'[^']*§[^']*'/.test(line) && /['"]/.test(written)) return;
        const [fixed, open] = [value, written].map((it) => around(line.replaceAll("§", () => it)));
        // A program that is not known is one without a table: of its files nothing is known.
        for (const policy of value === "cat" ? [DENIES_PROGRAM] : DENY_FILES) {
          const [was, is] = [fixed!, open!].map((command) =>
            evaluate(policy, { tool: "Bash", input: { command } }).action
          );
          if (was === "allow") {
            counts.allowed++;
            continue;
          }
          counts.held++;
          assert.notEqual(is, "allow", `${fixed}: ${was}; ${open}`);
        }
      },
    ),
    { numRuns: 1_500, seed: 21 },
  );
  assert.ok(counts.held > enough(1_500), JSON.stringify(counts));
});

/** Operators of `[[ ]]` that evaluate a side: as arithmetic, or as the name of a variable with a subscript. */
const EVALUATE: readonly ((side: string) => string)[] = [
  ...["-eq", "-ne", "-lt", "-le", "-gt", "-ge"].flatMap((operator) => [
    (side: string) => `${side} ${operator} 1`,
    (side: string) => `1 ${operator} ${side}`,
    (side: string) => `-n a && ${side} ${operator} 1`,
    (side: string) => `! ( 1 ${operator} ${side} )`,
  ]),
  (side) => `-v ${side}`,
  (side) => `-v x[${side}]`,
];
/** Operators that compare text or look at files: what a side runs is judged, its value is only text. */
const COMPARE = ["==", "=", "!=", "<", ">", "=~", "-nt", "-ot", "-ef"];

test(
  "a side of [[ ]] that is evaluated is unknown where it is not fixed, and what any side runs is judged",
  LONG,
  () => {
    const policy = policyOf([
      { pattern: "Bash:rm *", action: "deny" },
      ...["echo", "read", "test"].map((name): TestRule => ({
        pattern: `Bash(${name}:*)`,
        action: "allow",
      })),
    ]);
    const verdict = (command: string) =>
      evaluate(policy, { tool: "Bash", input: { command } }).action;
    const tests = (side: string) => [
      ...EVALUATE.map((write) => write(side)),
      ...COMPARE.flatMap((operator) => [`${side} ${operator} a`, `a ${operator} ${side}`]),
      ...["-n", "-z", "-f", "-e", "-t", "-o"].map((operator) => `${operator} ${side}`),
      side,
    ];
    const unfixed = ["$x", '"$x"', "${x}", "${x%a}", "x"];
    const lines = unfixed.flatMap((side) =>
      EVALUATE.map((write) => `read x; [[ ${write(side)} ]] && echo a`)
    );
    assert.deepEqual(lines.filter((line) => verdict(line) === "allow"), []);
    const run = ["$(rm a)", '"$(rm a)"', "`rm a`", "${x:-$(rm a)}"].flatMap((side) =>
      tests(side).map((each) => `[[ ${each} ]] && echo a`)
    );
    assert.deepEqual(run.filter((line) => verdict(line) !== "deny"), []);
  },
);
