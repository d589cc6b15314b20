import assert from "node:assert/strict";
import { test } from "node:test";
import { policyFromToml } from "../../../lib/core.ts";
import type { FolderEntry } from "../../../lib/pattern/path/shell_glob.ts";
import { oneRepository } from "../../support/policy.ts";
import table from "../../cases/shell/corpus/looked_up.json" with { type: "json" };

/** A file system of some paths below /work; `a->b` is a link to the absolute path `b`. */
function filesOf(paths: readonly string[]) {
  const links = new Map<string, string>();
  const folders = new Map<string, Map<string, FolderEntry>>([["/work", new Map()]]);
  const folder = (path: string): Map<string, FolderEntry> => {
    const known = folders.get(path);
    if (known) return known;
    const made = new Map<string, FolderEntry>();
    folders.set(path, made);
    const at = path.lastIndexOf("/");
    const name = path.slice(at + 1);
    folder(path.slice(0, at)).set(name, { name, kind: "folder" });
    return made;
  };
  for (const text of paths) {
    const [name = "", target] = text.split("->");
    const path = `/work/${name}`;
    const at = path.lastIndexOf("/");
    const own = path.slice(at + 1);
    folder(path.slice(0, at)).set(own, { name: own, kind: target ? "link" : "other" });
    if (target) links.set(path, target);
  }
  const realPath = (path: string): string => {
    for (const [link, target] of links) {
      if (path === link || path.startsWith(`${link}/`)) {
        return realPath(target + path.slice(link.length));
      }
    }
    return path;
  };
  const listFolder = (path: string) => {
    const found = folders.get(realPath(path));
    return found ? [...found.values()] : null;
  };
  return { realPath, listFolder };
}

const FOLDERS = {
  workspace: "/work",
  home: "/home/ada",
  gitRepository: oneRepository("/work"),
};

for (const { title, files, cases } of table.trees) {
  test(`names are looked up: ${title} (${cases.length})`, () => {
    const policy = policyFromToml(table.policy, { ...FOLDERS, ...filesOf(files) });
    const wrong = cases.flatMap(([command = "", expected]) => {
      const call = { tool: "Bash", input: { command }, cwd: "/work" };
      const { action, reason } = policy.evaluate(call);
      return action === expected ? [] : [`${command}: ${action}, not ${expected}: ${reason}`];
    });
    assert.deepEqual(wrong, []);
  });
}

test("names that cannot be looked up are never fewer: without a file system no line is allowed that else is not", () => {
  const blind = policyFromToml(table.policy, FOLDERS);
  for (const { files, cases } of table.trees) {
    const policy = policyFromToml(table.policy, { ...FOLDERS, ...filesOf(files) });
    for (const [command = ""] of cases) {
      const call = { tool: "Bash", input: { command }, cwd: "/work" };
      const isLink = files.some((file) => file.includes("->"));
      if (isLink || blind.evaluate(call).action !== "allow") continue;
      assert.equal(policy.evaluate(call).action, "allow", command);
    }
  }
});

test("a folder with more names than are looked at is as one that cannot be listed", () => {
  const files = Array.from({ length: 1_001 }, (_, index) => `src/${index}.ts`);
  const actionOf = (count: number) =>
    policyFromToml(table.policy, { ...FOLDERS, ...filesOf(files.slice(0, count)) })
      .evaluate({ tool: "Bash", input: { command: "find src | xargs wc -l" }, cwd: "/work" })
      .action;
  assert.deepEqual([actionOf(900), actionOf(1_001)], ["allow", "ask"]);
});
