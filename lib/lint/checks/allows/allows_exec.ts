import { callOf, type ToolCall } from "../../../model/call.ts";
import type { Rule } from "../../../model/rule.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { mayAllow } from "../../probe_rules.ts";
import { foundAt, listed, ruleName, shown, tried } from "../../place_finding.ts";

/** Allow rules that let arbitrary programs run. */
export const allowsExec: Check = {
  id: "allows-exec",
  severity: "warning",
  docs: {
    what: "An allow that lets arbitrary programs run: python *, npx *, make *, bare Bash",
    why:
      "These programs run code, so such a rule allows as much as a bare Bash, in spite of other deny rules. " +
      'With shell = "literal" the check also finds programs that run others through an option, such as find and git -c.',
    avoid: example([rule("Bash:python3 *", "allow")]),
    prefer: example([rule("Bash(python3 scripts/build.py:*)", "allow")]),
  },
  find(context) {
    const runs = allowedRuns(context);
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const calls = runs.get(rule) ?? [];
      const [first] = calls;
      if (first === undefined) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} lets any program run: ${
          listed(calls.map(({ text }) => `"${text}"`))
        }`,
        ...shown(context, first.call),
        hint: "Name the intended scripts or subcommands, or ask",
      })];
    });
  },
};

interface Run {
  readonly text: string;
  readonly call: ToolCall;
}

/** The probes that are allowed, by the rule that allows them. */
function allowedRuns(context: LintContext): ReadonlyMap<Rule, readonly Run[]> {
  const { profiles } = context.policy;
  const found = new Map<Rule, Run[]>();
  for (const profile of profiles.known) {
    if (profile.kind !== "command") continue;
    for (const text of RUN_PROBES.filter(mayAllow(context, profile))) {
      const call = callOf(profile, text);
      if (call === undefined) continue;
      const { action, rule } = tried(context, call);
      if (action !== "allow" || rule === null) continue;
      const runs = found.get(rule);
      if (runs === undefined) found.set(rule, [{ text, call }]);
      else runs.push({ text, call });
    }
  }
  return found;
}

/** Commands that run what their arguments name, however the line is read; `evil` represents any program. */
const INTERPRETER_PROBES: readonly string[] = [
  ...named(["python", "python3", "python2", "pypy", "pypy3"], "-c 0"),
  ...named(
    ["node", "nodejs", "bun", "ruby", "perl", "lua", "luajit", "osascript", "Rscript"],
    "-e 0",
  ),
  "php -r 0",
  "deno eval 0",
  "deno run evil.ts",
  "bun run evil",
  "tsx evil.ts",
  "ts-node evil.ts",
  "java evil.java",
  ...named(["npx", "bunx", "pnpx", "uvx", "pipx run"], "evil"),
  ...named(["npm", "pnpm", "yarn", "bun"], "exec evil"),
  ...named(["pnpm", "yarn"], "dlx evil"),
  ...named(["uv", "poetry", "pdm", "pipenv", "hatch", "conda", "cargo", "nix", "mise"], "run evil"),
  "bundle exec evil",
  "go run evil@latest",
  "dotnet run evil",
  ...named(["make", "gmake"], "SHELL=evil"),
  // An option or variable that runs something is unknown, and a rule above may ask about that; a target is not.
  ...named(
    ["make", "gmake", "just", "task", "rake", "mage", "ninja", "invoke", "gulp", "grunt"],
    "evil",
  ),
  ...named(["tox", "nox"], "-e evil"),
  ...named(["turbo", "nx", "lerna", "bazel", "rye", "pixi", "devbox"], "run evil"),
  ...named(["gradle", "sbt"], "run"),
  "mvn exec:exec",
  "mvn evil",
  ...named(["docker", "podman", "nerdctl"], "run -v /:/host evil"),
  ...named(["docker", "podman", "nerdctl", "docker-compose"], "exec box evil"),
  "kubectl exec box -- evil",
  // A deny rule above, which is indeterminate for code, does not stop a script.
  ...named(["python", "python3", "python2", "pypy", "pypy3"], "evil.py"),
  ...named(["node", "nodejs", "bun"], "evil.js"),
  "ruby evil.rb",
  "perl evil.pl",
  "php evil.php",
  ...named(["lua", "luajit"], "evil.lua"),
  "osascript evil.scpt",
  "Rscript evil.R",
];

/**
 * Commands that run something else through a wrapper, an option or a language of their own. An allow rule for the program
 * does not allow them if the line is parsed; if it is one string, it does.
 */
const LITERAL_PROBES: readonly string[] = [
  ...named(
    ["sudo", "doas", "env", "xargs", "nohup", "nice", "setsid", "exec", "command", "eval"],
    "evil",
  ),
  ...named(["bash", "sh", "zsh", "dash", "ksh", "fish"], "-c evil"),
  ...named(["timeout 1", "watch", "strace", "ssh host", "flock lock", "parallel"], "evil"),
  "source evil",
  ". evil",
  "find . -exec evil {} +",
  "fd -x evil",
  "git -c core.fsmonitor=evil status",
  "git -c alias.x=!evil x",
  "git bisect run evil",
  "tar --to-command=evil -xf x",
  "tar -I evil -xf x",
  "sed 1e x",
  'awk BEGIN{system("evil")}',
  "sort --compress-program=evil x",
  "rg --pre evil x",
  "ssh -o ProxyCommand=evil host",
  "rsync -e evil x host:x",
  "man -P evil x",
  "vim -c !evil",
  "zip -T -TT evil x.zip x",
  "gcc -wrapper evil x.c",
  "curl -K evil",
  "psql -c \\!evil",
];

/** Every command that is tried. */
export const RUN_PROBES: readonly string[] = ["evil", ...INTERPRETER_PROBES, ...LITERAL_PROBES];

function named(names: readonly string[], rest: string): readonly string[] {
  return names.map((name) => `${name} ${rest}`);
}
