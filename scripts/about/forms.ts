/** The forms by which a program tells about itself, and the texts that show that it did. */

/** Forms that are tried with every program. */
export const TRIED: readonly string[] = ["--help", "--version", "-h"];

/** Forms that mean something else to many programs; they are tried where the help of a program names them. */
const NAMED: Readonly<Record<string, RegExp>> = {
  "-v": /(?:^|[\s,|[(])-v\b.{0,40}[Vv]ersion|[Vv]ersion.{0,20}\s-v\b/m,
  "-V": /(?:^|[\s,|[(])-V\b.{0,40}[Vv]ersion|[Vv]ersion.{0,20}\s-V\b/m,
  "-version": /(?:^|[\s,|[(])-version\b/m,
  "-help": /(?:^|[\s,|[(])-help\b/m,
  help: /^\s{1,8}help\b|\bhelp\|/m,
  version: /^\s{1,8}version\b/m,
};

/** Further forms to try, by what the program printed for the first ones. */
export function namedForms(help: string): readonly string[] {
  return Object.keys(NAMED).filter((form) => NAMED[form]!.test(help));
}

const HELP = /\busage\b|\bsynopsis\b|\boptions\b|\barguments:|\bcommands:/i;
const VERSION = /\d\.\d|version\s+v?\d|\b20\d\d\b/i;
const FAILS =
  /must be (?:run as )?root|permission denied|not permitted|cannot connect|could not connect|can't open display|cannot open display|no such (?:file|device)|traceback|segmentation|not found/i;

/** A text that says that `-h` shows it. */
const IS_HELP = /(?:^|[\s,|[(])-h\b.{0,60}(?:help|usage|this|print)|-h\s*$/im;

/** The output and the status of a run. */
export interface Ended {
  readonly text: string;
  readonly status: number;
}

/** True if a program printed its help or version for a form. */
export function tells(form: string, { text, status }: Ended): boolean {
  if (text.trim().length < 3 || status !== 0 && FAILS.test(text)) return false;
  const isLong = form === "--help" || form === "-help" || form === "--version";
  if (isLong) return (HELP.test(text) || VERSION.test(text)) && status < 128;
  if (form === "-h") return HELP.test(text) && IS_HELP.test(text) && status < 128;
  if (form === "help") return HELP.test(text) && status < 128;
  return status === 0 && VERSION.test(text) && text.split("\n").length <= 40;
}

/** The sub-commands that the help of a program lists below a heading. */
export function subCommandsIn(help: string): readonly string[] {
  const found = new Set<string>();
  let isListed = false;
  for (const line of help.split("\n")) {
    if (/^(?:\S.*\b)?(?:sub)?commands?\b.*$/i.test(line)) isListed = true;
    else if (/^\S/.test(line)) isListed = false;
    const name = isListed &&
      /^\s{1,6}([a-z][a-z0-9-]+)(?:,? [a-z][\w-]*)?(?:\s{2,}|\t|:|$)/.exec(line)?.[1];
    if (name && name !== "help") found.add(name);
  }
  return [...found].slice(0, MOST_SUBS);
}

const MOST_SUBS = 60;

/** Names that many people give to programs of their own, which may do something whatever stands behind them. */
const COMMON =
  /^(?:add|all|announce|annotate|app|apply|archive|backups?|bench|boot|bootstrap|bot|build|bump|check|ci|clean|cleanup|client|clone|commit|compile|config|configure|connect|convert|copy|create|cron|daemon|db|debug|delete|demo|dep|deploy|dev|disconnect|do|doctor|download|dump|env|erase|exec|exit|export|extract|fetch|fix|flash|format|generate|get|go|hello|import|index|info|init|install|job|kill|launch|lint|list|load|local|lock|login|logout|loop|main|manage|master|merge|migrate|mirror|monitor|move|new|open|pack|patch|pause|ping|play|poll|post|process|prod|program|project|prompt|provision|publish|pull|purge|push|put|query|queue|quit|reboot|rebuild|record|refresh|release|reload|remove|rename|repair|replace|report|reset|restart|restore|resume|rollback|run|runner|save|scan|scrape|script|search|send|serve|server|service|set|setup|share|shell|ship|shutdown|sign|spam|stage|start|status|stop|store|stress|submit|sudo|suspend|switch|sync|tag|task|test|tests|tool|trigger|undo|uninstall|unlock|unpack|update|upgrade|upload|user|validate|verify|wait|watch|web|wipe|work|worker|zap|chat|colou?r|cover|discover|fuzz|input|key|most|offsets|output|post(?:al|er)|route|sample|see|slice|stealth|style|trash|users|weight)$/;

/** Commands of a shell, which come before a program of that name. */
const OF_SHELLS =
  /^(?:alias|autoload|bg|bindkey|break|builtin|caller|case|cd|chdir|command|compctl|complete|compgen|compopt|continue|coproc|declare|dirs|disable|disown|echo|echotc|echoti|emulate|enable|esac|eval|exec|exit|export|false|fc|fg|float|for|foreach|functions|getln|getopts|hash|hist|history|if|integer|jobs|kill|let|limit|local|log|logout|mapfile|newgrp|noglob|popd|print|printf|pushd|pushln|pwd|read|readarray|readonly|rehash|repeat|return|sched|select|set|setopt|shift|shopt|source|suspend|test|time|times|trap|true|ttyctl|type|typeset|ulimit|umask|unalias|unfunction|unhash|unlimit|unset|unsetopt|until|vared|wait|whence|where|which|while|zcompile|zformat|zle|zmodload|zparseopts|zprof|zpty|zregexparse|zsocket|zstat|zstyle|ztcp|abbr|argparse|block|commandline|contains|count|fish.*|functions|math|random|realpath|set_color|status|string)$/;

/** Programs that another platform's namesake obeys without a look at such a word, shims, and those that read the folder's configuration elsewhere. */
const UNSAFE =
  /^(?:yes|arc|expr|pager|editor|awk|nawk|sensible-.*|x-.*|.*-browser|killall.*|pkill|halt|poweroff|reboot|shutdown|telinit|init|hostname|domainname|nisdomainname|ypdomainname|dnsdomainname|su|sudo.*|doas|pkexec|login|sulogin|crontab|at|batch|asdf|mise|rtx|pyenv|rbenv|nodenv|goenv|jenv|plenv|exenv|sdkman|volta|corepack|nvm|fnm|npx|pnpx|pnpm|yarn|yarnpkg|yarnpkg|bunx|uvx|rustc|rustdoc|rustfmt|cargo|cargo-.*|clippy-driver|rust-(?:analyzer|gdb|lldb|gdbgui)|gradlew?|mvnw?|mvn(?:Debug|Yjp)|bundler?|rake|rails|spring|git|hg|svn|brz|bzr|java|javac|jar|jshell|groovy.*|scala.*|kotlin.*|sbt|ant|lein|clj|clojure|make|gmake|direnv|envrc|pytest.*|tox|nox|ctest|.*-wrapper|.*\.(?:real|dpkg-.*|distrib|orig|wrapper|py|sh|pl|rb))$/;

/** True for a name that the table may hold: of one program, as far as is known. */
export function isOwnName(name: string): boolean {
  return name.length > 2 && /^[A-Za-z0-9][\w.+-]*$/.test(name) &&
    !/-?\d+(?:\.\d+)+$|-\d+$|linux-gnu|^(?:perl|ruby|python|gcc|g\+\+|lua|php|node)/.test(name) &&
    !COMMON.test(name) && !OF_SHELLS.test(name) && !UNSAFE.test(name);
}
