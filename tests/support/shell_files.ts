/** Random command lines that read and write the files of their folder by every way that a shell has to name one. */
import { type Random, randomFrom } from "./random.ts";

/** The files of the folder in which a line runs. */
export const FILES: readonly string[] = ["f0", "f1", "f2", "s/f0", "s/f3", "s/t/f0", "s/t/f4"];

/** The programs that lines run. */
export const FILE_PROGRAMS: readonly string[] = [
  "cat",
  "head",
  "tail",
  "wc",
  "sort",
  "grep",
  "sed",
  "cut",
  "tee",
  "touch",
  "cp",
  "dd",
  "env",
  "xargs",
  "find",
  "timeout",
  "nice",
  "tr",
];

/** A way to write a random piece of a line; the depth bounds what stands in it. */
type Write = (random: Random, depth: number) => string;

/** The line of a seed, always the same. Nothing in it names a file outside of its folder, and nothing removes one. */
export function randomFileLine(seed: number): string {
  const random = randomFrom(seed);
  return list(random, 2);
}

function list(random: Random, depth: number): string {
  let line = statement(random, depth);
  for (let left = random.below(3); left > 0; left--) {
    line += random.pick(["; ", " && ", " || ", "\n", "; ", " & ", " | "]) +
      statement(random, depth);
  }
  return line;
}

function statement(random: Random, depth: number): string {
  const kinds: readonly Write[] = [simple, simple, simple, simple, move, sets, sets];
  return random.pick(depth > 0 ? [...kinds, block, block, wrapped] : kinds)(random, depth - 1);
}

/** A program that opens files, or a redirection that does. */
function simple(random: Random, depth: number): string {
  const it = () => file(random, depth);
  const made = random.pick([
    () => `cat ${it()}`,
    () => `cat ${it()} ${it()}`,
    () => `head -n1 ${it()}`,
    () => `tail -1 ${it()}`,
    () => `wc ${it()}`,
    () => `sort ${it()}`,
    () => `sort -o ${it()} ${it()}`,
    () => `grep x ${it()}`,
    () => `grep -f ${it()} ${it()}`,
    () => `sed -n p ${it()}`,
    () => `sed -n ${random.pick(["'r f0'", "'w f1'", "'1r s/f0'"])} ${it()}`,
    () => `cut -c1 ${it()}`,
    () => `tee ${it()}`,
    () => `tee -a ${it()} ${it()}`,
    () => `touch ${it()}`,
    () => `cp ${it()} ${it()}`,
    () => `cp ${it()} ${folder(random)}/`,
    () => `dd if=${plain(random)} of=${plain(random)}`,
    () => `find ${folder(random)} -name ${random.pick(["f0", "'f*'", "f3"])} -exec cat {} +`,
    () => `find ${folder(random)} -type f -exec cat {} \\;`,
    () => `echo ${it()} | xargs cat`,
    () => `xargs cat <<< ${it()}`,
    () => `xargs -a ${it()} echo`,
    () => `echo a > ${it()}`,
    () => `: >> ${it()}`,
    () => `cat < ${it()}`,
    () => `> ${it()}`,
    () => `echo a >| ${it()} 2> ${it()}`,
    () => `cat <> ${it()}`,
    () => `cat <<E > ${it()}\n${random.pick(["a", "$x", "$(cat f2)"])}\nE\n:`,
    () => `read ${name(random)} < ${it()}`,
    () => `mapfile -t a < ${it()}`,
    () => `echo "$(< ${it()})"`,
    () => `diff <(cat ${it()}) f0`,
    () => `exec 3< ${it()}`,
    () => `[[ -n $(cat ${it()}) ]]`,
    () => `echo $(( $(wc -c < ${it()}) ))`,
  ])();
  return random.below(8) === 0
    ? `${made} ${random.pick(["2>&1", "> f2", "< f1", "2> s/f3"])}`
    : made;
}

/** A command that changes the folder; each stays below the first. */
function move(random: Random): string {
  return random.pick([
    () => `cd ${folder(random)}`,
    () => `cd -P ${folder(random)}`,
    () => `cd ${folder(random)} && ${simple(random, 0)}`,
    () => `cd ${folder(random)} || ${simple(random, 0)}`,
    () => `pushd ${folder(random)}`,
    () => "pushd s && popd",
    () => "cd s && cd -",
    () => "cd",
    () => `command cd ${folder(random)}`,
    () => `eval cd ${folder(random)}`,
  ])();
}

/** A command that gives a variable a file's name. */
function sets(random: Random, depth: number): string {
  const into = name(random);
  return random.pick([
    () => `${into}=${file(random, depth)}`,
    () => `${into}=${plain(random)} ${into}2=s`,
    () => `export ${into}=${plain(random)}`,
    () => `declare ${into}=${plain(random)}`,
    () => `${into}+=${random.pick(["0", "/f0", "f1"])}`,
    () => `${into}=(${plain(random)} ${plain(random)})`,
    () => `${into}[1]=${plain(random)}`,
    () => `printf -v ${into} %s ${plain(random)}`,
    () => `read ${into} <<< ${plain(random)}`,
    () => `set -- ${plain(random)} ${plain(random)}`,
    () => `: \${${into}:=${plain(random)}}`,
    () => `${into}=$(echo ${plain(random)})`,
    () => `unset ${into}`,
    () => `shift`,
    () => `IFS=${random.pick(["/", "f", "0"])}`,
    () => `set -f`,
    () => `shopt -s ${random.pick(["nullglob", "dotglob", "globstar", "extglob"])}`,
  ])();
}

function block(random: Random, depth: number): string {
  const inner = () => list(random, depth);
  return random.pick([
    () => `( ${inner()}\n)`,
    () => `{ ${inner()}\n}`,
    () => `if ${inner()}\nthen ${inner()}\nfi`,
    () => `for ${name(random)} in ${file(random, 0)} ${file(random, 0)}; do ${inner()}\ndone`,
    () => `for ${name(random)} in 1 2; do ${simple(random, depth)}; ${move(random)}\ndone`,
    () => `for ((i=0;i<2;i++)); do ${inner()}\ndone`,
    () => `while ${inner()}\ndo ${inner()}; break\ndone`,
    () => `case ${file(random, 0)} in f*) ${inner()};; *) ${inner()};; esac`,
    () => `g() { ${inner()}\n}; g ${file(random, 0)}`,
    () => `g() { ${simple(random, 0)}; ${move(random)}\n}; g; g`,
    () => `{ ${inner()}\n} > ${file(random, 0)}`,
    () => `( ${inner()}\n) < ${file(random, 0)}`,
  ])();
}

function wrapped(random: Random, depth: number): string {
  const inner = simple(random, 0);
  const quoted = `'${inner.replaceAll("'", "'\\''")}'`;
  return random.pick([
    () => `env cat ${file(random, depth)}`,
    () => `env -C ${folder(random)} cat ${plain(random)}`,
    () => `env --chdir=${folder(random)} cat ${plain(random)}`,
    () => `env ${name(random)}=f0 bash -c ${quoted}`,
    () => `timeout 5 cat ${file(random, depth)}`,
    () => `nice cat ${file(random, depth)}`,
    () => `bash -c ${quoted}`,
    () => `bash -c ${quoted} ${plain(random)} ${plain(random)}`,
    () => `sh -c ${quoted}`,
    () => `eval ${quoted}`,
    () => `eval "${inner.replaceAll(/["\\`$]/g, "\\$&")}"`,
    () => `command cat ${file(random, depth)}`,
    () => `exec cat ${file(random, depth)}`,
    () => `bash <<'E'\n${inner}\nE\n:`,
    () => `trap ${quoted} EXIT`,
    () => `${name(random)}=${plain(random)} cat ${file(random, depth)}`,
  ])();
}

/** The name of a variable. */
function name(random: Random): string {
  return random.pick(["x", "y", "a", "f"]);
}

function plain(random: Random): string {
  return random.pick([...FILES, "./f0", "s/../f1", "s//f0", "s/t/../f3", "n0", "s/n1", "f4"]);
}

function folder(random: Random): string {
  return random.pick([
    "s",
    "./s",
    "s/t",
    "s/..",
    ".",
    '"s"',
    "s*",
    "$x",
    "t",
    "'s'/t",
    "{s,}",
    "n",
  ]);
}

/** A word that may name a file: as it is, quoted, from a variable, a glob, braces, a substitution. */
function file(random: Random, depth: number): string {
  const it = plain(random);
  const at = 1 + random.below(it.length);
  const [head, tail] = [it.slice(0, at), it.slice(at)];
  return random.pick([
    () => it,
    () => it,
    () => it,
    () => `'${it}'`,
    () => `${head}''${tail}`,
    () => `"${head}"${tail}`,
    () => `\\${it}`,
    () => `$'${head}'${tail}`,
    () => `$${name(random)}`,
    () => `"$${name(random)}"`,
    () => `\${${name(random)}}${tail}`,
    () => `\${${name(random)}[1]}`,
    () => `"\${${name(random)}[@]}"`,
    () => `\${${name(random)}:-${it}}`,
    () => `\${${name(random)}%?}`,
    () => `\${${name(random)}/f/s}`,
    () => "$1",
    () => '"$@"',
    () => `s/$${name(random)}`,
    () => "f*",
    () => "s/*",
    () => "*/f0",
    () => "[fs]?",
    () => "f[0-1]",
    () => "s/{f0,f3}",
    () => `{${it},f1}`,
    () => "f{0..2}",
    () => `{'${it}',f2}`,
    () => `"~/${it}"`,
    () => `~/${it}`,
    () => `$PWD/${it}`,
    () => `~+/${it}`,
    () => depth > 0 ? `$(echo ${it})` : it,
    () => depth > 0 ? `"$(printf %s ${it})"` : it,
    () => depth > 0 ? "`ls f*`" : it,
    () => "**/f0",
    () => "@(f0|f1)",
  ])();
}
