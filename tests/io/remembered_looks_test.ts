import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { BRIEFLY, rememberedLooks } from "../../lib/io/load/remembered_looks.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { FileError } from "../../lib/io/runtime/runtime.ts";
import { pathContext } from "../../lib/io/load/load_policy.ts";
import type { PathContext } from "../../lib/pattern/path/call_path.ts";
import { machine } from "../support/machine.ts";
import { withTempDir } from "../support/temp_dir.ts";

test("a look holds from remember to forget, and no longer", () =>
  withTempDir(async (folder) => {
    const looks = rememberedLooks(await chooseRuntime());
    const { runtime } = looks;
    const at = (name: string) => join(folder, name);
    for (const name of ["one", "two"]) mkdirSync(at(name));
    const lead = (name: string) => {
      rmSync(at("link"), { force: true });
      symlinkSync(at(name), at("link"));
      writeFileSync(at("link/text"), name);
    };
    const seen = () => ({
      real: runtime.realPath(at("link/new")),
      text: runtime.readText(at("link/text")),
      bounded: runtime.readText(at("link/text"), 10),
      kind: runtime.stat(at("link/text")),
      isThere: runtime.isThere(at("link/two")),
      names: runtime.listFolder(at("link"))?.map(({ name }) => name),
    });
    lead("one");
    const one = seen();
    looks.remember();
    assert.deepEqual(seen(), one);
    lead("two");
    writeFileSync(at("two/two"), "");
    assert.deepEqual(seen(), { ...one, bounded: "two" });
    looks.forget();
    const two = seen();
    assert.deepEqual([two.real, two.text, two.isThere], [at("two/new"), "two", true]);
    lead("one");
    assert.deepEqual(seen(), one);
  }));

test("a look that fails is made again", () =>
  withTempDir(async (folder) => {
    const looks = rememberedLooks(await chooseRuntime());
    looks.remember();
    const path = join(folder, "text");
    assert.throws(() => looks.runtime.readText(path), FileError);
    writeFileSync(path, "there");
    assert.equal(looks.runtime.readText(path), "there");
  }));

test("an answer that was worked out from looks holds as long as they do", async () => {
  const looks = rememberedLooks(await chooseRuntime());
  let count = 0;
  const kept = looks.runtime.answers!();
  const answer = () => kept("one", () => ++count);
  assert.deepEqual([answer(), answer()], [1, 2]);
  looks.remember();
  assert.deepEqual([answer(), answer()], [3, 3]);
  looks.forget();
  assert.deepEqual([answer(), answer()], [4, 5]);
  looks.remember();
  assert.throws(() => kept("two", () => JSON.parse("")), SyntaxError);
  assert.equal(kept("two", () => undefined), undefined);
});

test("two contexts that share their looks keep their answers apart", () => {
  const runtime = machine(
    Object.fromEntries(
      ["HEAD", "config", "objects/a", "refs/a", "hooks/pre-commit"].map((name) => [
        `/h/src/one/.git/${name}`,
        "",
      ]),
    ),
    { PATH: "/w/bin" },
  );
  const looks = rememberedLooks(runtime);
  looks.remember();
  const contextOf = (workspace: string, repositories: readonly string[]) =>
    pathContext(looks.runtime, {
      platform: "linux",
      cwd: workspace,
      workspace,
      workspaceReal: workspace,
      home: "/h",
      homeReal: "/h",
    }, { repositories });
  const one = contextOf("/w", []);
  const other = contextOf("/v", ["~/src/*"]);
  const seen = (context: PathContext) => [
    context.gitRepository!("/h/src/one"),
    context.isSystemProgram!("new", { mayLack: true }),
  ];
  assert.deepEqual(seen(one), ["foreign", false]);
  assert.deepEqual(seen(other), ["here", true]);
  assert.deepEqual(seen(one), ["foreign", false]);
});

test("the folder that another look found missing is not looked into again", () =>
  withTempDir(async (folder) => {
    const looks = rememberedLooks(await chooseRuntime());
    const { runtime } = looks;
    const path = join(folder, "new/x");
    looks.remember();
    assert.equal(runtime.realPath(join(folder, "new/y")), join(folder, "new/y"));
    mkdirSync(join(folder, "new"));
    writeFileSync(path, "");
    assert.deepEqual([runtime.stat(path), runtime.isThere(path)], [undefined, false]);
    looks.forget();
    assert.deepEqual([runtime.stat(path), runtime.isThere(path)], ["file", true]);
  }));

test("what is remembered briefly is forgotten when its time is over", () =>
  withTempDir(async (folder) => {
    const looks = rememberedLooks(await chooseRuntime());
    const path = join(folder, "file");
    const seen = () => [looks.runtime.stat(path), looks.runtime.realPath(join(path, "x"))];
    looks.rememberBriefly();
    const missing = seen();
    symlinkSync(".", path);
    assert.deepEqual(seen(), missing);
    await new Promise((resolve) => setTimeout(resolve, BRIEFLY + 20));
    assert.deepEqual(seen(), ["directory", join(folder, "x")]);
    // An answer that was being worked out meanwhile is not kept.
    looks.rememberBriefly();
    const kept = looks.runtime.answers!();
    const answer = () =>
      kept("answer", () => {
        const before = looks.runtime.stat(path);
        looks.rememberBriefly();
        return before;
      });
    assert.equal(answer(), "directory");
    rmSync(path);
    assert.equal(answer(), undefined);
    looks.forget();
  }));
