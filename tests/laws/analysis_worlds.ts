import type { Action, Json, ToolCall } from "../../lib/model/call.ts";
import { otherSpellings } from "../../lib/analysis/trial_calls.ts";
import type { Random } from "../support/random.ts";
import { filesOf } from "../support/files_of.ts";
import type { PolicyOptions, TestRule } from "../support/policy.ts";

/** A kind of small policies, and every call up to a length that they are held to. */
export interface World {
  /** Its name. */
  readonly name: string;
  /** The options of its policies. */
  readonly options: PolicyOptions;
  /** A pattern. */
  pattern(random: Random): string;
  /** Every call; of plain commands, paths and URLs only those. */
  readonly calls: readonly ToolCall[];
  /** Some of all other calls, that only an answer about every call speaks of. */
  readonly others?: readonly ToolCall[];
}

/** All texts of these pieces, up to a count. */
function texts(pieces: readonly string[], most: number): readonly string[] {
  let layer: readonly string[] = [""];
  const all = [""];
  for (let length = 0; length < most; length++) {
    layer = layer.flatMap((text) => pieces.map((piece) => text + piece));
    all.push(...layer);
  }
  return [...new Set(all)];
}

function calls(tool: string, key: string, values: readonly string[]): readonly ToolCall[] {
  return [...values.map((value) => ({ tool, input: { [key]: value } })), { tool, input: {} }];
}

const GLOB = ["a", "b", "*", "?", " ", "a b", " *"];

function command(random: Random): string {
  if (random.below(20) === 0) return "Bash";
  // Babashka's `bb` runs scripts, so that its commands are not plain.
  const glob = random.text(GLOB, 4).trim().replace(/^bb/, "ba");
  if (glob === "" || glob === "*") return "Bash:a *";
  const kind = random.below(8);
  return kind === 0 ? `Bash(${glob}:*)` : kind === 1 ? `Bash:~${glob}` : `Bash:${glob}`;
}

const parsed: World = {
  name: "commands",
  options: {},
  pattern: command,
  calls: calls(
    "Bash",
    "command",
    texts(["a", "b", " "], 6).filter((line) => /^(?!bb(?: |$))[ab]+(?: [ab]+)*$/.test(line)),
  ),
  others: ["a", "a b", "b a", "ab"].flatMap((command) =>
    otherSpellings({ tool: "Bash", input: { command } })
  ).concat(calls("Bash", "command", ['"$a"', "a $b", "a;b", "b a|a b", "$(a)", "a\nb", "("])),
};

const CLASS_RULES = [
  ...["@read", "@read", "@edit", "@delete", "@project", "@code", "@secret", "@process"],
  ...["cat:*", "cat *", "rm:*", "cp *", "sort:*", "a:*", "ls", "touch *", "cat /work/s/*"],
];
const FILE_RULES = [
  "Read:/work/s/**",
  "Read:/work/**",
  "Write:/work/**",
  "Write:/work/s/**",
  "Read",
  "Write",
];

/** Rules over what a command does, beside others. */
const classes: World = {
  name: "classes",
  options: {
    context: {
      workspace: ["/work"],
      home: ["/h"],
      isSystemProgram: () => true,
      gitRepository: () => "here",
      ...filesOf(["a", "b", "s/a"]),
    },
  },
  pattern(random) {
    if (random.below(4) === 0) return random.pick(FILE_RULES);
    if (random.below(12) === 0) return "Bash";
    return `Bash(${random.pick(CLASS_RULES)})`;
  },
  calls: calls("Bash", "command", [
    ...["cat", "cat a", "cat /work/a", "cat /work/s/a", "cat /x", "cat --odd a", "sort a", "ls"],
    ...["ls -l", "touch a", "touch /work/s/a", "touch /x", "cp a b", "cp /work/s/a b", "rm a"],
    ...["cp a /work/s/b", "rm /work/s/a", "a", "a b", "kill 1", "printenv", "git status"],
    ...[
      "mkdir -p a",
      "mv a b",
      "a cat",
      "chown a b",
      "wc -l a",
      "rmdir a",
      "cat --odd",
      "rm --odd a",
    ],
  ]),
  others: [
    ...["cat a | sort", "sudo cat a", "cat a > b", "cat $a", "(cat a)", "cat a; rm b", "echo $a"],
    ...["/bin/cat a", "x=1 cat a", "cat <<< a", "timeout 9 rm a", "cat s/*", "grep -r x .", "true"],
    ...["sort -o a b", "sort -o /work/s/a b", "python3 -c 1", "env", "pwd", "echo a", "echo"],
  ].map((command) => ({ tool: "Bash", input: { command } })),
};

/** Commands whose operands are files or URLs, fixed or not. */
const OPERANDS = calls("Bash", "command", [
  ...['rm "$a"', 'cat "$a"', 'curl "$a"', 'echo > "$a"', 'cat < "$a"', 'cp "$a" "$b"'],
  ...["cat /a*", "rm /a", "cat /w/a", "echo > /a", "cat < /h/b", "curl https://a/a", "rm ~/*"],
]);

const literal: World = {
  name: "literal commands",
  options: { shell: "literal" },
  pattern: command,
  calls: calls("Bash", "command", texts(["a", "b", " "], 5)),
};

const SEGMENTS = ["a", "b", "*", "**", "a*", "?", "{a,b}", "[ab]", "ab", "[!a]"];

function path(random: Random): string {
  const tool = random.pick(["Write", "Write", "Edit", "Read", "Grep", "*"]);
  if (random.below(12) === 0) return tool;
  if (tool === "Grep") return `Grep:path=/${random.pick(["a", "w", "a/**", "w/*"])}`;
  const base = random.pick(["/", "./", "", "~/", "/w/", "/h/"]);
  const more = Array.from({ length: 1 + random.below(2) }, () => random.pick(SEGMENTS)).join("/");
  return `${tool}:${base}${more === "**" ? "a/**" : more}`;
}

const PATHS = [
  "/",
  ...texts(["/a", "/b", "/ab", "/w", "/h", "/c"], 3).filter((each) => each !== ""),
];

const paths: World = {
  name: "paths",
  options: { context: { workspace: ["/w"], home: ["/h"] } },
  pattern: path,
  calls: [
    ...calls("Write", "path", PATHS),
    ...calls("Edit", "path", PATHS.slice(0, 60)),
    ...calls("Read", "path", PATHS),
    ...calls("Grep", "path", PATHS.slice(0, 60)),
    { tool: "Grep", input: { path: null } },
    { tool: "Other", input: {} },
  ],
  others: [...OPERANDS, ...calls("Write", "path", ["a", "./a", "../a", "/a/../b", "/a//b"])],
};

/** The targets of the world's links: `/l` leads to `/a`, `/w/l` to the folder above the workspace. */
function realPath(path: string): string {
  return path.replace(/^\/l(?=\/|$)/, "/a").replace(/^\/w\/l(?=\/|$)/, "") || "/";
}

function linkedPath(random: Random): string {
  const base = random.pick(["/", "/l/", "/a/", "./l/", "./", "", "/w/l/"]);
  const tool = random.pick(["Write", "Write", "Read", "mcp__x"]);
  if (tool === "mcp__x") {
    return random.pick(["mcp__*", "mcp__x", `mcp__x:path=/${random.pick(SEGMENTS)}`]);
  }
  const more = random.pick(SEGMENTS);
  return `${tool}:${base}${more === "**" ? "a/**" : more}`;
}

const DOTTED = texts(["/a", "/l", "/w", "/.."], 4).filter((each) => /\/(?:l|\.\.)/.test(each));

/** Paths with links on the way and with `..`; only an answer about every call speaks of these. */
const links: World = {
  name: "links",
  options: { context: { workspace: ["/w"], home: ["/h"], realPath } },
  pattern: linkedPath,
  calls: calls("Write", "path", texts(["/a", "/b", "/w"], 3).filter((each) => each !== "")),
  others: [
    ...calls("Write", "path", DOTTED),
    ...calls("Read", "path", DOTTED.slice(0, 40)),
    ...calls("mcp__x", "path", [...DOTTED.slice(0, 40), "/a", "/b", "/w/a"]),
    ...OPERANDS,
  ],
};

function url(random: Random): string {
  if (random.below(12) === 0) return "WebFetch";
  if (random.below(6) === 0) return `WebFetch:domain:${random.pick(["a", "b.a", "a.b"])}`;
  const host = random.pick(["a", "b", "*", "*.a", "a.b", "a*", "*.b.a", "b.*"]);
  const port = random.pick(["", "", "", ":8", ":*", ":443"]);
  const tail = random.pick(["", "/", "/*", "/a*", "/*b", "/a?b", "/a\\\\?*", "/?"]);
  return `WebFetch:${random.pick(["http", "https", "*", "http*"])}://${host}${port}${tail}`;
}

const urls: World = {
  name: "URLs",
  options: {},
  pattern: (random) => url(random).replaceAll("\\\\", "\\"),
  calls: calls(
    "WebFetch",
    "url",
    ["http", "https"].flatMap((scheme) =>
      ["a", "b", "c", "a.b", "b.a", "c.b.a", "a.a", "1.2.3.4"].flatMap((host) =>
        ["", ":8", scheme === "http" ? ":443" : ":80"].flatMap((port) =>
          ["/", "/a", "/b", "/ab", "/a/b", "/ba?b", "/a?b", "/c?b", "/acb", "/?a"].map((tail) =>
            `${scheme}://${host}${port}${tail}`
          )
        )
      )
    ).filter((each) => new URL(each).href === each),
  ),
  others: [
    ...OPERANDS,
    ...calls("WebFetch", "url", ["https://A/a", "https://a/%61", "a", "file:///a", "https://a/#a"]),
  ],
};

function fields(random: Random): string {
  const tool = random.pick(["t", "t", "u", "t*", "*"]);
  if (random.below(10) === 0) return tool;
  const one = () =>
    `${random.pick(["x", "y", "x.z"])}${random.pick(["=", "=", "!="])}${
      random.text(["a", "b", "*", "?", "1"], 3) || "a"
    }`;
  return `${tool}:${random.below(2) === 0 ? one() : `${one()},${one()}`}`;
}

const VALUES: readonly (Json | undefined)[] = [
  ...texts(["a", "b"], 2),
  1,
  "c",
  "abb",
  null,
  { z: "a" },
  { z: "bb" },
  { z: null },
  undefined,
];

const lists: World = {
  name: "fields",
  options: {},
  pattern: fields,
  calls: ["t", "u", "tt", "v"].flatMap((tool) =>
    VALUES.flatMap((x) =>
      VALUES.map((y) => ({
        tool,
        input: { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) },
      }))
    )
  ),
};

function bashFields(random: Random): string {
  const kind = random.below(4);
  if (kind === 0) return `Bash:description=${random.text(["a", "*", "?"], 2) || "a"}`;
  if (kind === 1) return `Bash:command!=${random.text(["a", "b", "*"], 3) || "a"}`;
  if (kind === 2) return `Bash:command=${random.text(["a", "b", " *"], 3) || "a"},description=a*`;
  return command(random);
}

const mixed: World = {
  name: "commands and fields",
  options: {},
  pattern: bashFields,
  calls: ["a", "b", "a a", "ab", "ba", "b a b", "c", "aab", undefined].flatMap((line) =>
    ["a", "", "aa", "b", null, undefined].map((text) => ({
      tool: "Bash",
      input: {
        ...(line === undefined ? {} : { command: line }),
        ...(text === undefined ? {} : { description: text }),
      },
    }))
  ),
};

function anyTool(random: Random): string {
  return random.text(["a", "b", "*", "?", "ab"], 3) || "*";
}

const tools: World = {
  name: "tools",
  options: {},
  pattern: anyTool,
  calls: texts(["a", "b", "c"], 5).filter((tool) => tool !== "").map((tool) => ({
    tool,
    input: {},
  })),
};

/** Every kind. */
export const WORLDS: readonly World[] = [
  parsed,
  classes,
  literal,
  paths,
  links,
  urls,
  lists,
  mixed,
  tools,
];

/** The rules of a small policy. */
export function randomRules(world: World, random: Random): readonly TestRule[] {
  const count = 2 + random.below(5);
  return Array.from({ length: count }, (): TestRule => {
    const action: Action = random.pick(["allow", "allow", "deny", "ask"]);
    const reason = action === "deny" && random.below(3) === 0 ? { reason: "r" } : {};
    const kind = random.below(8) === 0 ? { kind: "builtin" as const } : {};
    return { pattern: world.pattern(random), action, ...reason, ...kind };
  });
}
