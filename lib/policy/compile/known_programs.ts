/** Programs that run what they are given; a wrapper may name one in no place. Without version and `.exe`. */
const RUNNERS = `
  sh bash rbash dash ash zsh rzsh ksh ksh93 mksh lksh pdksh oksh rksh fish csh tcsh elvish nu xonsh
  pwsh pwsh-preview powershell cmd busybox toybox bsd-csh osh ysh sudo sudoedit doas su runuser ssh slogin sshpass xargs gxargs
  awk gawk mawk nawk original-awk perl python pypy py ruby jruby php lua luajit node nodejs tclsh
  wish expect java jshell osascript ghci irb gdb gdb-multiarch lldb`;

/** Other programs of which it is known what they run or change; a wrapper may not begin with one. Written likewise. */
const KNOWN = `
  . alias at batch bg bind break builtin caller cd command compgen complete compopt continue
  coproc crontab declare dirs disown echo enable eval exec exit export false fc fg getopts hash help
  history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set
  shift shopt source suspend test times trap true type typeset ulimit umask unalias unset wait
  bwrap chroot gchroot chrt entr env genv firejail flock gtime gtimeout ionice ltrace nice gnice nohup
  gnohup nsenter parallel env_parallel sem perf rlwrap screen script setsid stdbuf gstdbuf strace
  systemd-run taskset time timeout tmux unbuffer unshare valgrind watch
  dc ed red emacs emacsclient emacs-nox fd fdfind find gfind gh git hostname man open patch psql rg rsync
  scp sed gsed sftp sort split sqlite tar tee vi vim view wget xdg-open curl zip
  bun bunx bundle bundler cargo cmake composer deno docker dotnet gem go gradle gradlew jest kubectl
  make gmake mvn mvnw ninja ninja-build samu npm npx pip pipx pn pnpm pnpx pnx podman poetry
  py.test pytest rake rustup terraform tofu ts-node ts-node-esm ts-node-script ts-script tsx uv uvx
  vitest yarn yarnpkg
  aarch64 arm arm64 armv7l armv8l athlon catchsegv chpst csvpy dbus-run-session docker-compose docker-init dumb-init exim exim4
  fakeroot fakeroot-sysv fakeroot-tcp gosu i386 i486 i586 i686 ld.so ld-linux.so.2 ld-linux-aarch64.so.1 ld-linux-armhf.so.3
  ld-linux-riscv64-lp64d.so.1 ld-linux-x86-64.so.2 ld-musl-aarch64.so.1 ld-musl-x86_64.so.1 ld64.so.2 linux32 linux64
  mips mips64 msmtp newgrp pkexec ppc ppc32 ppc64 ppc64le prlimit riscv32 riscv64 runcon s390 s390x sendmail setarch setpriv sg
  sparc sparc64 ssh-agent ssmtp su-exec tini tini-static uname26 watchexec x86_64 xvfb-run
  asdf conc concurrently conda direnv dotenv dotenvx doppler goenv hatch jenv mamba micromamba mise nerdctl nix nix-shell
  nodemon nodenv oc op pdm phpenv pipenv plenv pyenv rbenv rtx
  abduco appimage-run aprun arch authbind autossh bb bear bmake box64 box86 bpython bsub caffeinate cage calife
  catatonit cgexec choom chronic clisp clj clojure clush colima compiledb coqtop cpulimit cronic cronlock cross-env
  cross-env-shell daemon daemonize datefudge dbus-launch distrobox dockerize dsh dtach dzdo eatmydata ecl elixir env-cmd
  envdir envuidgid erl fakechroot faketime fennel fghack flamegraph flatpak flatpak-spawn foot footclient foreman
  gamemoderun gamescope gforth gksu gksudo gnome-terminal gp groovysh guile heaptrack heroku honcho hwatch hy iex ifne
  incus intercept-build ipdb ipython janet jdb julia kdesu kdesudo keep-one-running kgx kitty lckdo ledit lerna limactl
  lockf lockrun lxc lxc-attach lxc-execute lxqt-sudo lxterminal magma mangohud mate-terminal maxima minijail0 mongo
  mongosh mosh mpiexec mpirun multipass nocache nq nsjail numactl nx ocaml octave optirun orbctl orterun overmind
  parallel-ssh pdb pdsh pfexec pgrphack pidproxy pixi please pmake podman-compose prime-run primusrun proot proxychains
  proxychains3 proxychains4 pseudo pssh ptpython ptyxis pudb qemu-aarch64 qemu-arm qemu-x86_64 r racket rails raku
  remake retry rlfe rr rscript run-one run-one-constantly run-one-until-failure run-one-until-success run-this-one run0
  runghc rye s6-applyuidgid s6-envdir s6-envuidgid s6-fghack s6-setlock s6-setsid s6-setuidgid s6-softlimit s6-sudo sage
  sandbox-exec sbcl scala scan-build schroot setlock setuidgid sml socksify softlimit solo srun st steam-run summon sux
  swipl systemd-inhibit systemd-nspawn tcpclient tcpserver terminator tilix torify torsocks trickle tsocks turbo utop
  vagrant vglrun viddy wine wine64 with-contenv with-lock-ex wsl xe xfce4-terminal yash zrun`;

/** The commands of these programs that only run what follows. */
const PURE_WRAPPERS: readonly string[] = [
  "asdf exec",
  "aws-vault exec",
  "bundle exec",
  "chamber exec",
  "conda run",
  "dotenvx run",
  "doppler run",
  "foreman run",
  "hatch run",
  "infisical run",
  "lerna exec",
  "mise exec",
  "nix develop",
  "op run",
  "pdm run",
  "pipenv run",
  "pixi run",
  "pnpm exec",
  "poetry run",
  "pyenv exec",
  "rbenv exec",
  "toolbox run",
  "uv run",
];

const RUNNER_NAMES: ReadonlySet<string> = new Set(wordsOf(RUNNERS));

const KNOWN_NAMES: ReadonlySet<string> = new Set(wordsOf(KNOWN));

/** No longer word names one of them, in UTF-16 code units. */
const LONGEST_NAME = 64;

/** The index of the first word of a wrapper that names a known program; undefined if none does. */
export function isKnownProgram(wrapper: string): number | undefined {
  if (PURE_WRAPPERS.includes(wrapper)) return undefined;
  const words = wordsOf(wrapper);
  // "mise exec --" is a wrapper with an option too many.
  const option = words.findIndex((word) => word.startsWith("-"));
  if (option > 0 && PURE_WRAPPERS.includes(words.slice(0, option).join(" "))) return undefined;
  const at = words.findIndex((word, index) => {
    return isIn(RUNNER_NAMES, word) || index === 0 && isIn(KNOWN_NAMES, word);
  });
  return at === -1 ? undefined : at;
}

/** The command of a wrapper's program that may be a wrapper; undefined if none may. */
export function pureWrapper(wrapper: string): string | undefined {
  const [name] = wordsOf(wrapper);
  return PURE_WRAPPERS.find((it) => it.startsWith(`${name} `));
}

/**
 * The source of a regular expression that fits most of what `knownWord` finds, for a JSON Schema: programs at the beginning,
 * in lower case and without version.
 */
export function knownWrapperPattern(): string {
  const names = [...RUNNER_NAMES, ...KNOWN_NAMES].map((name) => name.replaceAll(".", "\\."));
  return `^(?!(?:${PURE_WRAPPERS.join("|")})$)(?:${names.join("|")})(?: |$)`;
}

/** True if a word names one of these programs, in any case, with or without its version (`python3.12`) or ending. */
function isIn(names: ReadonlySet<string>, word: string): boolean {
  if (word.length > LONGEST_NAME) return false;
  const name = word.toLowerCase();
  const bare = name.replace(/\.(?:exe|cmd|bat|com)$/, "");
  return [name, bare, bare.replace(/[-.\d]+$/, "")].some((it) => names.has(it));
}

function wordsOf(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
