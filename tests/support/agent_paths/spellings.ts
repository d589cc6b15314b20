/** A file that a tool is asked for. */
export interface Target {
  /** The path that the tool would be given: from the project folder, or absolute for a tool that takes no other. */
  readonly path: string;
  /** The path from the project folder. */
  readonly below: string;
  /** The absolute path of the project folder. */
  readonly project: string;
  /** The path from the home to the project folder. */
  readonly fromHome: string;
}

/** A way to write the path of a file, which some tool may read as that file. */
export interface Spelling {
  readonly name: string;
  /** Stands in the file's name where the spelling is about it. */
  readonly part?: string;
  spell(target: Target): string;
}

/** Characters that one language's `trim` or another's takes away, and one that none does. */
const EDGES: Readonly<Record<string, string>> = {
  "a blank": " ",
  "a line break": "\n",
  "U+00A0": "\u00a0",
  "U+FEFF": "\ufeff",
  "U+0085": "\u0085",
  "U+200B": "\u200b",
  NUL: "\0",
};

const AT_EDGES: readonly Spelling[] = Object.entries(EDGES).flatMap(([name, edge]) => [
  { name: `${name} before`, spell: ({ path }: Target) => edge + path },
  { name: `${name} behind`, spell: ({ path }: Target) => path + edge },
  { name: `${name} before an absolute path`, spell: (target: Target) => edge + absolute(target) },
  { name: `${name} behind an absolute path`, spell: (target: Target) => absolute(target) + edge },
]);

function absolute({ project, below }: Target): string {
  return `${project}/${below}`;
}

function escaped(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** The path with its last `/` and what stands behind it changed. */
function atName({ path }: Target, change: (name: string) => string): string {
  const at = path.lastIndexOf("/");
  return path.slice(0, at) + change(path.slice(at));
}

/** The name of the project folder. */
function folderOf({ project }: Target): string {
  return project.slice(project.lastIndexOf("/") + 1);
}

/** Every spelling that is tried, the plain two first. */
export const SPELLINGS: readonly Spelling[] = [
  { name: "plain", spell: ({ path }) => path },
  { name: "absolute", spell: absolute },
  ...AT_EDGES,
  { name: "~/", spell: ({ fromHome, below }) => `~/${fromHome}/${below}` },
  { name: "$HOME/", spell: ({ fromHome, below }) => `$HOME/${fromHome}/${below}` },
  { name: "@", spell: ({ below }) => `@${below}` },
  { name: "@ and an absolute path", spell: (target) => `@${absolute(target)}` },
  { name: "file://", spell: (target) => `file://${absolute(target)}` },
  { name: "file:// with escapes", spell: (target) => `file://${escaped(absolute(target))}` },
  { name: "file: and a relative path", spell: ({ below }) => `file:${below}` },
  { name: '"', spell: ({ path }) => `"${path}"` },
  { name: '" round an absolute path', spell: (target) => `"${absolute(target)}"` },
  { name: "'", spell: ({ path }) => `'${path}'` },
  { name: "`", spell: ({ path }) => `\`${path}\`` },
  { name: "<>", spell: ({ path }) => `<${path}>` },
  { name: "upper case", spell: ({ path, below }) => path.replace(below, below.toUpperCase()) },
  { name: "/ behind", spell: ({ path }) => `${path}/` },
  { name: "/. behind", spell: ({ path }) => `${path}/.` },
  { name: ". behind", spell: ({ path }) => `${path}.` },
  { name: "//", spell: (target) => atName(target, (name) => `/${name}`) },
  { name: "./", spell: (target) => atName(target, (name) => `/.${name}`) },
  { name: "x/../", spell: (target) => atName(target, (name) => `/x/..${name}`) },
  { name: "../", spell: (target) => `../${folderOf(target)}/${target.below}` },
  { name: "the project's name before", spell: (target) => `${folderOf(target)}/${target.below}` },
  { name: "/ before", spell: ({ below }) => `/${below}` },
  { name: "a/ before", spell: ({ below }) => `a/${below}` },
  { name: "backslashes", spell: ({ path }) => path.replaceAll("/", "\\") },
  {
    name: "a backslash behind /",
    spell: (target) => atName(target, (name) => name.replace("/", "/\\")),
  },
  {
    name: "a backslash for /",
    spell: (target) => atName(target, (name) => name.replace("/", "\\")),
  },
  { name: "%2F", spell: (target) => atName(target, (name) => name.replace("/", "%2F")) },
  { name: "only the name", spell: ({ below }) => below.slice(below.lastIndexOf("/") + 1) },
  { name: "no ending", spell: ({ path }) => path.replace(/\.\w+$/, "") },
  { name: ":1 behind", spell: ({ path }) => `${path}:1` },
  { name: "#L1 behind", spell: ({ path }) => `${path}#L1` },
  { name: "?x behind", spell: ({ path }) => `${path}?x` },
  { name: "*", spell: (target) => atName(target, (name) => `${name.slice(0, 4)}*`) },
  { name: "{}", spell: (target) => atName(target, (name) => `/{${name.slice(1)},x}`) },
  { name: "an escaped blank", part: " b", spell: ({ path }) => path.replace(" b", "\\ b") },
  { name: "%20", part: " b", spell: ({ path }) => path.replace(" b", "%20b") },
  { name: "&amp;", part: "&b", spell: ({ path }) => path.replace("&b", "&amp;b") },
  {
    name: "a blank for U+202F",
    part: "\u202fPM",
    spell: ({ path }) => path.replace("\u202f", " "),
  },
  { name: "U+202F for a blank", part: " PM", spell: ({ path }) => path.replace(" PM", "\u202fPM") },
  { name: "' for ’", part: "’s", spell: ({ path }) => path.replace("’", "'") },
  {
    name: "’ for '",
    part: "'s",
    spell: (target) => atName(target, (name) => name.replace("'", "’")),
  },
  {
    name: "a blank for U+202F before another word",
    part: "\u202fb",
    spell: ({ path }) => path.replace("\u202f", " "),
  },
  {
    name: "a blank for U+00A0",
    part: "\u00a0b",
    spell: ({ path }) => path.replace("\u00a0", " "),
  },
  {
    name: "U+00A0 for a blank",
    part: " b",
    spell: (target) => atName(target, (name) => name.replace(" ", "\u00a0")),
  },
  {
    name: "– for -",
    part: "-b",
    spell: (target) => atName(target, (name) => name.replace("-", "–")),
  },
  {
    name: "ﬁ for fi",
    part: "fi",
    spell: (target) => atName(target, (name) => name.replace("fi", "ﬁ")),
  },
  {
    name: "a line break within",
    spell: (target) => atName(target, (name) => name.replace("t", "t\n")),
  },
  { name: "a tab within", spell: (target) => atName(target, (name) => name.replace("t", "t\t")) },
  { name: "NUL within", spell: (target) => atName(target, (name) => name.replace("t", "t\0")) },
  {
    name: "U+200B within",
    spell: (target) => atName(target, (name) => name.replace("t", "t\u200b")),
  },
  { name: "NFD for NFC", part: "\u00e9", spell: ({ path }) => path.normalize("NFD") },
  { name: "NFC for NFD", part: "e\u0301", spell: ({ path }) => path.normalize("NFC") },
];
