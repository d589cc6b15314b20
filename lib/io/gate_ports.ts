import type { RuleFiles } from "../gate/gate_parts.ts";
import { compileHooks } from "../gate/hooks/compile_hooks.ts";
import type { HookRunner } from "../gate/hooks/hook_outcome.ts";
import { PolicyError } from "../policy/decode/policy_error.ts";
import { hookRunner, type HookRunnerOptions } from "./process/hook_runner.ts";
import { type HooksPolicy, readHooks } from "./load/hook_files.ts";
import type { PolicyLocation } from "./load/policy_location.ts";
import { FileError, type Runtime } from "./runtime/runtime.ts";

/**
 * Opens the runner for the hooks in a policy's files and in the hooks.json of workspace and user. Those of an untrusted workspace do not run.
 * Rejects with PolicyError when one has an error: then none may run.
 */
export async function openHooks(
  runtime: Runtime,
  { policy, ...options }:
    & { readonly policy: HooksPolicy }
    & Pick<HookRunnerOptions, "limitMs">,
): Promise<HookRunner> {
  const { hooks: placed, problems: read } = await readHooks(runtime, policy);
  const { hooks, problems } = await compileHooks(placed);
  const all = [...read, ...problems];
  if (all.some(({ severity }) => severity === "error")) throw new PolicyError(all);
  return hookRunner(hooks, { runtime, folder: policy.location.workspace, ...options });
}

/** Options of `ruleFiles`. */
export interface RuleFilesOptions {
  readonly runtime: () => Promise<Runtime>;
  /** The workspace; links in it must not lead the writing out of it, and it keeps its trust. */
  readonly location: PolicyLocation;
  /** Places a rule in a file's text. */
  readonly add: RuleFiles["add"];
  /** Called after a file was made, to put its schema beside it. */
  readonly made?: (
    file: { readonly path: string; readonly within: string | null },
  ) => Promise<unknown>;
}

/** The time to wait for another process that edits the file, in ms, since a person waits. */
const PATIENCE = 10_000;

const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\])/;

/** The policy files of this machine, edited under their lock and replaced whole. */
export function ruleFiles({ runtime, location, add, made }: RuleFilesOptions): RuleFiles {
  return {
    add,
    async edit({ scope, path }, edit) {
      if (!ABSOLUTE.test(path)) {
        const message = `Cannot write "${path}": the policy was not read from that file`;
        throw new FileError(message, { path, fault: "other" });
      }
      // Loads the Node layer, which only writing needs.
      const { editFile } = await import("./write/edit_file.ts");
      const within = scope === "user" ? null : location.workspace;
      let isNew = false;
      let untrusted: string | undefined;
      const outcome = await editFile(path, (whole) => {
        isNew = whole === undefined;
        const mark = whole?.startsWith("\ufeff") ? "\ufeff" : "";
        const text = edit((whole ?? "").slice(mark.length));
        return text === undefined ? undefined : mark + text;
      }, {
        within,
        newFolders: scope === "user" ? 3 : 1,
        patience: PATIENCE,
        written: async (change) => {
          const { keepTrust } = await import("./write/trust_record.ts");
          untrusted = await keepTrust(await runtime(), { location, path, ...change });
        },
      });
      if (outcome === "unchanged" || !isNew || made === undefined) return untrusted;
      return await made({ path, within }).then(() => untrusted, messageOf);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
