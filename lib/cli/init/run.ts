import { findPolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import { EXIT, UsageError } from "../errors/errors.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { TEST_FILE_END } from "../../suite/test_file.ts";
import { type ScopeFile, scopeFile } from "../write/scope_file.ts";
import { flagValue, hasFlag, type Invocation } from "../args/verb.ts";
import { writeFile, writePolicyFile, writeSchemaFile } from "../write/write_file.ts";
import { writeJson } from "../output/print.ts";

/** The preset with `unmatched = "agent"`, which counts in the user's file. */
const OWN_PRESET = "guard";

const NOT_OWN = 'Its unmatched = "agent" does not count here: use --scope user';

/** The file of tests beside a policy. */
const TESTS = `permissions${TEST_FILE_END}`;

/** The command to type next. */
const NEXT = "caliban hook install claude";

/** Writes the starter policy, unless there is one, the schema beside it, and for a project its tests. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const named = flagValue(invocation, "workspace");
  const location = findPolicyLocation(runtime, named === undefined ? {} : { workspace: named });
  const preset = flagValue(invocation, "preset");
  const scope = flagValue(invocation, "scope") ?? (preset === OWN_PRESET ? "user" : undefined);
  const file = scopeFile(runtime, { location, scope });
  const starter = await starterOf(preset);
  await writePolicyFile(file, (text) => {
    if (text === undefined) return starter.text;
    throw new UsageError(`Cannot write a starter policy: "${file.path}" already exists`, {
      hint: 'Edit it, or add rules with "caliban perms add"; to start over, move it away first',
    });
  }, { location, runtime });
  const { platform } = location;
  const schema = await writeSchemaFile(file, { platform, replace: true });
  // Tests leave out the rules of one person.
  const tests = file.scope === "project"
    ? await writeTests(file, { text: starter.tests, platform })
    : undefined;
  if (hasFlag(invocation, "json")) {
    const { scope, path } = file;
    const written = { done: "written", scope, path, schema, tests: tests ?? null, next: NEXT };
    await writeJson(runtime, written);
    return EXIT.ok;
  }
  const lines = [file.path, schema, ...(tests === undefined ? [] : [tests])]
    .map((path) => `Wrote ${visible(path)}`);
  if (preset === OWN_PRESET && file.scope !== "user") lines.push(NOT_OWN);
  if (file.scope === "local") lines.push("Keep the first file out of git: it is yours alone");
  const next = 'Next, for Claude Code (other agents: "caliban help hook install"):';
  await runtime.write("stdout", `${lines.join("\n")}\n\n${next}\n  ${NEXT}\n`);
  return EXIT.ok;
}

/** Writes tests beside a policy, unless there are some, and answers the path of what was written. */
async function writeTests(
  { path: policyPath, within }: ScopeFile,
  { text, platform }: { readonly text: string; readonly platform: Runtime["platform"] },
): Promise<string | undefined> {
  const style = pathStyle(platform);
  const { root, segments } = style.split(policyPath);
  const path = style.build({ root, segments: [...segments.slice(0, -1), TESTS] });
  const outcome = await writeFile(path, (there) => there === undefined ? text : undefined, {
    within,
  });
  return outcome === "written" ? path : undefined;
}

interface Starter {
  /** The policy. */
  readonly text: string;
  readonly tests: string;
}

/** The starter policy, or a preset. Throws RangeError for one that is not there. */
async function starterOf(preset: string | undefined): Promise<Starter> {
  if (preset === undefined) {
    const { STARTER, STARTER_TESTS } = await import("./starter.ts");
    return { text: STARTER, tests: STARTER_TESTS };
  }
  const { default: { presets } } = await import("../../../defaults/presets.json", {
    with: { type: "json" },
  });
  const found = presets.find(({ name }) => name === preset);
  if (found === undefined) throw new RangeError(`Unknown preset ${preset}`);
  return found;
}
