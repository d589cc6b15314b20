import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { placesOf } from "../../../lib/gate/call_places.ts";
import { placeNote } from "../../../lib/gate/place_note.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import { policyOf } from "../../support/policy.ts";

const WS = "/home/u/ws";
/** The links of the machine: `out` leads outside, `in` to another folder of the workspace, `loop` nowhere. */
const LINKS = [[`${WS}/out`, "/else"], [`${WS}/in`, `${WS}/src`]] as const;

function policyWith(links: readonly (readonly [from: string, to: string])[]) {
  return policyOf([], {
    context: {
      realPath(path) {
        if (path.startsWith(`${WS}/loop`)) return null;
        const link = links.find(([from]) => path === from || path.startsWith(`${from}/`));
        return link === undefined ? path : path.replace(...link);
      },
    },
  });
}

function placesIn(
  tool: string,
  input: JsonObject,
  links = LINKS as Parameters<typeof policyWith>[0],
) {
  const policy = policyWith(links);
  return placesOf(evaluateCall(policy, { tool, input }), policy);
}

const CALLS: readonly (readonly [tool: string, input: JsonObject, notes: readonly string[]])[] = [
  ["Write", { path: "src/f" }, []],
  ["Write", { path: "out/f" }, ["out/f leads to /else/f, outside of the workspace"]],
  ["Edit", { file_path: "in/f" }, [`in/f leads to ${WS}/src/f`]],
  ["Read", { path: "loop/f" }, ["loop/f has links that cannot be followed"]],
  ["Read", { path: "/etc/x" }, ["/etc/x is outside of the workspace"]],
  ["Read", { path: "~/x" }, ["~/x is outside of the workspace"]],
  ["Grep", { pattern: "x", path: "out" }, ["out leads to /else, outside of the workspace"]],
  ["mcp__fs__put", { destination: "out/f" }, ["out/f leads to /else/f, outside of the workspace"]],
  ["mcp__fs__put", { files: [{ path: "in/f" }] }, [`in/f leads to ${WS}/src/f`]],
  ["WebFetch", { url: "https://x.org/out" }, []],
  ["mcp__sh__run", { command: "./out/x --all" }, [
    "./out/x leads to /else/x, outside of the workspace",
  ]],
  ["mcp__sh__run", { jobs: [{ command: "make", cwd: "in/x" }] }, [`in/x leads to ${WS}/src/x`]],
  ["mcp__sh__run", { command: "make test", cwd: "src" }, []],
  ["Glob", { pattern: "out/*" }, ["./out/* leads to /else/*, outside of the workspace"]],
  ["Glob", { pattern: "**/*.ts" }, []],
  ["Grep", { pattern: "x", path: "src", glob: "*.ts" }, []],
];
const LINES: readonly (readonly [command: string, notes: readonly string[]])[] = [
  ["make test", []],
  ["", []],
  ["''", []],
  ["zqx -x --in $in :", []],
  ["make > /dev/null", []],
  ["make > out/log", ["out/log leads to /else/log, outside of the workspace"]],
  ["cp a out/x", ["out/x leads to /else/x, outside of the workspace"]],
  ["python3 out/x.py", ["out/x.py leads to /else/x.py, outside of the workspace"]],
  ["zqx --file='in/x'", [`in/x leads to ${WS}/src/x`]],
  ["./out/run --fast", ["./out/run leads to /else/run, outside of the workspace"]],
  ["zqx i'n'/x", [`in/x leads to ${WS}/src/x`]],
  ["zqx i\\n/x", [`in/x leads to ${WS}/src/x`]],
  ["zqx -fin/x", [`in/x leads to ${WS}/src/x`]],
  ["zqx -v 'in/x:/data'", [
    `in/x:/data leads to ${WS}/src/x:/data`,
    `in/x leads to ${WS}/src/x`,
  ]],
  ["git -C out status", ["out leads to /else, outside of the workspace"]],
];

test("a call's files are named where a link leads elsewhere, and where they are outside", () => {
  const calls = [
    ...CALLS,
    ...LINES.map(([command, notes]) => ["Bash", { command }, notes] as const),
  ];
  for (const [tool, input, notes] of calls) {
    const { files } = placesIn(tool, input);
    const shown = files.map((file) => `${file.text} ${placeNote(file, (path) => path)}`);
    assert.deepEqual(shown, notes, JSON.stringify(input));
  }
});

test("a link that leads elsewhere is another fingerprint, whatever the call does with it", () => {
  const inputs = [
    ...CALLS.filter(([, { path }]) => String(path).startsWith("out")),
    ...LINES.filter(([command]) => command.includes("out"))
      .map(([command]) => ["Bash", { command }] as const),
    ["Bash", { command: "make", cwd: "out" }] as const,
    ["mcp__sh__run", { command: "./out/x --all" }] as const,
    ["mcp__sh__run", { jobs: [{ command: "make", cwd: "out" }] }] as const,
  ];
  assert.ok(inputs.length > 6);
  for (const [tool, input] of inputs) {
    const before = placesIn(tool, input).fingerprint;
    assert.equal(placesIn(tool, input).fingerprint, before);
    const swapped = placesIn(tool, input, [[`${WS}/out`, "/home/u/.ssh"]]).fingerprint;
    assert.notEqual(swapped, before, JSON.stringify(input));
  }
});

test("a folder of the call behind a link, and a line of many words", () => {
  const { folder, files } = placesIn("Bash", { command: "make out/x", cwd: "out" });
  assert.equal(folder.real, "/else");
  // Below such a folder every word would seem to be a link.
  assert.deepEqual(files, []);
  const many = placesIn("Bash", { command: `zqx ${"out/a ".repeat(20_000)}` });
  assert.equal(many.files.length, 1);
});
