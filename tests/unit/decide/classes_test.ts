import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../../lib/decide/evaluate.ts";
import { modeNamed } from "../../../lib/decide/modes.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import table from "../../cases/classes/lines.json" with { type: "json" };
import about from "../../cases/classes/about.json" with { type: "json" };
import build from "../../cases/classes/build.json" with { type: "json" };
import admin from "../../cases/classes/admin.json" with { type: "json" };
import clouds from "../../cases/classes/clouds.json" with { type: "json" };
import clouds2 from "../../cases/classes/clouds_2.json" with { type: "json" };
import companions from "../../cases/classes/companions.json" with { type: "json" };
import devtools from "../../cases/classes/devtools.json" with { type: "json" };
import git from "../../cases/classes/git.json" with { type: "json" };
import fetches from "../../cases/classes/fetch.json" with { type: "json" };
import gh from "../../cases/classes/gh.json" with { type: "json" };
import gitHistory from "../../cases/classes/git_history.json" with { type: "json" };
import hostile from "../../cases/classes/hostile.json" with { type: "json" };
import inspection from "../../cases/classes/inspection.json" with { type: "json" };
import interpreters from "../../cases/classes/interpreters.json" with { type: "json" };
import gitWrites from "../../cases/classes/git_writes.json" with { type: "json" };
import managers from "../../cases/classes/managers.json" with { type: "json" };
import later from "../../cases/classes/later.json" with { type: "json" };
import machine from "../../cases/classes/machine.json" with { type: "json" };
import macos from "../../cases/classes/macos.json" with { type: "json" };
import names from "../../cases/classes/names.json" with { type: "json" };
import programs from "../../cases/classes/programs.json" with { type: "json" };
import reach from "../../cases/classes/reach.json" with { type: "json" };
import real from "../../cases/classes/real.json" with { type: "json" };
import secrets from "../../cases/classes/secrets.json" with { type: "json" };
import gitTracked from "../../cases/classes/git_tracked.json" with { type: "json" };
import secretFiles from "../../cases/classes/secret_files.json" with { type: "json" };
import services from "../../cases/classes/services.json" with { type: "json" };
import several from "../../cases/classes/several.json" with { type: "json" };
import text from "../../cases/classes/text.json" with { type: "json" };
import tools from "../../cases/classes/tools.json" with { type: "json" };
import witness from "../../cases/classes/witness.json" with { type: "json" };
import { filesOf } from "../../support/files_of.ts";
import { ownRepository } from "../../support/own_repository.ts";

/** A policy of some rules, with these files below /work and every program in a folder of the system. */
function policyOf(
  rules: readonly (readonly string[])[],
  files: readonly string[] = [],
  texts: Readonly<Record<string, string>> = {},
  packages: readonly string[] = [],
) {
  const toml = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  return policyFromToml(toml.join(""), {
    workspace: "/work",
    home: "/home/ada",
    isSystemProgram: () => true,
    gitRepository: (folder) => folder.startsWith("/work") ? "here" : "foreign",
    gitState: (folder) => ownRepository(folder, files),
    textOf: (path) => texts[path.replace("/work/", "")] ?? null,
    hasPackages: (look, folder) => packages.includes(`${look} ${folder}`),
    ...filesOf(files),
  });
}

function bash(command: string) {
  return { tool: "Bash", input: { command }, cwd: "/work" };
}

/** Cases with the files that they need; `texts` are those of configuration files. */
interface CaseTable {
  readonly rules: readonly (readonly string[])[];
  readonly files: readonly string[];
  readonly texts?: Readonly<Record<string, string>>;
  /** Looks, each with a folder where it finds all that a program needs. */
  readonly packages?: readonly string[];
  readonly cases: readonly (readonly string[])[];
}

const TABLES: readonly CaseTable[] = [
  about,
  build,
  admin,
  clouds,
  clouds2,
  table,
  companions,
  devtools,
  text,
  git,
  gitHistory,
  gitWrites,
  gh,
  hostile,
  inspection,
  interpreters,
  fetches,
  programs,
  reach,
  real,
  secretFiles,
  secrets,
  gitTracked,
  services,
  several,
  names,
  later,
  managers,
  machine,
  macos,
  tools,
  witness,
];

for (const { rules, files, texts, packages, cases } of TABLES) {
  for (const [expected, line = ""] of cases) {
    test(`rules about classes: ${expected} ${line}`, () => {
      const { action, units } = evaluate(policyOf(rules, files, texts, packages), bash(line));
      assert.equal(
        action,
        expected,
        JSON.stringify(units.map(({ text, reason }) => [text, reason])),
      );
    });
  }
}

test("a search that passes over hidden names looks at them where an ignore file may show them", () => {
  const rules = [["deny", "Read:**/.env"], ["allow", "Bash(@read)"]];
  const action = (...files: readonly string[]) =>
    evaluate(policyOf(rules, ["src/a.ts", "src/.env", ...files]), bash("rg x src")).action;
  assert.equal(action(), "allow");
  for (const file of [".gitignore", "src/.ignore", "src/deep/.rgignore"]) {
    assert.equal(action(file), "ask", file);
  }
  const files = ["src/a.ts", "src/.env", ".gitignore"];
  for (const [expected, text] of IGNORED) {
    const policy = policyOf(rules, files, { ".gitignore": text });
    assert.equal(evaluate(policy, bash("rg x src")).action, expected, JSON.stringify(text));
  }
});

test("a search looks at hidden names where an ignore file of git's own may show them", () => {
  const rules = [["deny", "Read:**/.env"], ["allow", "Bash(@read)"]];
  const action = (texts: Readonly<Record<string, string>>) =>
    evaluate(
      policyOf(rules, ["src/a.ts", "src/.env", ...Object.keys(texts)], texts),
      bash("rg x src"),
    ).action;
  const home = "/home/ada/";
  assert.equal(action({ ".git/info/exclude": "# none\n*.log\n" }), "allow");
  assert.equal(action({ ".git/info/exclude": "*.log\n!.env\n" }), "ask");
  assert.equal(action({ ".git": "gitdir: /r/.git/worktrees/x\n" }), "allow");
  const tree = { ".git": "gitdir: /r/.git/worktrees/x\n", "/r/.git/info/exclude": "!.env" };
  assert.equal(action(tree), "ask");
  assert.equal(action({ [`${home}.config/git/ignore`]: ".DS_Store\n" }), "allow");
  assert.equal(action({ [`${home}.config/git/ignore`]: "!.*\n" }), "ask");
  const config = { [`${home}.gitconfig`]: "[core]\n\texcludesFile = ~/ignored\n" };
  assert.equal(action(config), "allow");
  assert.equal(action({ ...config, [`${home}ignored`]: "!.env" }), "ask");
});

/** Texts of an ignore file, and the verdict of a search beside it. */
const IGNORED: readonly (readonly [string, string])[] = [
  ["allow", "node_modules\n.env\n"],
  ["allow", "a!b\n# !x\n"],
  ["ask", ".env*\n!.env.example\n"],
  ["ask", "!.env"],
  ["ask", "a\r!.env"],
  ["ask", "\ufeff!.env"],
  ["ask", "  !.env\n"],
];

test("a name that PATH leads into the workspace has no class, but the shell's own commands do", () => {
  const policy = policyFromToml(
    'permissions.rules = [{ pattern = "Bash(@read)", action = "allow" }]',
    { workspace: "/work", isSystemProgram: (name) => name !== "ls" },
  );
  assert.equal(evaluate(policy, bash("ls")).action, "ask");
  assert.equal(evaluate(policy, bash("cat f")).action, "allow");
  assert.equal(evaluate(policy, bash("echo x")).action, "allow");
  const pure = policyFromToml(
    'permissions.rules = [{ pattern = "Bash(@read)", action = "allow" }]',
  );
  assert.equal(evaluate(pure, bash("cat f")).action, "ask");
  assert.equal(evaluate(pure, bash("echo x")).action, "allow");
});

/** Lines that fetch, and their verdicts where every URL may be fetched, but nothing of the machine or its networks. */
const FETCHED: readonly (readonly [string, string])[] = [
  ["curl https://x.org", "allow rule"],
  ...[
    "http://localhost:3000/x",
    "http://LOCALHOST",
    "http://app.localhost",
    "http://127.0.0.1",
    "http://127.1:80",
    "http://2130706433",
    "http://0x7f.1",
    "http://0177.0.0.1",
    "http://0",
    "http://10.1.2.3",
    "http://192.168.0.1",
    "http://172.16.0.1",
    "http://100.64.0.1",
    "http://169.254.1.1",
    "http://db.internal",
    "http://printer.local",
    "http://router",
    "http://a:b@x.org",
    "http://localhost.",
    "localhost:3000/x",
    "http://169.254.169.254/latest/meta-data/",
    "http://2852039166/",
    "http://0xa9fea9fe/",
    "http://169.254.170.2/v2/credentials",
    "http://metadata.google.internal/x",
    "http://metadata",
    "http://100.100.100.200",
  ].map((url): readonly [string, string] => [`curl -s ${url}`, "deny rule"]),
];

/** Lines of a class, which a deny of it stops whatever options they have. */
const DENIED: Readonly<Record<string, readonly string[]>> = {
  delete: [
    "docker rm x",
    "kubectl delete pod x",
    "apt remove x",
    "aws s3 rm s3://b/x",
    "gzip f",
    "podman rmi x",
    "dpkg -r x",
  ],
  secret: [
    "cat /proc/self/environ",
    "xxd < ~/.bash_history",
    "{ cat; } < /dev/sda",
    "grep -r x /proc",
    "docker inspect x",
    "kubectl get secret x",
    "kubectl get pods -o yaml",
    "aws ssm get-parameter --name x",
    "terraform output",
    "helm get values x",
    "systemctl show x",
  ],
  system: [
    "reboot",
    "useradd ada",
    "systemctl enable x",
    "ip link set eth0 down",
    "sysctl -w a",
    "sudo reboot",
    "ifconfig eth0 down",
    "mount /dev/x /y",
  ],
  process: ["systemctl restart x", "docker stop x", "killall node", "docker run --rm x ls"],
  service: [
    "ping x",
    "kubectl apply -f f",
    "ssh host ls",
    "helm install x .",
    "docker push x",
    "dig @1.2.3.4 x",
    "getent hosts x",
  ],
  install: [
    "apt-get install -y x",
    "docker pull x",
    "brew install x",
    "rpm -e x",
    "terraform state list; apt update",
  ],
};

/** Rules, a line, and its verdict with its origin. */
const DENIES: readonly (readonly [(readonly string[])[], string, string])[] = [
  [[["deny", "Bash(@edit)"], ["allow", "Bash"]], "cat f", "allow rule"],
  [[["deny", "Bash(@edit)"], ["allow", "Bash"]], "cp a b", "deny rule"],
  [[["deny", "Bash(@project)"], ["allow", "Bash"]], "npm test", "deny rule"],
  [[["deny", "Bash(@project)"], ["allow", "Bash"]], "npm run deploy", "ask safety"],
  [[["deny", "Bash(@edit)"], ["allow", "Bash"]], "sort -o g f", "deny rule"],
  [[["deny", "Bash(@delete)"], ["allow", "Bash"]], "rm f", "deny rule"],
  [[["ask", "Bash(@delete)"], ["allow", "Bash"]], "rm f", "ask rule"],
  [[["deny", "Bash(@delete)"], ["allow", "Bash"]], "mytool x", "ask rule"],
  [[["allow", "Bash(mytool:*)"], ["deny", "Bash(@delete)"]], "mytool x", "allow rule"],
  [[["deny", "Bash(@delete)"], ["allow", "Bash"]], "cat --no-such f", "ask safety"],
  // A question that another rule raises too is no ordinary one.
  [
    [["deny", "Bash(mytool rm:*)"], ["deny", "Bash(@delete)"], ["allow", "Bash"]],
    'mytool "$x"',
    "ask safety",
  ],
  // A folder that may not be searched denies the command, which names no file.
  [[["deny", "Read:secret/**"], ["allow", "Bash(@read)"]], "cd secret && rg x", "deny rule"],
  [[["deny", "Bash(@secret)"], ["allow", "Bash"]], "echo $TOKEN", "deny rule"],
  [[["deny", "Bash(@secret)"], ["allow", "Bash"]], "echo $HOME", "allow rule"],
  [[["deny", "Bash(@edit)"], ["allow", "Bash"]], "cat f > g", "deny rule"],
  [[["deny", "Bash(@delete)"], ["allow", "Bash"]], "eval rm f", "deny rule"],
  [[["allow", "Bash(@delete)"], ["allow", "Write:./**"]], "rm f", "allow rule"],
  [[["allow", "Bash(@delete)"]], "rm f", "ask rule"],
  [[["allow", "Bash(@delete)"], ["allow", "Write:./**"]], "rm /etc/x", "ask rule"],
  ...FETCHED.map(([line, expected]) =>
    [
      [["deny", "Bash(@service)"], ["deny", "Bash(@secret)"], ["allow", "WebFetch"], [
        "allow",
        "Bash(@fetch)",
      ]],
      line,
      expected,
    ] as [string[][], string, string]
  ),
  [[["allow", "WebFetch"], ["allow", "Bash(@fetch)"]], "curl -L https://x.org", "allow rule"],
  [[["allow", "WebFetch:*"], ["allow", "Bash(@fetch)"]], "curl -L https://x.org", "allow rule"],
  [
    [["deny", "WebFetch(domain:evil.org)"], ["allow", "WebFetch"], ["allow", "Bash(@fetch)"]],
    "curl -L https://x.org",
    "ask rule",
  ],
  [
    [["allow", "WebFetch"], ["allow", "Bash(@fetch)"], ["allow", "Bash(@edit)"], [
      "allow",
      "Write:./**",
    ]],
    "wget -q https://x.org/a.txt",
    "allow rule",
  ],
  [
    [["allow", "WebFetch"], ["allow", "Bash(@fetch)"], ["deny", "Bash(@edit)"], [
      "allow",
      "Write:./**",
    ]],
    "wget -q https://x.org/a.txt",
    "deny rule",
  ],
  [
    [["allow", "WebFetch"], ["allow", "Bash(@fetch)"], ["deny", "Bash(@edit)"]],
    "wget -qO- https://x.org",
    "allow rule",
  ],
  [[["deny", "Bash(@edit)"], ["allow", "Bash"]], "curl -d x -o f https://x.org", "deny rule"],
  ...Object.entries(DENIED).flatMap(([name, lines]) =>
    lines.map((line) =>
      [[["deny", `Bash(@${name})`], ["allow", "Bash"]], line, "deny rule"] as [
        string[][],
        string,
        string,
      ]
    )
  ),
];

for (const [rules, line, expected] of DENIES) {
  test(`${rules.map((rule) => rule.join(" ")).join(", ")}: ${line}`, () => {
    const { action, by, units } = evaluate(policyOf(rules, ["/home/ada/.profile"]), bash(line));
    assert.equal(`${action} ${by}`, expected, JSON.stringify(units.map(({ reason }) => reason)));
  });
}

test("a fetch is not covered where the home folder may hold credentials or lies in the workspace", () => {
  const toml = ["WebFetch", "Bash(@fetch)", "Bash(@service-read)"].map((pattern) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "allow"\n`
  ).join("");
  const action = (line: string, home: string, files: readonly string[] = []) =>
    evaluate(
      policyFromToml(toml, {
        workspace: "/work",
        home,
        isSystemProgram: () => true,
        ...filesOf(files),
      }),
      bash(line),
    ).action;
  assert.equal(action("curl -s https://x.org", "/home/ada"), "allow");
  assert.equal(action("curl -s https://x.org", "/work"), "ask");
  assert.equal(action("curl -s https://x.org", "/work/home"), "ask");
  assert.equal(action("wget -qO- https://x.org", "/home/ada", ["/home/ada/.profile"]), "allow");
  assert.equal(
    action("wget -qO- https://x.org", "/home/ada"),
    "ask",
    "the home folder cannot be listed",
  );
  assert.equal(action("wget -qO- https://x.org", "/home/ada", ["/home/ada/.netrc"]), "ask");
});

/** Rules, a line, a part of it, and why the first rule does not match that. */
const REASONS: readonly (readonly [(readonly string[])[], string, string, string])[] = [
  [[["allow", "Bash(@edit)"]], "cat f", "cat f", "the command is @read"],
  [
    [["allow", "Bash(@read)"]],
    'cd "$HOME" && rg x',
    "rg x",
    "a folder that it searches is not fixed",
  ],
  [
    [["allow", "Bash(@read)"], ["ask", "Read:secret/**"]],
    "rg x secret",
    "rg x secret",
    "the ask rule `Read:secret/**` asks about reading `secret`",
  ],
];

for (const [rules, line, part, expected] of REASONS) {
  test(`${rules.map((rule) => rule.join(" ")).join(", ")} and ${line}: ${expected}`, () => {
    const { units } = evaluate(policyOf(rules), bash(line), { trace: "full" });
    assert.equal(units.find(({ text }) => text === part)?.steps[0]?.why, expected);
  });
}

/** Lines whose files are named by something that the line does not hold, and that. */
const UNHELD: readonly (readonly [string, string])[] = [
  ["tar -cf a.tar -T names", "`names`"],
  ["tar cfT a.tar names", "`names`"],
  ["tar -xf a.tar", "`a.tar`"],
  ["tar xzf a.tgz -C out", "`a.tgz`"],
  ["tar x", "an archive"],
  ["rsync --files-from=names . out", "`names`"],
  ["rsync --files-from=- . out", "standard input"],
  ["wc --files0-from=n*", "a list"],
  ["sort --files0-from names", "`names`"],
  ["du --files0-from names", "`names`"],
  ["file -f names", "`names`"],
  ["find -files0-from names", "`names`"],
  ["xz --files=names", "`names`"],
  ["zip -@ a.zip b", "standard input"],
  ["cpio -o", "standard input"],
  ["cpio -i", "an archive"],
  ["pax -rf a.tar", "an archive"],
  ["patch -p1 -i x.patch", "`x.patch`"],
  ["patch f x.patch", "`x.patch`"],
  ["patch -p1", "standard input"],
  ["unzip -q a.zip", "`a.zip`"],
  ["git apply x.patch", "`x.patch`"],
  ["git am", "standard input"],
  ["git add --pathspec-from-file=names", "`names`"],
  ["git log --stdin", "standard input"],
  ["git cat-file --batch", "standard input"],
  ["sha256sum -c sums", "`sums`"],
  ["md5sum --check=x sums", "`sums`"],
  ["cloc --list-file names", "`names`"],
  ["ar x lib.a", "`lib.a`"],
  ["7z x a.7z", "`a.7z`"],
];

for (const [line, place] of UNHELD) {
  test(`the names of files come from ${place}: ${line}`, () => {
    const rules = ["read", "edit", "repository"].map((name) => ["allow", `Bash(@${name})`]);
    const policy = policyOf([...rules, ["allow", "Write"], ["allow", "Read"]], table.files);
    const { action, units } = evaluate(policy, bash(line), { trace: "full" });
    const whys = units[0]!.steps.flatMap(({ why }) => why ?? []);
    const expected = `the names of files come from ${place}, which the line does not hold`;
    assert.equal(action, "ask");
    assert.ok(whys.some((why) => why.endsWith(expected)), JSON.stringify(whys));
  });
}

test("an unknown part of a command is asked about by itself", () => {
  const { units } = evaluate(policyOf([["allow", "Bash(@read)"]]), bash('cat < "$?"'));
  assert.deepEqual(units.map(({ kind, action }) => `${kind} ${action}`), [
    "command allow",
    "opaque ask",
  ]);
});

/** A mode, a line, and the decision without any rule about the shell but the built-in one; `developer` allows classes. */
const IN_MODES: readonly (readonly [string, string, string])[] = [
  ["acceptEdits", "mkdir -p a && cp src/a.ts a/", "allow"],
  ["acceptEdits", "cat src/a.ts", "allow"],
  ["acceptEdits", "touch new", "allow"],
  ["acceptEdits", "rm f", "ask"],
  ["acceptEdits", "cp src/a.ts /etc/x", "ask"],
  ["acceptEdits", "cat /etc/passwd", "ask"],
  ["acceptEdits", "cp a out/x", "ask"],
  ["acceptEdits", "ls", "ask"],
  ["acceptEdits", "grep -rn x .", "ask"],
  ["acceptEdits", "rg x src", "ask"],
  ["acceptEdits", "cp -r src copy", "ask"],
  ["acceptEdits", 'touch "$f"', "ask"],
  ["acceptEdits", "touch a --no-such", "ask"],
  ["acceptEdits", "mytool a", "ask"],
  ["acceptEdits", "touch a > /etc/x", "ask"],
  ["acceptEdits", 'cd "$d" && touch a', "ask"],
  ["plan", "cat src/a.ts", "ask"],
  ["plan", "cat src/a.ts | head -3", "ask"],
  ["plan", "touch a", "deny"],
  ["plan", "cat a > b", "deny"],
  ["plan", "cp a b", "deny"],
  ["plan", "sort -o g f", "deny"],
  ["plan", "mytool", "deny"],
  ["plan", "echo $TOKEN", "deny"],
  ["dontAsk", "touch a", "allow"],
];

for (const [name, line, expected] of IN_MODES) {
  test(`${name}: ${line} is ${expected}`, () => {
    const policy = policyOf([], table.files);
    const evaluation = evaluateCall(policy, bash(line));
    assert.equal(decide(policy, evaluation, { mode: modeNamed(name)! }).decision, expected);
  });
}

test("plan counts no rule about a class but those that read", () => {
  const rules = ["read", "edit", "delete"].map((name) => ["allow", `Bash(@${name})`]);
  const policy = policyOf([...rules, ["allow", "Write"]], table.files);
  const inPlan = (line: string) =>
    decide(policy, evaluateCall(policy, bash(line)), { mode: modeNamed("plan")! }).decision;
  assert.equal(inPlan("cat src/a.ts"), "allow");
  assert.equal(inPlan("touch a"), "deny");
  assert.equal(inPlan("rm a"), "deny");
  const named = policyOf([["allow", "Bash(touch:*)"]]);
  const { decision } = decide(named, evaluateCall(named, bash("touch a")), {
    mode: modeNamed("plan")!,
  });
  assert.equal(decision, "allow");
});
