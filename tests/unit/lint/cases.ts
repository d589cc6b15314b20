import type { AgentName } from "../../../lib/agents/registry.ts";

/** One policy and what a check says about it. */
export interface LintCase {
  /** The rules, a line each: `allow Bash:git *`. */
  readonly rules?: readonly string[];
  /** Lines under `[permissions]`. */
  readonly settings?: readonly string[];
  /** The whole text, in place of rules and settings. */
  readonly text?: string;
  /** The rules of the user's file. */
  readonly user?: readonly string[];
  /** The rules of the local file. */
  readonly local?: readonly string[];
  /** The agents that it is looked at for. */
  readonly agents?: readonly AgentName[];
  /** The findings, one line each: `SEVERITY PATTERN` and, where there is a witness, ` <- TOOL TEXT = VERDICT`. */
  readonly finds: readonly string[];
}

const LITERAL = ['shell = "literal"'];

/** Programs that run what the workspace or a registry holds, and a call that shows it below unrelated denies. */
const RUNNERS: Readonly<Record<string, string>> = {
  make: "make evil",
  gmake: "gmake evil",
  nerdctl: "nerdctl exec box evil",
  just: "just evil",
  rake: "rake evil",
  npm: "npm exec evil",
  docker: "docker exec box evil",
  gradle: "gradle run",
  mvn: "mvn evil",
};

function dated(action: string, when: string, settings: readonly string[] = []): string {
  return ["[permissions]", ...settings, "[[permissions.rules]]"].join("\n") +
    `\npattern = "Bash(x:*)"\naction = "${action}"\nexpires_at = "${when}"\n`;
}

/** The findings of every check, and near misses of it. */
export const CASES: Readonly<Record<string, readonly LintCase[]>> = {
  "covered-by-class": [
    {
      rules: ["allow Bash(wc:*)", "allow Bash(@read)"],
      finds: ["note Bash(wc:*) <- Bash wc = allow"],
    },
    {
      rules: ["allow Bash(@read)", "allow Bash:ls -la *"],
      finds: ["note Bash:ls -la * <- Bash ls -la a.txt = allow"],
    },
    {
      rules: ["allow Bash:cat README.md", "allow Bash(@read)"],
      finds: ["note Bash:cat README.md <- Bash cat README.md = allow"],
    },
    {
      rules: ["allow Bash(wc:*)"],
      user: ["allow Bash(@read)"],
      finds: ["note Bash(wc:*) <- Bash wc = allow"],
    },
    // A file that an option of it writes needs a rule of its own anyway.
    {
      rules: ["allow Bash(sort:*)", "allow Bash(@read)"],
      finds: ["note Bash(sort:*) <- Bash sort = allow"],
    },
    // Another class, and a class that does not count in plan mode.
    { rules: ["allow Bash(rm:*)", "allow Bash(@read)"], finds: [] },
    { rules: ["allow Bash(mkdir:*)", "allow Bash(@edit)", "allow Write"], finds: [] },
    // A file that a person is asked about is one with either rule.
    {
      rules: ["allow Bash(wc:*)", "allow Bash(@read)", "ask Read:/etc/**"],
      finds: ["note Bash(wc:*) <- Bash wc = allow"],
    },
    { rules: ["allow Bash(mytool:*)", "allow Bash(@read)"], finds: [] },
    { rules: ['allow Bash:cat "$x"', "allow Bash(@read)"], finds: [] },
    { rules: ["allow Bash:wc * x", "allow Bash(@read)"], finds: [] },
    // The rule stands above an ask that the class is below.
    { rules: ["allow Bash(wc:*)", "ask Bash(wc:*)", "allow Bash(@read)"], finds: [] },
    // Another action, a bare rule, and a rule that ends.
    { rules: ["deny Bash(rm:*)", "deny Bash(@delete)", "allow Bash"], finds: [] },
    { rules: ["allow Bash(wc:*)", "deny Bash(@read)"], finds: [] },
    { rules: ["allow Bash(wc:*)", "allow Bash"], finds: [] },
  ],
  "dangerous-class": [
    {
      rules: ["allow Bash(@delete)", "allow Write"],
      finds: ["warning Bash(@delete) <- Bash rm -r build = allow"],
    },
    { rules: ["allow Bash(@delete)", "deny Write"], finds: ["warning Bash(@delete)"] },
    {
      rules: ["allow Bash(@system)"],
      finds: ["warning Bash(@system) <- Bash shutdown now = allow"],
    },
    { rules: ["allow Bash(@secret)"], finds: ["warning Bash(@secret) <- Bash printenv = allow"] },
    {
      rules: ["allow Bash(@service)", "allow Bash(@code)"],
      finds: ["warning Bash(@service)", "warning Bash(@code) <- Bash npm run deploy = allow"],
    },
    {
      rules: [
        "deny Bash(@delete)",
        "ask Bash(@code)",
        "allow Bash(@read)",
        "allow Bash(@edit)",
        "allow Bash(rm:*)",
      ],
      finds: [],
    },
  ],
  schema: [
    { text: "[permissions]\nrulez = []\n", finds: ["error null"] },
    { text: '[[permissions.rules]]\npattern = "Bash("\naction = "allow"\n', finds: ["error null"] },
    { text: "= 1\n", finds: ["error null"] },
    { rules: ["deny TodoWrite:x*"], finds: [] },
    { rules: ["allow Bash:git *"], finds: [] },
  ],
  "never-matches": [
    { rules: ["deny WebSearch:query=a,query=b"], finds: ["error WebSearch:query=a,query=b"] },
    { rules: ["deny WebSearch:query=a*,query=*b"], finds: [] },
    { rules: ["deny WebSearch:query=a,query!=a"], finds: ["error WebSearch:query=a,query!=a"] },
  ],
  shadowed: [
    {
      rules: ["deny Write:docs/**", "allow Write:docs/a/*"],
      finds: ["warning Write:docs/a/* <- Write /home/u/ws/docs/a/a = deny"],
    },
    { rules: ["allow Write:docs/a/*", "deny Write:docs/**"], finds: [] },
    { rules: ["allow Write:docs/*", "deny Write:docs/*"], finds: [] },
    {
      rules: ["deny WebSearch:query=a*", "deny WebSearch:query=?b", "ask WebSearch:query=ab"],
      finds: ["warning WebSearch:query=ab <- WebSearch ab = deny"],
    },
    {
      local: ["allow WebSearch"],
      rules: ["deny WebSearch:query=x"],
      finds: ["note WebSearch:query=x <- WebSearch x = allow"],
    },
    {
      user: ["deny WebSearch:query=x"],
      rules: ["allow WebSearch"],
      finds: ["warning WebSearch:query=x <- WebSearch x = allow"],
    },
    { rules: ["deny WebSearch:query=x", "allow WebSearch:query=x"], finds: [] },
    { rules: ["allow WebSearch:query=a*", "deny WebSearch:query=*a"], finds: [] },
  ],
  "not-analysed": [
    {
      rules: [
        "ask *a*d*g*j*m*p*",
        "ask *b*e*h*k*n*q*",
        "ask *c*f*i*l*o*r*",
        "ask *a*e*i*m*q*u*",
        "allow mcp__db__*",
        "deny mcp__db__*:x=1",
      ],
      finds: ["warning mcp__db__*:x=1"],
    },
    { rules: ["allow mcp__db__*", "deny mcp__*__delete", "ask *a*d*"], finds: [] },
    { rules: ["deny TodoWrite:x*"], finds: [] },
  ],
  "order-trap": [
    {
      rules: ["allow Read:src/**", "deny Read:**/.env"],
      finds: ["warning Read:**/.env <- Read /home/u/ws/src/.env = allow"],
    },
    // In other folders the deny decides, for its path holds below any.
    {
      rules: ["allow Read:src/**", "deny Read:src/.env"],
      finds: ["warning Read:src/.env <- Read /home/u/ws/src/.env = allow"],
    },
    {
      rules: ["ask Read:src/**", "deny Read:**/.env"],
      finds: ["warning Read:**/.env <- Read /src/.env = ask"],
    },
    {
      rules: ["allow Bash(git:*)", "ask Bash(* --force)"],
      finds: ["warning Bash(* --force) <- Bash git --force = allow"],
    },
    {
      rules: ["allow mcp__db__*", "ask mcp__*__delete"],
      finds: ["warning mcp__*__delete <- mcp__db__delete {} = allow"],
    },
    {
      settings: LITERAL,
      rules: ["allow Bash:git *", "deny Bash:* x"],
      finds: ["warning Bash:* x <- Bash git x = allow"],
    },
    {
      rules: ["allow Bash:curl *", "deny Bash:~--data"],
      finds: ["warning Bash:~--data <- Bash curl --data = allow"],
    },
    {
      rules: ["allow Bash:cat *", "deny Bash:* x"],
      finds: ["warning Bash:* x <- Bash cat x = allow"],
    },
    // Another scheme alone makes no exception less.
    { rules: ["allow WebFetch:domain:a.org", "ask WebFetch:https://*"], finds: [] },
    {
      rules: ["allow WebFetch:domain:a.org", "ask WebFetch:https://*/b"],
      finds: ["warning WebFetch:https://*/b <- WebFetch https://a.org/b = allow"],
    },
    // Another stands between: the deny of it decides first.
    { rules: ["deny Read:src/.env", "allow Read:src/*", "deny Read:**/.env"], finds: [] },
    { rules: ["deny Read:**/.env", "allow Read:src/**"], finds: [] },
    { rules: ["deny Read:src/**", "ask Read:**/.env"], finds: [] },
    { rules: ["allow Read:src/**", "allow Read:**/.env"], finds: [] },
    // Exceptions to what stands below them.
    { rules: ["allow Read:src/.env", "deny Read:**/.env"], finds: [] },
    { rules: ["allow mcp__db__get", "deny mcp__db__*"], finds: [] },
    { rules: ["allow Bash(git push origin)", "ask Bash(git push:*)"], finds: [] },
    // A rule that never decides is shadowed.
    { rules: ["allow Bash(git:*)", "deny Bash(git push:*)"], finds: [] },
    // The order of files is another matter.
    { local: ["allow Read:src/**"], rules: ["deny Read:**/.env"], finds: [] },
  ],
  redundant: [
    {
      rules: ["allow WebSearch:query=a", "allow WebSearch:query=a*"],
      finds: ["note WebSearch:query=a"],
    },
    { rules: ["allow WebSearch:query=a", "deny WebSearch:query=a*"], finds: [] },
    { rules: ["allow WebSearch:query=a*", "allow WebSearch:query=a"], finds: [] },
    { rules: ["deny Read:**/a", "deny Read:a"], finds: [] },
    { rules: ["allow Read"], finds: [] },
    { rules: ["allow TodoWrite"], finds: ["note TodoWrite"] },
  ],
  contradiction: [
    {
      rules: ["allow Bash:git push *", "deny Bash(git push *)"],
      finds: ["error Bash(git push *) <- Bash git push x = allow"],
    },
    {
      rules: ["ask Write:docs/**", "allow Write:docs/**"],
      finds: ["error Write:docs/** <- Write docs/x = ask"],
    },
    { rules: ["allow Bash(git push:*)", "deny Bash:git push:*"], finds: [] },
    { rules: ["allow Bash:git *", "allow Bash(git *)"], finds: [] },
    { rules: ["allow Bash:git *"], local: ["deny Bash:git *"], finds: [] },
    {
      text: dated("allow", "2027-01-01T00:00:00Z") +
        '[[permissions.rules]]\npattern = "Bash(x:*)"\naction = "deny"\n',
      finds: [],
    },
    {
      text: dated("deny", "2027-01-01T00:00:00Z", ["enforce_expiry = true"]) +
        '[[permissions.rules]]\npattern = "Bash(x:*)"\naction = "allow"\n',
      finds: [],
    },
    {
      text: dated("deny", "2027-01-01T00:00:00Z") +
        '[[permissions.rules]]\npattern = "Bash(x:*)"\naction = "allow"\n',
      finds: ["error Bash(x:*) <- Bash x = deny"],
    },
  ],
  duplicate: [
    { rules: ["allow Bash:git *", "allow Bash(git *)"], finds: ["warning Bash(git *)"] },
    {
      rules: ["allow Bash:git *", "deny Bash:rm *", "allow Bash:git *"],
      finds: ["warning Bash:git *"],
    },
    { rules: ["allow Bash:git *", "allow Bash(git:*)"], finds: [] },
    { rules: ["allow Bash:git *", "ask Bash:git *"], finds: [] },
    { rules: ["allow Bash:git *"], user: ["allow Bash:git *"], finds: [] },
    {
      text: dated("allow", "2027-01-01T00:00:00Z") +
        '[[permissions.rules]]\npattern = "Bash(x:*)"\naction = "allow"\n',
      finds: [],
    },
  ],
  "broad-allow": [
    { rules: ["allow *"], finds: ["warning * <- AnyTool {} = allow"] },
    {
      rules: ["allow Bash"],
      finds: ["warning Bash <- Bash some-program --with any-argument = allow"],
    },
    {
      rules: ["allow Bash:* *"],
      finds: ["warning Bash:* * <- Bash some-program --with any-argument = allow"],
    },
    { rules: ["allow Write:**"], finds: ["warning Write:** <- Write any/file.txt = allow"] },
    { rules: ["allow Edit:/**"], finds: ["warning Edit:/** <- Edit any/file.txt = allow"] },
    {
      rules: ["allow WebFetch:http://*"],
      finds: ["warning WebFetch:http://* <- WebFetch http://any-host.example/ = allow"],
    },
    {
      rules: ["allow WebFetch:https://*"],
      finds: ["warning WebFetch:https://* <- WebFetch https://any-host.example/ = allow"],
    },
    { rules: ["allow WebSearch"], finds: ["warning WebSearch <- WebSearch {} = allow"] },
    {
      rules: ["allow Bash", "allow Bash:* *"],
      finds: ["warning Bash <- Bash some-program --with any-argument = allow"],
    },
    { rules: ["deny Bash"], finds: [] },
    { rules: ["allow Read"], finds: [] },
    { rules: ["allow TodoWrite"], finds: [] },
    {
      rules: ["allow Write:docs/**", "allow WebFetch:https://*.example/*", "allow Bash(git:*)"],
      finds: [],
    },
    { rules: ["ask Bash", "allow Bash"], finds: [] },
    { rules: ["allow mcp__db__*"], finds: [] },
  ],
  "allows-exec": [
    {
      rules: ["allow Bash:python3 *"],
      finds: ["warning Bash:python3 * <- Bash python3 -c 0 = allow"],
    },
    {
      rules: ["deny Bash:rm *", "allow Bash:python3 *"],
      finds: ["warning Bash:python3 * <- Bash python3 evil.py = allow"],
    },
    { rules: ["allow Bash(npx:*)"], finds: ["warning Bash(npx:*) <- Bash npx evil = allow"] },
    {
      rules: ["allow Bash:make *"],
      finds: ["warning Bash:make * <- Bash make SHELL=evil = allow"],
    },
    ...Object.entries(RUNNERS).map(([program, call]) => ({
      rules: ["ask Bash(git push:*)", "deny Bash:rm *", `allow Bash(${program}:*)`],
      finds: [`warning Bash(${program}:*) <- Bash ${call} = allow`],
    })),
    { rules: ["allow Bash"], finds: ["warning Bash <- Bash evil = allow"] },
    { rules: ["allow *"], finds: ["warning * <- Bash evil = allow"] },
    {
      rules: ["allow Bash(find:*)"],
      settings: LITERAL,
      finds: ["warning Bash(find:*) <- Bash find . -exec evil {} + = allow"],
    },
    {
      rules: ["allow Bash(git:*)"],
      settings: LITERAL,
      finds: ["warning Bash(git:*) <- Bash git -c core.fsmonitor=evil status = allow"],
    },
    {
      rules: ["allow Bash(tar:*)"],
      settings: LITERAL,
      finds: ["warning Bash(tar:*) <- Bash tar --to-command=evil -xf x = allow"],
    },
    { rules: ["allow Bash(find:*)", "allow Bash(git:*)", "allow Bash(tar:*)"], finds: [] },
    { rules: ["allow Bash(make test:*)", "allow Bash(python3 build.py:*)"], finds: [] },
    { rules: ["ask Bash:python3 *"], finds: [] },
    { rules: ["deny Bash(npx:*)", "allow Bash(npx:*)"], finds: [] },
    { rules: ["allow Bash(ls:*)"], settings: LITERAL, finds: [] },
  ],
  "bare-missed": [
    { rules: ["allow Bash:git push *"], finds: ["note Bash:git push * <- Bash git push = ask"] },
    { rules: ["allow Bash(git push:*)"], finds: [] },
    { rules: ["allow Bash:git push *", "allow Bash:git push"], finds: [] },
    { rules: ["allow Bash:git push *", "ask Bash:git push"], finds: [] },
    { rules: ["ask Bash:git push ?*", "allow Bash:git push *"], finds: [] },
    { rules: ["allow Bash:bash *"], finds: [] },
    { rules: ["deny Bash:git push *"], finds: [] },
    { rules: ["allow Bash:git push*"], finds: [] },
    { rules: ["allow Bash:git * *"], finds: [] },
    { rules: ["deny Bash:git push *", "allow Bash:git push *"], finds: [] },
  ],
  "leaky-prefix": [
    { rules: ["allow Bash:git*"], finds: ["warning Bash:git* <- Bash gitevil = allow"] },
    {
      rules: ["allow Bash:* --version"],
      finds: ["warning Bash:* --version <- Bash evil --version = allow"],
    },
    {
      rules: ["allow WebFetch:https://docs.*"],
      finds: ["warning WebFetch:https://docs.* <- WebFetch https://docs.evil.com/ = allow"],
    },
    {
      rules: ["allow mcp__web__get:url=*x.org*"],
      finds: [
        'warning mcp__web__get:url=*x.org* <- mcp__web__get {"url":"https://evil.com/?x.org"} = allow',
      ],
    },
    {
      rules: ["allow Bash:LD_PRELOAD=x *", "allow Bash:A=1 B=2 * --x"],
      finds: [
        "warning Bash:LD_PRELOAD=x * <- Bash LD_PRELOAD=x evil = allow",
        "warning Bash:A=1 B=2 * --x <- Bash A=1 B=2 evil --x = allow",
      ],
    },
    { rules: ["allow Bash:FOO=1 make *", "allow Bash:PORT=3000 npm start"], finds: [] },
    {
      rules: [
        "allow Bash(curl -s https://x.org*)",
        "allow Bash(curl -s https://y.org/*)",
        "allow Bash(wget https://x.org:*)",
      ],
      finds: [
        "warning Bash(curl -s https://x.org*) <- Bash curl -s https://x.org.evil.com/ = allow",
      ],
    },
    {
      rules: ["allow Bash:curl https://x.org/a", "ask Bash:curl https://x.org/*"],
      finds: [],
    },
    { rules: ["deny WebFetch:domain:evil.com", "allow Bash:curl https://x.org/*"], finds: [] },
    { rules: ["allow Bash:git clone https://x.org/*"], finds: [] },
    { rules: ["allow Bash:git *", "allow Bash(git:*)", "allow Bash:npm run test*"], finds: [] },
    {
      rules: ["allow WebFetch:https://docs.x.org*", "allow WebFetch:https://*.x.org/*"],
      finds: [],
    },
    { rules: ["allow mcp__web__get:url=https://x.org/*"], finds: [] },
    { rules: ["allow mcp__web__get:url!=*x.org*"], finds: [] },
    { rules: ["deny Bash:git*"], finds: [] },
    { rules: ["ask Bash:gite*", "allow Bash:git*"], finds: [] },
    { rules: ["allow Bash:./bin/*"], finds: [] },
  ],
  "deny-evadable": [
    { rules: ["deny Bash:rm -rf *"], finds: ["note Bash:rm -rf * <- Bash rm -fr x = ask"] },
    {
      rules: ["deny Bash:rm -rf *", "allow Bash(rm:*)"],
      finds: ["warning Bash:rm -rf * <- Bash rm -fr x = allow"],
    },
    {
      rules: ["deny Bash(git push --force:*)"],
      finds: ["note Bash(git push --force:*) <- Bash git push -f x = ask"],
    },
    {
      rules: ["deny Bash:chmod 777 *"],
      finds: ["note Bash:chmod 777 * <- Bash chmod -v 777 x = ask"],
    },
    {
      rules: ["deny Bash(npm install:*)"],
      finds: ["note Bash(npm install:*) <- Bash npm i x = ask"],
    },
    { rules: ["deny Bash:~rm -rf"], finds: ["note Bash:~rm -rf <- Bash rm -fr x = ask"] },
    { rules: ["deny Bash(rm:*)"], finds: [] },
    { rules: ["ask Bash:rm -rf *"], finds: [] },
    { rules: ["deny Bash(rm:*)", "deny Bash:rm -rf *"], finds: [] },
    { rules: ["allow Bash(rm -rf:*)", "deny Bash:rm -rf *"], finds: [] },
    { rules: ["deny Bash:frobnicate -rf *"], finds: [] },
    { rules: ["deny Bash(git push:*)"], finds: [] },
  ],
  "wrapper-blind": [
    {
      rules: ["deny Bash:rm *"],
      settings: LITERAL,
      finds: ["warning Bash:rm * <- Bash sudo rm x = ask"],
    },
    {
      rules: ["ask Bash:rm *", "allow Bash:* rm *"],
      settings: LITERAL,
      finds: ["warning Bash:rm * <- Bash sudo rm x = allow"],
    },
    {
      rules: ["allow Bash(ls:*)"],
      settings: LITERAL,
      finds: ["warning Bash(ls:*) <- Bash ls x && evil = allow"],
    },
    {
      rules: ["allow Bash:rm *", "deny Bash:rm *"],
      settings: LITERAL,
      finds: ["warning Bash:rm * <- Bash rm x && evil = allow"],
    },
    { rules: ["deny Bash:rm *"], finds: [] },
    { rules: ["allow Bash(ls:*)"], finds: [] },
    { rules: ["allow Bash:ls"], settings: LITERAL, finds: [] },
    { rules: ["deny Bash:*rm *"], settings: LITERAL, finds: [] },
    { rules: ["deny Write:x"], settings: LITERAL, finds: [] },
  ],
  expired: [
    { text: dated("allow", "2026-11-22T12:00:00Z"), finds: ["warning Bash(x:*)"] },
    {
      text: dated("deny", "2020-01-01T00:00:00Z", ["enforce_expiry = true"]),
      finds: ["warning Bash(x:*)"],
    },
    { text: dated("allow", "2026-11-22T12:00:01Z"), finds: [] },
    { rules: ["allow Bash(x:*)"], finds: [] },
  ],
  "expires-soon": [
    { text: dated("allow", "2026-11-22T12:00:01Z"), finds: ["note Bash(x:*)"] },
    { text: dated("allow", "2026-12-22T11:59:59Z"), finds: ["note Bash(x:*)"] },
    { text: dated("allow", "2026-12-22T12:00:00Z"), finds: [] },
    { text: dated("allow", "2026-11-22T12:00:00Z"), finds: [] },
  ],
  "unknown-tool": [
    { rules: ["allow bash:git status"], finds: ["warning bash:git status"] },
    { rules: ["allow Reads"], finds: ["warning Reads"] },
    { rules: ["deny TodoWrite:x*"], finds: ["warning TodoWrite:x*"] },
    { rules: ["deny mcp__db__query:DROP *"], finds: ["warning mcp__db__query:DROP *"] },
    {
      rules: ["allow NotebookRead", "allow Task", "allow TodoRead", "allow BashOutput"],
      finds: [],
    },
    {
      rules: ["deny mcp__db__query:sql=DROP *", "allow Bash:ls", "deny WebSearch:query=x"],
      finds: [],
    },
    { rules: ["deny Grep:src/secret"], finds: ["warning Grep:src/secret"] },
    { rules: ["allow rea*"], finds: [] },
  ],
  "mcp-name": [
    { rules: ["deny github__create_issue"], finds: ["warning github__create_issue"] },
    { rules: ["allow mcp__github"], finds: ["warning mcp__github"] },
    { rules: ["allow mcp_db_query"], finds: ["warning mcp_db_query"] },
    {
      rules: [
        "allow mcp__github__create_issue",
        "allow mcp__db__*",
        "allow mcp__*",
        "allow my_tool",
      ],
      finds: [],
    },
  ],
  "field-as-text": [
    { rules: ["deny Bash:word=x"], finds: ["warning Bash:word=x"] },
    { rules: ["deny Bash:run_in_backgruond=true"], finds: ["warning Bash:run_in_backgruond=true"] },
    { rules: ["deny Write:mode!=append"], finds: ["warning Write:mode!=append"] },
    {
      rules: [
        "allow Bash:FOO=1 make *",
        "deny Bash:dangerouslyDisableSandbox=true",
        "deny Bash:command=*,word=x",
        "deny mcp__a__b:word=x",
        "deny WebSearch:word=x",
      ],
      finds: [],
    },
  ],
  "telling-variable": [
    {
      text: '[shell]\nvariables = ["STAGE", "TEST_RUNNER", "FORCE"]\n',
      finds: ["warning null", "warning null"],
    },
    { text: '[shell]\nvariables = ["STAGE", "PORT"]\n', finds: [] },
  ],
  "known-by-keys": [
    {
      text: '[tools.Load]\nclass = "read"\n[permissions]\ndeny = ["Read:**/.env"]\n',
      finds: ["note null"],
    },
    { text: '[tools.Load]\nclass = "read"\n[permissions]\ndeny = ["Load"]\n', finds: [] },
    {
      text: '[tools.Load]\nfirst_arg = "x"\n[permissions]\ndeny = ["Read:**/.env"]\n',
      finds: [],
    },
    {
      text: '[tools.Load]\nalias_of = "Read"\n[permissions]\ndeny = ["Read:**/.env"]\n',
      finds: [],
    },
  ],
  "trailing-space": [
    { rules: ["deny Bash(git push :*)"], finds: ["warning Bash(git push :*)"] },
    { rules: ["deny Bash:command=git push "], finds: ["warning Bash:command=git push "] },
    { rules: ["deny WebSearch:query= x"], finds: ["warning WebSearch:query= x"] },
    { rules: ["deny Bash(git push:*)", "deny Bash:~rm ", "deny Bash:git push *"], finds: [] },
    { rules: ["deny WebSearch:query=* x"], finds: [] },
  ],
  "one-off": [
    { rules: ["allow Bash(do echo:*)"], finds: ["warning Bash(do echo:*)"] },
    { rules: ['allow Bash(git commit -m "x)'], finds: ['warning Bash(git commit -m "x)'] },
    { rules: ["allow Bash:echo a\necho b"], finds: ["note Bash:echo a\necho b"] },
    { rules: [`allow Bash:${"x".repeat(81)}`], finds: [`note Bash:${"x".repeat(81)}`] },
    { rules: [`allow Bash:${"x".repeat(80)}`], finds: [] },
    { rules: [`deny Bash:${"x".repeat(81)}`], finds: [] },
    { rules: [`allow Bash(${"x".repeat(81)}:*)`], finds: [] },
    {
      rules: ["allow Bash(docker:*)", "allow Bash(done-it:*)", "allow Bash:git commit -m 'x'"],
      finds: [],
    },
  ],
  "agent-gap": [
    {
      agents: ["codex"],
      rules: ["deny WebSearch", "ask Web*", "allow WebSearch", "deny Bash:rm *", "ask Bash"],
      finds: ["warning WebSearch", "note Web*", "warning Web*", "note Bash"],
    },
    { agents: ["gemini", "cursor"], rules: ["ask Write"], finds: ["note Write", "note Write"] },
    { agents: ["claude"], rules: ["deny WebSearch", "ask Bash:git push *"], finds: [] },
    { agents: ["codex"], rules: ["allow *", "deny Bash:git push *"], finds: [] },
    { rules: ["deny WebSearch", "ask Bash:git push *"], finds: [] },
  ],
  "secret-readable": [
    { rules: [], finds: ["note null <- Read .env = allow"] },
    { rules: ["deny Read:**"], finds: [] },
    { text: "= 1\n", finds: [] },
    { rules: ["ask Read", "ask Grep"], finds: [] },
    { rules: ["ask Read"], finds: ['note null <- Grep {"path":".env"} = allow'] },
    { rules: ["deny Read:**/.env"], finds: [] },
    {
      rules: ["allow Bash(cat:*)"],
      finds: ["note null <- Read .env = allow", "warning Bash(cat:*) <- Bash cat .env = allow"],
    },
    { rules: ["deny Read:**", "allow Bash(cat:*)"], finds: [] },
    { rules: ["ask Read", "ask Grep", "allow Bash(cat:*)"], finds: [] },
    {
      rules: ["allow Read:~/.ssh/**", "ask Read", "ask Grep"],
      finds: ["warning Read:~/.ssh/** <- Read /home/u/.ssh/id_rsa = allow"],
    },
    { rules: ["allow Read:src/**", "ask Read", "ask Grep"], finds: [] },
  ],
  "self-modifying": [
    {
      rules: ["allow Write:.claude/**"],
      finds: ["warning Write:.claude/** <- Write .claude/settings.json = allow"],
    },
    {
      user: ["allow Edit:.caliban/permissions.toml"],
      rules: [],
      finds: ["warning Edit:.caliban/permissions.toml <- Edit .caliban/permissions.toml = allow"],
    },
    { rules: ["allow Edit:.caliban/permissions.toml"], finds: [] },
    {
      rules: ["allow mcp__fs__write_file:path=.claude/*"],
      finds: [
        'warning mcp__fs__write_file:path=.claude/* <- mcp__fs__write_file {"path":".claude/settings.json","content":""} = allow',
      ],
    },
    { rules: ["allow mcp__fs__write_file"], finds: [] },
    { rules: ["allow mcp__fs__read_file", "allow Write:src/**"], finds: [] },
    { rules: ["ask Write:.claude/**"], finds: [] },
    { rules: ["allow Write:./.c*/**"], finds: [] },
  ],
  "example-fails": [
    {
      text: `[permissions]
rules = [
  { pattern = "Bash:git *", action = "allow", match = ["git log", "git log; rm x"], not_match = ["git push"] },
  { pattern = "mcp__*", action = "deny", match = ["x y"] },
]
`,
      finds: ["error Bash:git *", "error Bash:git *", "error mcp__*"],
    },
    {
      text: `[permissions]
rules = [
  { pattern = "Bash:git *", action = "allow", match = ["git log"], not_match = ["git log; rm x", "gitk"] },
  { pattern = "mcp__*", action = "deny", match = ["mcp__x__y"], not_match = ["Bash:mcp__x"] },
]
`,
      finds: [],
    },
  ],
};
