import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import defaults from "../../../../defaults/protected.json" with { type: "json" };
import { decide } from "../../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../../lib/decide/evaluate.ts";
import { modeNamed } from "../../../../lib/decide/modes.ts";
import type { ToolCall } from "../../../../lib/model/call.ts";
import { policyFromToml } from "../../../../lib/policy/sources/policy_from_toml.ts";
import every from "../../../cases/protected/every.json" with { type: "json" };

const POLICY = policyFromToml('[[permissions.rules]]\npattern = "*"\naction = "allow"\n', {
  workspace: "/work",
  home: "/home/ada",
});

function isAsked(tool: string, input: ToolCall["input"]): boolean {
  const evaluation = evaluateCall(POLICY, { tool, input, cwd: "/work" });
  const { decision, decidedBy } = decide(POLICY, evaluation, { mode: modeNamed("dontAsk")! });
  return decision === "ask" && decidedBy === "safety";
}

/** The paths by which a file of the list may be named. */
function pathsOf(file: string): readonly string[] {
  const path = file.replace(/\*/g, "x");
  if (path.startsWith("~/")) return [path, path.replace("~", "/home/ada")];
  // A drive is a root of Windows only.
  if (path.startsWith("/C:")) return [];
  if (path.startsWith("/")) return [path];
  return [path, `./${path}`, `web/deep/${path}`, `/work/${path}`, `/elsewhere/${path}`];
}

test("each protected file is a question whatever edits it, and whatever a line does to it", () => {
  const missed = [...every.files, ...every.by_path].flatMap((file) =>
    pathsOf(file).flatMap((path, index) => {
      const tools = ["Edit", "Write"].filter((tool) => !isAsked(tool, { path }))
        .map((tool) => `${tool} ${path}`);
      const word = path.replaceAll(" ", "\\ ");
      const all = [
        `rm -rf ${word}`,
        `mv ${word} y`,
        `mv y ${word}`,
        `cp y ${word}`,
        `echo x > ${word}`,
      ];
      const lines = (index === 0 ? all : [all[index]!])
        .filter((command) => !isAsked("Bash", { command }));
      return [...tools, ...lines];
    })
  );
  assert.deepEqual(missed, []);
  assert.ok(!isAsked("Edit", { path: "src/a.ts" }) && !isAsked("Bash", { command: "rm -rf src" }));
});

test("each command that writes a protected file unnamed, and each verb that writes rules, is a question", () => {
  const verbs = every.verbs.flatMap((
    verb,
  ) => [`caliban ${verb}`, `caliban ${verb.replace("perms ", "")}`]);
  const commands = every.commands.flatMap((command) => [command, `${command} zq`]);
  const missed = [...verbs, ...commands].filter((command) => !isAsked("Bash", { command }));
  assert.deepEqual(missed, []);
});

test("the list has every entry of the table", () => {
  const BASES: Readonly<Record<string, string>> = { any: "", home: "~/", root: "/" };
  const names = defaults.places.map(({ base, names }) =>
    `${BASES[base] ?? `${base}?`}${names.join("/")}`
  );
  assert.deepEqual(names.toSorted(), [...every.files, ...every.by_path].toSorted());
  assert.deepEqual(defaults.verbs.map((words) => words.join(" ")).toSorted(), every.verbs);
  const writes = defaults.writes.flatMap(({ commands }) => commands);
  assert.deepEqual(writes.toSorted(), every.commands);
});
