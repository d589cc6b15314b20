/** Commands that run what their arguments name, whichever way the line is read; `evil` stands for anything. */
export const TRADE_PROBES: readonly string[] = [
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
  ...named(["docker", "podman", "nerdctl"], "run -v /:/host evil"),
  ...named(["docker", "podman", "docker-compose"], "exec box evil"),
  "kubectl exec box -- evil",
  // A deny rule above, which cannot be evaluated for code, is no hindrance to a script.
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
 * Commands that run something else through a wrapper, an option or a sub-language. Where the line is taken apart, an
 * allow rule for the program does not cover them; where it is one string, it does.
 */
export const LITERAL_PROBES: readonly string[] = [
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

function named(names: readonly string[], rest: string): readonly string[] {
  return names.map((name) => `${name} ${rest}`);
}
