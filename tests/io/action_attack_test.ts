import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { type ActionEnd, runAction } from "../support/action.ts";
import { commitAll, git } from "../support/git_repo.ts";
import { without } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const NEEDS = { skip: without("deno"), timeout: 120_000 };
const POLICY = '[[permissions.rules]]\npattern = "Bash:rm *"\naction = "deny"\n';

/** A repository, and a pull request to it as the runner checks it out: one commit, without its base. */
interface Scene {
  /** The folder of everything. */
  readonly folder: string;
  /** The checkout of the pull request. */
  readonly checkout: string;
  /** The commit that it is compared with. */
  readonly base: string;
  /** The file that a command of the pull request would make. */
  readonly proof: string;
}

/** Makes a pull request by changing the files of a work tree, and checks it out. */
async function withPullRequest(
  change: (tree: string, scene: Pick<Scene, "folder" | "proof">) => void,
  use: (scene: Scene) => Promise<void>,
): Promise<void> {
  await withTempDir(async (folder) => {
    const [origin, tree, checkout] = ["origin.git", "tree", "checkout"].map((name) =>
      join(folder, name)
    ) as [string, string, string];
    const proof = join(folder, "RAN");
    write(tree, { "sub/.caliban/permissions.toml": POLICY, "sub/a": "" });
    const base = commitAll(tree);
    git(folder, ["clone", "--quiet", "--bare", tree, origin]);
    git(origin, ["config", "uploadpack.allowAnySHA1InWant", "true"]);
    change(tree, { folder, proof });
    commitAll(tree);
    git(tree, ["push", "--quiet", origin, "HEAD:refs/heads/pr"]);
    git(folder, ["clone", "--quiet", "--depth=1", "--branch=pr", `file://${origin}`, checkout]);
    await use({ folder, checkout, base, proof });
    const ran = readdirSync(folder).filter((name) => name.startsWith("RAN"));
    assert.deepEqual(ran, [], "a command of the pull request ran");
  });
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** Runs the action as it stands, in a folder of its own for what the runner keeps. */
function attacked(
  { folder, checkout, base }: Scene,
  inputs: Readonly<Record<string, string>>,
): Promise<ActionEnd> {
  const kept = join(folder, "kept");
  mkdirSync(kept);
  return runAction({ cwd: checkout, kept, base, inputs });
}

/** Settings of a repository, each of which starts a command. */
const CONFIG = (proof: string) =>
  `[core]
  repositoryformatversion = 0
  bare = true
  fsmonitor = "touch ${proof}.1; false"
  sshCommand = touch ${proof}.2;
  hooksPath = hooks
[remote "origin"]
  url = ext::sh -c "touch% ${proof}"
  uploadpack = touch ${proof}.3;
[protocol "ext"]
  allow = always
[credential]
  helper = "!touch ${proof}.4"
`;

test(
  "the action asks no bare repository that a pull request makes of the workspace's folder",
  NEEDS,
  () =>
    withPullRequest(
      (tree, { proof }) =>
        write(tree, {
          "sub/HEAD": "ref: refs/heads/main\n",
          "sub/objects/.keep": "",
          "sub/refs/.keep": "",
          "sub/config": CONFIG(proof),
          "sub/.caliban/permissions.toml": POLICY.replace("deny", "ask"),
        }),
      async (scene) => {
        const inputs = { workspace: "sub", test: "false", lint: "false" };
        const { steps, summary } = await attacked(scene, inputs);
        const diff = steps.get("Diff")!;
        assert.equal(diff.status, 0, diff.stdout + diff.stderr);
        assert.match(summary, /Bash/, "the change is shown");
      },
    ),
);

test(
  "the action fetches by no helper, whatever the checkout's remote is",
  NEEDS,
  () =>
    withPullRequest((tree) => write(tree, { "sub/b": "" }), async (scene) => {
      const { checkout, proof } = scene;
      git(checkout, ["remote", "set-url", "origin", `ext::sh -c touch% ${proof}`]);
      git(checkout, ["config", "protocol.ext.allow", "always"]);
      const { steps } = await attacked(scene, { workspace: "sub", test: "false", lint: "false" });
      assert.notEqual(steps.get("Diff")!.status, 0);
    }),
);

/** Places for the SARIF file that the pull request has made links of, with the file that must stay as it is. */
const PLACES: readonly (readonly [sarif: string, link: string, target: string])[] = [
  ["out.sarif", "out.sarif", "../victim/out.sarif"],
  ["./a/reports/out.sarif", "a", "../victim"],
  ["sub//reports/../reports/out.sarif", "sub/reports", "../../victim"],
  ["$PWD/reports/out.sarif", "reports", "../victim"],
];

for (const [sarif, link, target] of PLACES) {
  test(
    `the action writes no SARIF through a link: ${sarif} with ${link} -> ${target}`,
    NEEDS,
    () =>
      withPullRequest(
        (tree) => {
          mkdirSync(dirname(join(tree, link)), { recursive: true });
          symlinkSync(target, join(tree, link));
        },
        async (scene) => {
          const { folder, checkout } = scene;
          for (const name of ["out.sarif", "reports/out.sarif"]) {
            write(join(folder, "victim"), { [name]: "mine" });
          }
          const place = sarif.replace("$PWD", checkout);
          const { steps } = await attacked(scene, {
            workspace: "sub",
            test: "false",
            diff: "false",
            "sarif-file": place,
          });
          for (const name of ["out.sarif", "reports/out.sarif"]) {
            assert.equal(readFileSync(join(folder, "victim", name), "utf8"), "mine");
          }
          const { status, stdout } = steps.get("Lint")!;
          if (link === sarif) {
            assert.match(readFileSync(join(checkout, sarif), "utf8"), /"2\.1\.0"/);
          } else {
            assert.notEqual(status, 0, stdout);
            assert.match(stdout, /^::error title=caliban::.*link/m);
          }
        },
      ),
  );
}

test(
  "the action writes SARIF outside of the checkout where that is asked for",
  NEEDS,
  () =>
    withPullRequest((tree) => write(tree, { "sub/b": "" }), async (scene) => {
      const place = join(scene.folder, "outside.sarif");
      const inputs = { workspace: "sub", test: "false", diff: "false", "sarif-file": place };
      await attacked(scene, inputs);
      assert.match(readFileSync(place, "utf8"), /"2\.1\.0"/);
    }),
);
