/** Commands of which nobody can know what they run without running them. */
import { choose, type Pen, processSubstitution, programName, word } from "./shell_words.ts";
import { quoted } from "./shell_wrappers.ts";

/** A command that runs a program in a way that no reader of its words can be sure of. */
export function wildCommand(pen: Pen, depth: number): string {
  return choose(pen, [
    [5, () => unknownName(pen, depth)],
    [4, () => glued(pen, depth)],
    [4, () => evaluated(pen, depth)],
    [4, () => keptForLater(pen, depth)],
    [3, () => fromElsewhere(pen, depth)],
    [2, () => `coproc ${pen.random.pick(["", "N "])}{ ${pen.inner(depth)}; }`],
    [1, () => `coproc ${programName(pen)} ${word(pen, depth)}`],
  ]);
}

function unknownName(pen: Pen, depth: number): string {
  const name = programName(pen);
  return pen.random.pick([
    `x=${name}; $x ${word(pen, depth)}`,
    `\${x:-${name}} a`,
    `"$(echo ${name})" a`,
    `$(echo ${name} a)`,
    "`echo p5` a",
    "p{1,2} a",
    "p? a",
    "[p]1",
    "~+/d/p1",
    "./p[0-9]",
    `$1 ${name} b`,
    `$x ${name} b`,
    `"$@" ${name} b`,
    `$(:)${name} b`,
    `$(:) ${name} b`,
    `set -- ${name}; "$@"`,
    `x=(${name} a); "\${x[@]}"`,
    `env $x ${name}`,
    `for x in ${name} p9; do $x a; done`,
    `command $x ${name}`,
    `sudo "\${x:-p4}" a`,
    `<(:) ${name}`,
  ]);
}

function glued(pen: Pen, depth: number): string {
  const between = processSubstitution(pen, depth);
  return pen.random.pick([
    `r${between}m a`,
    `p${between}1`,
    `${between}p1`,
    `p1${between}`,
    `x=(${word(pen, depth)})z ${programName(pen)} a`,
    `x=(${word(pen, depth)}){fd}>f0 ${programName(pen)}`,
    `x=(${word(pen, depth)})>f0 ${programName(pen)} a`,
    `x=(a)${between} ${programName(pen)}`,
    `x=()(${pen.inner(0)})`,
    `{fd${between}}>f0 ${programName(pen)}`,
    `p1>f0${between}`,
    `p1 2${between}`,
    `${programName(pen)}\r a`,
    `\u00a0${programName(pen)}`,
    `\ufeff${programName(pen)}`,
    `p1\u000bp2`,
    `\`# \\\n${programName(pen)} <<E\n${pen.inner(0)}\nE\n\``,
  ]);
}

/** Text that bash evaluates though it is quoted. */
function evaluated(pen: Pen, depth: number): string {
  const index = `'a[$(${pen.inner(depth).replaceAll("'", '"')})]'`;
  return pen.random.pick([
    `x=${index}; echo $((x))`,
    `x=${index}; ((x))`,
    `x=${index}; [[ x -eq 1 ]]`,
    `x=${index}; echo \${y:x}`,
    `x=${index}; y[x]=1`,
    `[[ ${index} -eq 1 ]]`,
    `printf -v ${index} x`,
    `printf %d ${index}`,
    `read ${index} <<< 1`,
    `test -v ${index}`,
    `[ -v ${index} ]`,
    `let ${index}=1`,
    `declare ${index}=1`,
    `declare -i x=${index}`,
    `unset ${index}`,
    `declare -n x=${index}; x=1`,
    `x=${index}; : \${!x}`,
    `x='$(p2)'; : \${x@P}`,
    "x='`p3`'; PS4=$x; set -x; :",
    `getopts a ${index} -a`,
    `mapfile -t ${index} <<< 1`,
    "compgen -W '$(p4)'",
    `wait -n -p ${index}`,
    "a[`p6`]=1 p7",
    `x=([$(p8)]=1)`,
  ]);
}

/** Code that runs at another time or under another name. */
function keptForLater(pen: Pen, depth: number): string {
  const code = quoted(pen, pen.inner(depth));
  return pen.random.pick([
    `trap ${code} EXIT`,
    `trap -- ${code} 0 ERR; false`,
    `trap ${code} DEBUG; :`,
    `alias q=${code}; q`,
    `shopt -s expand_aliases\nalias q=${code}\nq a`,
    `shopt -s expand_aliases\nalias p1=${code} q='p1 '\nq p1 a`,
    `shopt -s expand_aliases; alias q='p1 #'\nq; p2\np3`,
    `BASH_ENV=f1; export BASH_ENV; bash -c :`,
    `hash -p d/p1 q; q`,
    `mapfile -C p1 -c 1 x <<< a`,
    `compgen -C p1`,
    `command_not_found_handle() { p1; }; zz`,
    `PATH=d; ${programName(pen)}`,
    `enable -n echo; echo ${programName(pen)}`,
    `function exec { p1; }; exec a`,
    `IFS=1; x=p01; $x`,
    `set -k; p1 a=1`,
    `x='() { p1; }'; export x; bash -c x`,
    `exec -a ${programName(pen)} p2`,
    `set -o posix; p3 <<E\n$(p4)\nE\n`,
  ]);
}

/** Code that is not in the line's commands. */
function fromElsewhere(pen: Pen, depth: number): string {
  const text = quoted(pen, pen.inner(depth));
  return pen.random.pick([
    `echo ${text} | bash`,
    `printf %s ${text} | bash -s`,
    `bash <(echo ${text})`,
    `. <(echo ${text})`,
    `source /dev/stdin <<< ${text}`,
    `. ./f1`,
    `source f2`,
    "bash f3",
    "bash < f0",
    `echo ${text} > f0; bash f0`,
    `eval "$(echo ${text})"`,
    `eval "x; $x"`,
    `bash -c "$(echo ${text})"`,
    `bash -c '$0 a' p1`,
    `bash -c '"$@"' a p2 b`,
    `xargs -I% sh -c % <<< ${text}`,
    `echo p1 | xargs env`,
    `echo p2 a | xargs command`,
    `env -S "$(echo p3)"`,
    `bash <<E\n$(echo p4)\nE\n`,
    `find . -maxdepth 0 -exec $x p5 \\;`,
    `bash -s <<< "$(echo p6)"`,
    `exec < <(echo p7); bash`,
    `bash -ic p1 <<< a`.replace("-ic", "-uc"),
  ]);
}
