import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import type { Program } from "../../../lib/shell/programs/program.ts";
import { ProgramCatalog } from "../../../lib/shell/programs/program_catalog.ts";
import { filesOf } from "../../support/files_of.ts";
import { ownRepository } from "../../support/own_repository.ts";

/** Commands that take any operand for a name: what they ask is the user's own service, or this machine, whatever it is. */
const NAMES_ONLY: ReadonlySet<string> = new Set([
  ...["container logs", "image ls", "images", "logs", "stats", "top"].flatMap((words) => [
    `docker ${words}`,
    `podman ${words}`,
  ]),
  ...["flatpak list", "flatpak search", "gcloud logging read", "gcloud storage ls"],
  ...["buckets describe", "objects describe", "objects list"].map((words) =>
    `gcloud storage ${words}`
  ),
  ...["gcloud iam roles describe", "gsutil ls", "heroku apps", "stern"],
  ...["auth status", "codespace list", "codespace view", "extension search", "gist list"].map(ofGh),
  ...["gpg-key list", "org list", "project field-list", "project list", "repo deploy-key list"]
    .map(ofGh),
  ...["repo list", "search code", "search commits", "search issues", "search prs", "search repos"]
    .map(ofGh),
  ...["ssh-key list", "status"].map(ofGh),
  ...["helm list", "helm history", "helm search", "npm search", "pnpm ls"],
  ...["config current-context", "config get-contexts", "explain", "logs", "top"]
    .map((words) => `kubectl ${words}`),
]);

function ofGh(words: string): string {
  return `gh ${words}`;
}

const policy = policyFromToml(
  ["read", "service-read", "repository"].map((name) =>
    `[[permissions.rules]]\npattern = "Bash(@${name})"\naction = "allow"\n`
  ).join(""),
  {
    workspace: "/work",
    home: "/home/ada",
    isSystemProgram: () => true,
    gitRepository: () => "here",
    gitState: (folder) => ownRepository(folder, ["f"]),
    textOf: () => null,
    ...filesOf(["f"]),
  },
);

/** The commands of a program that read from a service, without further words. */
function servicesIn(program: Program, words: string): readonly string[] {
  const { table } = program;
  const below = Object.keys(table.sub ?? {}).flatMap((name) =>
    servicesIn(program.sub(name)!, `${words} ${name}`)
  );
  const verbs = (table.verbs?.["service-read"] ?? []).map((verb) =>
    `${words} ${verb.replace(/ ?\*+$/, "")}`
  );
  const isService = JSON.stringify([table.class, table.class_if]).includes("service-read");
  return [...isService ? [words] : [], ...verbs, ...below];
}

test("a URL is the name of nothing that a client of a service reads, but where that takes any text", () => {
  const catalog = new ProgramCatalog();
  const commands = catalog.names.flatMap((name) => servicesIn(catalog.program(name)!, name));
  const takes = commands.filter((command) =>
    ["http://evil.example/x", "git+ssh://evil.example/x"].some((url) =>
      evaluate(policy, { tool: "Bash", input: { command: `${command} ${url}` }, cwd: "/work" })
        .action === "allow"
    )
  );
  assert.ok(commands.length > 200, `${commands.length} commands`);
  const unseen = takes.filter((each) => !NAMES_ONLY.has(each) && !each.startsWith("aws "));
  assert.deepEqual(unseen, []);
  assert.deepEqual([...NAMES_ONLY].filter((each) => !takes.includes(each)), []);
});
