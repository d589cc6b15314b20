// The npm package, from its tarball, in folders outside of the clone: `deno task test:package`. Its tools (Node in three versions, a
// bundler, two checkers of packages) are installed from npm into a cache folder.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { privateFolder } from "../../lib/io/runtime/compile_cache.ts";
import { packInto } from "../../scripts/pack/pack_into.ts";
import { CASES } from "../support/cases.ts";
import { commandOf } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";

const NODES = ["20", "22", "24"] as const;

/** Versions that the package does not run on. */
const OLD_NODES = ["16", "18"] as const;
const TOOLS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [...OLD_NODES, ...NODES].map((
      version,
    ) => [`n${version}`, `npm:node-${process.platform}-${process.arch}@${version}`]),
  ),
  "@arethetypeswrong/cli": "0.18.2",
  "@types/node": "24",
  // A parser of PowerShell, which no Linux distribution has.
  "@vscode/tree-sitter-wasm": "0.3.1",
  esbuild: "0.25.12",
  publint: "0.3.25",
};

/** With a later one attw sees an empty package: https://github.com/101arrowz/fflate/issues/207. */
const OVERRIDES = { fflate: "0.8.2" };

/** The folder with the tools, kept from run to run. */
const tools = join(
  process.env["XDG_CACHE_HOME"] ?? join(process.env["HOME"] ?? tmpdir(), ".cache"),
  "caliban-ci/package",
);
const work = mkdtempSync(join(tmpdir(), "caliban-package-"));
after(() => rmSync(work, { recursive: true, force: true }));

function run(
  [program = "", ...args]: readonly string[],
  { cwd, env = {} }: { readonly cwd: string; readonly env?: Readonly<Record<string, string>> },
): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", HOME: work, XDG_CACHE_HOME: join(work, "cache"), ...env },
  });
  assert.equal(status, 0, `${program} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

async function prepared(): Promise<{ readonly folder: string; readonly tarball: string }> {
  mkdirSync(tools, { recursive: true });
  const manifest = join(tools, "package.json");
  const text = JSON.stringify({ private: true, dependencies: TOOLS, overrides: OVERRIDES });
  if (!existsSync(manifest) || readFileSync(manifest, "utf8") !== text) {
    writeFileSync(manifest, text);
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], {
      cwd: tools,
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  const folder = join(work, "npm");
  await packInto(folder);
  const packed = run(["npm", "pack", "--json", `--pack-destination=${work}`], { cwd: folder });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  return { folder, tarball: join(work, filename) };
}

const { folder, tarball } = await prepared();
const nodeAt = (version: string) => join(tools, `node_modules/n${version}/bin/node`);
const tool = (path: string) => join(tools, "node_modules", path);

/** A new project in which the tarball is installed. */
function project(name: string): string {
  const path = join(work, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), '{ "private": true, "type": "module" }');
  run(["npm", "install", "--no-audit", "--no-fund", "--offline", tarball], { cwd: path });
  return path;
}

const USE = `import { loadPolicy, PolicyError } from "@caliban/perms";
import { policyFromToml } from "@caliban/perms/core";
import { matchGlob } from "@caliban/perms/patterns";
import * as adapters from "@caliban/perms/adapters";

const text = '[[permissions.rules]]\\npattern = "Bash(ls:*)"\\naction = "allow"\\n';
const policy = policyFromToml(text);
const loaded = await loadPolicy();
const { action } = policy.evaluate({ tool: "Bash", input: { command: "if true; then ls -l; fi" } });
const other = loaded.evaluate({ tool: "Bash", input: { command: "if true; then rm -rf /; fi" } });
if (Object.keys(adapters).length === 0 || typeof matchGlob !== "function") throw new Error("empty");
try {
  policyFromToml("x = ");
} catch (error) {
  if (!(error instanceof PolicyError)) throw error;
}
console.log(action, other.action);
`;

const home = project("project");
writeFileSync(join(home, "use.mjs"), USE);

for (const version of NODES) {
  test(`Node ${version} imports each entry, and starts the program`, () => {
    const node = nodeAt(version);
    assert.equal(run([node, "use.mjs"], { cwd: home }), "allow ask\n");
    const bin = join(home, "node_modules/.bin/caliban");
    const said = spawnSync(node, [bin, "check", "Bash", "ls", "--deny=Bash(ls:*)"], {
      cwd: home,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: work },
    });
    assert.equal(said.status, 1, said.stderr);
    assert.match(said.stdout, /^deny/);
    const stream = spawnSync(node, [bin, "check", "--stdin", "--jobs", "2"], {
      cwd: home,
      encoding: "utf8",
      env: { PATH: process.env["PATH"], HOME: work },
      input: '{"tool":"Read","input":{"path":"a"}}\n'.repeat(3),
    });
    assert.equal(stream.status, 0, stream.stderr);
    assert.match(stream.stdout, /^(?:\{"tool":"Read",.*\n){3}$/);
  });
}

test("Node keeps compiled code only if HOME is the home folder of the user database", () => {
  const bin = join(home, "node_modules/@caliban/perms/bin/caliban.cjs");
  const runWith = (HOME: string) =>
    run([nodeAt("24"), bin, "--version"], { cwd: home, env: { HOME } });
  runWith(work);
  assert.ok(!existsSync(join(work, ".cache/caliban")));
  const { homedir, uid } = userInfo();
  const own = privateFolder(homedir, uid);
  runWith(homedir);
  const kept = own === undefined ? [] : readdirSync(own);
  assert.equal(kept.some((name) => /^hot-v24\..*\.code$/.test(name)), own !== undefined);
});

for (const version of OLD_NODES) {
  test(`Node ${version} says that it is too old, and stops the call of an agent`, () => {
    const bin = join(home, "node_modules/.bin/caliban");
    for (
      const [words, wanted] of [[["check", "Bash", "ls"], 70], [["hook", "claude"], 2]] as const
    ) {
      const { status, stdout, stderr } = spawnSync(nodeAt(version), [bin, ...words], {
        cwd: home,
        encoding: "utf8",
        env: { PATH: process.env["PATH"], HOME: work },
        input: "{}",
      });
      assert.equal(status, wanted, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, new RegExp(`needs Node 20 or later, and this is Node ${version}\\.`));
    }
  });
}

// It checks the types of everything, which takes half a minute.
if (CASES.amount === "all") {
  test("the sources call nothing that Node 20 lacks", () => {
    const at = join(work, "oldest");
    mkdirSync(at);
    const options = {
      target: "ES2023",
      lib: ["ES2023", "ES2024.String", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      module: "NodeNext",
      moduleResolution: "NodeNext",
      allowImportingTsExtensions: true,
      resolveJsonModule: true,
      skipLibCheck: true,
      strict: true,
      noEmit: true,
      types: [],
    };
    const files = ["cli.ts", "mod.ts"].map((name) => join(REPO, name));
    writeFileSync(join(at, "tsconfig.json"), JSON.stringify({ compilerOptions: options, files }));
    const compiler = join(REPO, "node_modules/typescript/lib/tsc.js");
    const { stdout } = spawnSync(commandOf("bun"), [compiler, "-p", at], {
      cwd: REPO,
      encoding: "utf8",
    });
    // Neither Deno's types nor Node's are there, which are other errors than that of a missing property.
    const newer = stdout.split("\n").filter((line) =>
      /error TS(?:2339|2550|1501|2583)\b/.test(line)
    );
    assert.ok(stdout.includes("error TS"));
    assert.deepEqual(newer, []);
  });
}

test("Node 22 requires it from a CommonJS module", () => {
  writeFileSync(
    join(home, "use.cjs"),
    'console.log(Object.keys(require("@caliban/perms/core")).length > 5);',
  );
  assert.equal(run([nodeAt("22"), "use.cjs"], { cwd: home }), "true\n");
});

test("npx starts the program", () => {
  const said = run(["npx", "--no-install", "caliban", "--version"], { cwd: home });
  assert.match(said, /^caliban \d+\.\d+\.\d+/);
});

test("the program starts by its own first line where Node is the only runtime", () => {
  const programs = join(work, "node-only");
  mkdirSync(programs);
  symlinkSync(nodeAt("20"), join(programs, "node"));
  symlinkSync("/usr/bin/env", join(programs, "env"));
  symlinkSync("/bin/sh", join(programs, "sh"));
  const bin = join(home, "node_modules/.bin/caliban");
  const start = (...args: readonly string[]) => {
    const { error, status, stdout, stderr } = spawnSync(bin, args, {
      cwd: home,
      encoding: "utf8",
      env: { PATH: programs, HOME: work },
    });
    return { status, stdout, said: `${error ?? ""}${stderr}` };
  };
  const version = start("--version");
  assert.equal(version.status, 0, version.said);
  assert.match(version.stdout, /^caliban \d+\.\d+\.\d+/);
  const check = start("check", "Bash", "ls", "--deny=Bash(ls:*)");
  assert.equal(check.status, 1, check.said);
  assert.match(check.stdout, /^deny/);
});

test("Bun imports it, and starts the program", () => {
  assert.equal(run([commandOf("bun"), "use.mjs"], { cwd: home }), "allow ask\n");
  const bin = join(home, "node_modules/.bin/caliban");
  assert.match(run([commandOf("bun"), bin, "--version"], { cwd: home }), /^caliban \d/);
});

test("Deno starts the program when it is given the file", () => {
  const flags = ["run", "--no-prompt", "--no-lock", "--allow-read", "--allow-env"];
  for (const name of ["caliban.js", "caliban.cjs"]) {
    const bin = join(home, "node_modules/@caliban/perms/bin", name);
    const said = run([commandOf("deno"), ...flags, bin, "--version"], { cwd: home });
    assert.match(said, /^caliban \d/);
  }
});

test("Deno imports it by its name, and by a path", () => {
  const flags = ["run", "--no-prompt", "--no-lock", "--allow-read", "--allow-env"];
  assert.equal(
    run([commandOf("deno"), ...flags, "--node-modules-dir=manual", "use.mjs"], { cwd: home }),
    "allow ask\n",
  );
  const elsewhere = join(work, "elsewhere");
  mkdirSync(elsewhere);
  const names = [["perms/core", "lib/core"], ["perms/patterns", "lib/pattern/patterns"]];
  const byPath = [...names, ["perms/adapters", "lib/adapters/adapters"], ["perms", "mod"]].reduce(
    (text, [name, path]) => text.replace(`"@caliban/${name}"`, `"${folder}/${path}.js"`),
    USE,
  );
  writeFileSync(join(elsewhere, "use.js"), byPath);
  const said = run([commandOf("deno"), ...flags, "--cached-only", "use.js"], { cwd: elsewhere });
  assert.equal(said, "allow ask\n");
});

for (const resolution of ["bundler", "nodenext"]) {
  test(`TypeScript finds the types with moduleResolution ${resolution}`, () => {
    const at = join(home, resolution);
    mkdirSync(at);
    writeFileSync(
      join(at, "use.ts"),
      `${USE}export const decided: "allow" | "deny" | "ask" = action;\n`,
    );
    const options = {
      target: "ES2023",
      lib: ["ES2023", "DOM"],
      module: resolution === "bundler" ? "ESNext" : "NodeNext",
      moduleResolution: resolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
    };
    writeFileSync(
      join(at, "tsconfig.json"),
      JSON.stringify({ compilerOptions: options, files: ["use.ts"] }),
    );
    run([commandOf("bun"), join(REPO, "node_modules/typescript/lib/tsc.js"), "-p", at], {
      cwd: at,
    });
  });
}

test("esbuild bundles the core for browsers, with the parser of command lines", () => {
  const out = join(work, "core.js");
  const entry = join(home, "core.mjs");
  writeFileSync(entry, 'export * from "@caliban/perms/core";\n');
  const flags = ["--bundle", "--format=esm", "--platform=browser", "--log-level=warning"];
  run([tool(".bin/esbuild"), entry, ...flags, `--outfile=${out}`], { cwd: home });
  assert.doesNotMatch(readFileSync(out, "utf8"), /\bfrom ?"node:|import\("node:|\brequire\("/);
  const use = `import { policyFromToml } from ${JSON.stringify(out)};
const command = "if true; then rm -rf /; fi";
console.log(policyFromToml("").evaluate({ tool: "Bash", input: { command } }).units.length);`;
  const node = [nodeAt("24"), "--input-type=module", "--eval", use];
  assert.equal(run(node, { cwd: home }), "2\n");
});

test("the manual page and completions come along, as the program prints them", () => {
  const installed = join(home, "node_modules/@caliban/perms");
  const bin = join(installed, "bin/caliban.js");
  const { man } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  assert.match(
    readFileSync(join(installed, man[0]), "utf8"),
    /^\.Dd \w+ \d+, \d{4}\n\.Dt CALIBAN 1\n/,
  );
  const files = {
    bash: "caliban.bash",
    zsh: "_caliban",
    fish: "caliban.fish",
    powershell: "caliban.ps1",
  };
  for (const [shell, name] of Object.entries(files)) {
    const printed = run([nodeAt("24"), bin, "completions", shell], { cwd: home });
    assert.equal(readFileSync(join(installed, "completions", name), "utf8"), printed, shell);
  }
});

test("npm installs the program and its manual page for everyone", () => {
  const prefix = join(work, "global");
  const flags = ["--no-audit", "--no-fund", "--offline", `--prefix=${prefix}`];
  run(["npm", "install", "--global", ...flags, tarball], { cwd: work });
  assert.match(readFileSync(join(prefix, "share/man/man1/caliban.1"), "utf8"), /^\.Dt CALIBAN 1$/m);
  assert.match(run([join(prefix, "bin/caliban"), "--version"], { cwd: work }), /^caliban \d/);
});

test("the completions of PowerShell are PowerShell", () => {
  writeFileSync(
    join(work, "parse.cjs"),
    `const { readFileSync } = require("node:fs");
const [folder, ...files] = process.argv.slice(2);
const { Language, Parser } = require(folder);
(async () => {
  await Parser.init({ locateFile: () => folder + "/wasm/tree-sitter.wasm" });
  const parser = new Parser();
  parser.setLanguage(await Language.load(folder + "/wasm/tree-sitter-powershell.wasm"));
  console.log(files.map((file) => parser.parse(readFileSync(file, "utf8")).rootNode.hasError).join());
})();
`,
  );
  const script = join(folder, "completions/caliban.ps1");
  const broken = join(work, "broken.ps1");
  writeFileSync(broken, readFileSync(script, "utf8").replace("param(", "param(("));
  const words = [nodeAt("24"), "parse.cjs", tool("@vscode/tree-sitter-wasm"), script, broken];
  assert.equal(run(words, { cwd: work }), "false,true\n");
});

test("publint and attw find nothing", () => {
  const node = nodeAt("24");
  const said = run([node, tool("publint/src/cli.js"), "run", "--strict", tarball], { cwd: work });
  assert.match(said, /\nAll good!\s*$/);
  const attw = tool("@arethetypeswrong/cli/dist/index.js");
  run([node, attw, "--profile=esm-only", "--no-emoji", tarball], { cwd: work });
});

test("the tarball has no sources that nobody loads, and the licence of all that it contains", () => {
  const [{ files }] = JSON.parse(run(["npm", "pack", "--json", "--dry-run"], { cwd: folder })) as [
    { files: readonly { readonly path: string }[] },
  ];
  const paths = files.map(({ path }) => path);
  assert.deepEqual(paths.filter((path) => /\btests?\b.*\.ts$|\.tmp$/.test(path)), []);
  assert.deepEqual(paths.filter((path) => /(?<!\.d)\.ts$/.test(path)), []);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const linked = [...readme.matchAll(/\]\(((?!https?:)[^)#]+)/g)];
  const links = linked.map(([, path]) => path!);
  assert.ok(links.length > 5);
  assert.deepEqual(links.filter((path) => !paths.includes(path)), []);
  const licences = readFileSync(join(folder, "THIRD_PARTY_LICENSES.txt"), "utf8");
  for (
    const name of [
      "unbash",
      "smol-toml",
      "toml-eslint-parser",
      "re2js",
      "proper-lockfile",
      "graceful-fs",
      "openai",
    ]
  ) {
    assert.match(licences, new RegExp(`^${name} \\d`, "m"));
  }
});

test("it can be published", () => {
  // A provenance names a repository: npm refuses one where the manifest names none.
  const { publishConfig, repository } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  );
  assert.equal(publishConfig.provenance === true && repository === undefined, false);
  run(["npm", "publish", "--dry-run"], { cwd: folder });
});
