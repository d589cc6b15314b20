/** Other spellings of a program's commands. */
interface Spelling {
  /** Lists of options that mean the same, the short form first. */
  readonly same: readonly (readonly string[])[];
  /** An option without an effect that matters. */
  readonly idle?: string;
  /** Other names of the same program or sub-command. */
  readonly also?: readonly string[];
  /** Words that can replace another word. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
}

const RECURSIVE: readonly string[] = ["-r", "-R", "--recursive"];
const FORCE: readonly string[] = ["-f", "--force"];

/** Programs and subcommands that people deny, by their first words. */
const SPELLINGS: Readonly<Record<string, Spelling>> = {
  rm: { same: [RECURSIVE, FORCE], idle: "-v" },
  cp: { same: [RECURSIVE, FORCE], idle: "-v" },
  mv: { same: [FORCE], idle: "-v" },
  chmod: {
    same: [["-R", "--recursive"]],
    idle: "-v",
    words: { "777": ["0777", "a+rwx", "ugo=rwx"], "a+rwx": ["777"], "+x": ["a+x", "755"] },
  },
  chown: { same: [["-R", "--recursive"]], idle: "-v" },
  ln: { same: [["-s", "--symbolic"], FORCE], idle: "-v" },
  sed: { same: [["-i", "--in-place"]], idle: "-E" },
  curl: {
    same: [
      ["-X", "--request"],
      ["-d", "--data"],
      ["-o", "--output"],
      ["-T", "--upload-file"],
      ["-F", "--form"],
      ["-k", "--insecure"],
    ],
    idle: "-s",
  },
  wget: { same: [["-O", "--output-document"]], idle: "-q" },
  kill: { same: [["-9", "-KILL", "-SIGKILL"]] },
  "git push": {
    same: [FORCE, ["-d", "--delete"]],
    idle: "-q",
    words: { "--force": ["--force-with-lease"], "-f": ["--force-with-lease"] },
  },
  "git reset": { same: [], idle: "-q" },
  "git clean": { same: [FORCE], idle: "-q" },
  "git branch": { same: [], idle: "-q", words: { "-D": ["-d -f", "--delete --force"] } },
  "git checkout": { same: [FORCE], idle: "-q" },
  "git commit": { same: [["-n", "--no-verify"], ["-a", "--all"]], idle: "-q" },
  "git rebase": { same: [["-i", "--interactive"]], idle: "-q" },
  "npm install": { same: [["-g", "--global"]], also: ["npm i", "npm add"] },
  "npm run": { same: [], also: ["npm run-script"] },
  "pip install": { same: [["-U", "--upgrade"]], also: ["python3 -m pip install"] },
  "docker rm": { same: [FORCE], also: ["docker container rm"] },
  "docker rmi": { same: [FORCE], also: ["docker image rm"] },
  "docker run": { same: [["-v", "--volume"]], also: ["docker container run"] },
  "kubectl delete": { same: [["-f", "--filename"]] },
  "apt install": { same: [["-y", "--yes"]], also: ["apt-get install"] },
  "apt-get install": { same: [["-y", "--yes"]], also: ["apt install"] },
};

/** Options whose value is the next word, so that they are not split. */
const VALUED = /^-(?:[XdoTFO]|-(?:request|data|output|upload-file|form|filename|volume)$)/;

/**
 * Other ways to write a command, with the same or a similar effect; empty if none are known for the program. `operand` is
 * added to the command's operands; undefined if it has all its words.
 */
export function respelled(
  words: readonly string[],
  operand: string | undefined,
): readonly string[] {
  const size = [2, 1].find((count) => Object.hasOwn(SPELLINGS, words.slice(0, count).join(" ")));
  if (size === undefined) return [];
  const head = words.slice(0, size).join(" ");
  const spelling = SPELLINGS[head]!;
  const rest = words.slice(size);
  const tail = operand === undefined ? [] : [operand];
  const options = rest.filter((word) => word.startsWith("-"));
  const operands = [...rest.filter((word) => !word.startsWith("-")), ...tail];
  const lines = [
    ...optionLists(options, spelling).map((list) => [head, ...list, ...operands]),
    ...(options.length > 0 && operands.length > 0 ? [[head, ...operands, ...options]] : []),
    ...(spelling.idle === undefined ? [] : [[head, spelling.idle, ...rest, ...tail]]),
    ...(spelling.also ?? []).map((name) => [name, ...rest, ...tail]),
    ...replaced([...rest, ...tail], spelling).map((list) => [head, ...list]),
  ];
  const own = [...words, ...tail].join(" ");
  return [...new Set(lines.map((line) => line.join(" ")))].filter((line) => line !== own);
}

/** The options in other orders, apart, joined, and by their other names. */
function optionLists(
  options: readonly string[],
  { same }: Spelling,
): readonly (readonly string[])[] {
  if (options.length === 0) return [];
  const atoms = options.flatMap((option) => atomsOf(option, same));
  const named = (pick: (list: readonly string[]) => string | undefined) =>
    atoms.map((atom) => pick(same.find((list) => list.includes(atom)) ?? [atom]) ?? atom);
  const long = named((list) => list.find((name) => name.startsWith("--")));
  const short = named((list) => list[0]);
  const other = named((list) => list.find((name) => !name.startsWith("--") && name !== list[0]));
  const valued = options.some((option) => VALUED.test(option));
  return [
    ...(valued ? [] : [joinedShorts([...short].reverse()), atoms.toReversed()]),
    atoms,
    joinedShorts(short),
    long,
    ...(valued ? [] : [joinedShorts(other)]),
  ];
}

/** `-rf` as `-r` and `-f`, where both are known. */
function atomsOf(option: string, same: Spelling["same"]): readonly string[] {
  if (!/^-[A-Za-z]{2,}$/.test(option)) return [option];
  const letters = [...option.slice(1)].map((letter) => `-${letter}`);
  return letters.every((letter) => same.some((list) => list.includes(letter))) ? letters : [option];
}

function joinedShorts(options: readonly string[]): readonly string[] {
  const shorts = options.filter((option) => /^-[A-Za-z]$/.test(option));
  const others = options.filter((option) => !/^-[A-Za-z]$/.test(option));
  if (shorts.length < 2) return options;
  return [`-${shorts.map((option) => option.slice(1)).join("")}`, ...others];
}

/** The words with one of them replaced by another that does the same. */
function replaced(
  words: readonly string[],
  { words: others = {} }: Spelling,
): readonly (readonly string[])[] {
  return words.flatMap((word, index) =>
    (Object.hasOwn(others, word) ? others[word]! : [])
      .map((other) => words.with(index, other))
  );
}
