import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import {
  type LoadedSources,
  type LoadOptions,
  loadSources,
} from "../../lib/io/load/load_sources.ts";
import { type FileFault, LoadError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { hashesOf } from "../../lib/io/load/trust_files.ts";
import { readTrustFiles } from "../../lib/io/write/trust_record.ts";
import { SourceError } from "../../lib/policy/sources/source.ts";
import { formatTrust } from "../../lib/policy/sources/trust_edit.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const LITERAL = '[permissions]\nshell = "literal"\n';

/** A folder with a home, a workspace and the port of someone who stands in it. */
interface Scene {
  readonly folder: string;
  readonly runtime: Runtime;
  /** Writes a file, its folders too. */
  write(path: string, text: string | Uint8Array): string;
  /** Loads as that person. */
  load(options?: Partial<LoadOptions>): Promise<LoadedSources>;
}

async function inScene(
  env: Readonly<Record<string, string>>,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withTempDir(async (folder) => {
    const own: Readonly<Record<string, string>> = { HOME: join(folder, "home"), ...env };
    const runtime: Runtime = { ...real, env: (name) => own[name], cwd: () => join(folder, "ws") };
    mkdirSync(join(folder, "home"));
    mkdirSync(join(folder, "ws/.git"), { recursive: true });
    await use({
      folder,
      runtime,
      write(path, text) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
        return join(folder, path);
      },
      load: (options = {}) =>
        loadSources(runtime, { defaultTools: ["Bash"], appliesTo: () => false, ...options }),
    });
  });
}

function rule(pattern: string, action: string): string {
  return `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`;
}

async function faults(load: Promise<unknown>): Promise<readonly (readonly [string, FileFault])[]> {
  try {
    await load;
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    for (const { message } of error.errors) assert.ok(error.message.includes(message));
    return error.errors.map(({ path, fault }) => [path, fault]);
  }
  assert.fail("loading must not succeed");
}

test("rules of all sources stand in one list, highest first", async () => {
  await inScene({}, async ({ folder, load, write }) => {
    write("home/.config/caliban/permissions.toml", rule("User", "deny"));
    write("ws/.caliban/permissions.toml", "\ufeff" + rule("Project", "ask"));
    write("ws/.caliban/permissions.local.toml", rule("Local", "allow"));
    write("ws/flag.toml", rule("Flag", "deny"));
    const cli = [{ action: "deny", pattern: "Cli" }] as const;
    const { merged, ...facts } = await load({ cli, rules: ["flag.toml"], trust: "given" });
    const names = merged.rules.map(({ pattern }) => pattern.value);
    assert.deepEqual(names.slice(0, 5), ["Cli", "Flag", "Local", "Project", "User"]);
    assert.ok(names.slice(5).includes("Read"));
    assert.equal(names.at(-1), "*");
    assert.deepEqual(merged.rules[3]?.source, {
      kind: "project",
      path: join(folder, "ws/.caliban/permissions.toml"),
      line: 1,
      column: 1,
    });
    assert.equal(merged.rules[3]?.text, rule("Project", "ask"));
    assert.deepEqual(facts, {
      platform: real.platform,
      cwd: join(folder, "ws"),
      workspace: join(folder, "ws"),
      workspaceReal: join(folder, "ws"),
      home: join(folder, "home"),
      homeReal: join(folder, "home"),
      isTrusted: true,
      isTrustGiven: true,
    });
  });
});

test("files that were looked for and are not there are absent, sources turned off are off", async () => {
  await inScene({}, async ({ load }) => {
    const { merged } = await load({ off: ["user", "builtin"] });
    assert.deepEqual(
      merged.entries.filter(({ kind }) => kind !== "managed").map((
        { kind, state },
      ) => [kind, state]),
      [["local", "absent"], ["project", "absent"], ["user", "off"], ["builtin", "off"]],
    );
  });
});

test("a file that was named must be there", async () => {
  await inScene({}, async ({ folder, load }) => {
    const path = join(folder, "ws/none.toml");
    assert.deepEqual(await faults(load({ rules: ["none.toml"] })), [[path, "not-found"]]);
  });
  const managed = { CALIBAN_MANAGED_FILE: "/none.toml", CALIBAN_RULES: "none.toml" };
  await inScene(managed, async ({ folder, load }) => {
    assert.deepEqual(await faults(load()), [
      ["/none.toml", "not-found"],
      [join(folder, "ws/none.toml"), "not-found"],
    ]);
  });
});

test("a file that is there but cannot be read is an error, and all of them are told", async () => {
  await inScene({}, async ({ folder, load, write }) => {
    const local = write("ws/.caliban/permissions.local.toml", new Uint8Array([0x61, 0xe4]));
    const project = join(folder, "ws/.caliban/permissions.toml");
    const user = join(folder, "home/.config/caliban/permissions.toml");
    mkdirSync(project);
    mkdirSync(dirname(user), { recursive: true });
    execFileSync("mkfifo", [user]);
    assert.deepEqual(await faults(load()), [
      [local, "not-utf8"],
      [project, "not-a-file"],
      [user, "not-a-file"],
    ]);
  });
});

test("a policy file that is a link to nowhere or in a circle is an error, not an absent one", async () => {
  await inScene({}, async ({ folder, load }) => {
    mkdirSync(join(folder, "ws/.caliban"));
    const project = join(folder, "ws/.caliban/permissions.toml");
    const user = join(folder, "home/.config/caliban/permissions.toml");
    symlinkSync("nowhere", project);
    symlinkSync("dotfiles/config", join(folder, "home/.config"));
    assert.deepEqual(await faults(load()), [[project, "other"], [user, "other"]]);
  });
  await inScene({}, async ({ folder, load }) => {
    const user = join(folder, "home/.config/caliban/permissions.toml");
    mkdirSync(dirname(user), { recursive: true });
    symlinkSync("permissions.toml", user);
    assert.deepEqual(await faults(load()), [[user, "loop"]]);
  });
});

test("without a home the user's rules must be turned off", async () => {
  for (const HOME of ["", "relative"]) {
    await inScene({ HOME }, async ({ folder, load }) => {
      await assert.rejects(load(), SourceError);
      const loaded = await load({ off: ["user"] });
      assert.equal("home" in loaded, false);
      assert.equal(loaded.workspace, join(folder, "ws"));
    });
  }
});

test("--workspace must be a folder, and is what it is after its links", async () => {
  await inScene({}, async ({ folder, load, write }) => {
    write("other/.caliban/permissions.toml", rule("Other", "deny"));
    write("file", "");
    symlinkSync("other", join(folder, "link"));
    const { workspace, workspaceReal, merged } = await load({ workspace: join(folder, "link") });
    assert.deepEqual([workspace, workspaceReal], [join(folder, "link"), join(folder, "other")]);
    assert.equal(merged.rules[0]?.pattern.value, "Other");
    assert.equal((await load({ workspace: "../link" })).workspace, join(folder, "other"));
    for (const name of ["file", "none"]) {
      const path = join(folder, name);
      assert.deepEqual(await faults(load({ workspace: path })), [[path, "not-found"]]);
    }
  });
});

test("a hook's starting folder finds its workspace", async () => {
  await inScene({}, async ({ folder, load, write }) => {
    write("repo/.caliban/permissions.toml", rule("Repo", "deny"));
    mkdirSync(join(folder, "repo/a/b"), { recursive: true });
    const { workspace } = await load({ start: join(folder, "repo/a/b") });
    assert.equal(workspace, join(folder, "repo"));
  });
});

test("what is wrong inside a file is a problem with its path and text", async () => {
  await inScene({}, async ({ load, write }) => {
    const text = rule("A", "alow");
    const path = write("ws/.caliban/permissions.toml", text);
    const { merged } = await load();
    assert.equal(merged.problems[0]?.path, path);
    assert.equal(merged.problems[0]?.text, text);
    assert.equal(merged.problems[0]?.severity, "error");
  });
});

test("a problem of a file behind a link is quoted in the workspace, and not outside of it", async () => {
  for (const [target, isShown] of [["ws/own.toml", true], ["outside.toml", false]] as const) {
    await inScene({}, async ({ folder, load, write }) => {
      const to = write(target, "hunter2 = 1\n");
      mkdirSync(join(folder, "ws/.caliban"));
      symlinkSync(to, join(folder, "ws/.caliban/permissions.toml"));
      const { merged: { problems } } = await load();
      assert.equal(problems.length, 1);
      assert.equal(problems[0]!.message.includes("hunter2"), isShown);
    });
  }
});

test("what needs trust counts while its files are those that were recorded, or under --trust", async () => {
  await inScene({}, async ({ folder, runtime, load, write }) => {
    const shell = async (options?: Partial<LoadOptions>) =>
      (await load(options)).merged.settings.shell;
    write("ws/.caliban/permissions.toml", "\ufeff" + LITERAL);
    assert.equal(await shell(), "parsed");
    assert.deepEqual((await load()).merged.notices.map(({ id }) => id), ["untrusted"]);
    assert.equal(await shell({ trust: "given" }), "literal");

    const workspace = join(folder, "ws");
    const files = await hashesOf(runtime, readTrustFiles(runtime, workspace));
    const at = "2026-01-01T00:00:00Z";
    const record = write(
      "home/.local/state/caliban/trust.json",
      formatTrust(new Map([[workspace, { files, at }]])),
    );
    assert.equal(await shell(), "literal");
    assert.ok((await load()).merged.entries.every(({ trusted }) => trusted));

    write("ws/.caliban/permissions.local.toml", rule("A", "deny"));
    assert.equal(await shell(), "parsed");
    write("ws/.caliban/permissions.local.toml", "");
    assert.equal(await shell(), "parsed");

    write("home/.local/state/caliban/trust.json", '{"version":1}');
    assert.deepEqual(await faults(load()), [[record, "other"]]);
  });
});

test("the trust record is not read where the workspace has no policy file", async () => {
  await inScene({}, async ({ load, write }) => {
    write("home/.config/caliban/permissions.toml", rule("A", "allow"));
    write("home/.local/state/caliban/trust.json", "broken");
    assert.equal((await load()).merged.rules[0]?.pattern.value, "A");
    write("ws/.caliban/permissions.toml", rule("B", "deny"));
    await assert.rejects(load(), /Cannot read the trust record/);
  });
});

test("what has the place of the policy folder, and a pipe, are told as what they are", async () => {
  await inScene({}, async ({ folder, load, write }) => {
    const file = write("ws/.caliban", "notes\n");
    assert.deepEqual(await faults(load()), [[file, "not-a-file"]]);
    const message = "it is not a folder, and the workspace's rules belong in it";
    await assert.rejects(load(), { message: `Cannot read "${file}": ${message}` });
    assert.equal((await load({ off: ["project"] })).merged.problems.length, 0);
    if (real.platform === "windows") return;
    const pipe = join(folder, "pipe");
    execFileSync("mkfifo", [pipe]);
    const told = /it is a pipe or device, not a file; save what it holds as a file first$/;
    await assert.rejects(load({ off: ["project"], rules: [pipe] }), told);
  });
});
