import { FileError, type Runtime } from "../../io/runtime.ts";
import type { FileSettings, PolicyFile, WrittenRule } from "../../model/settings.ts";
import type { Settings } from "../../model/source_entry.ts";
import { decodePolicy } from "../../policy/decode_policy.ts";
import { writePolicy } from "../../policy/write_policy.ts";
import { pathStyle } from "../../sources/path_style.ts";
import { policyFromToml } from "../../sources/policy_from_toml.ts";
import { EXIT } from "../exit_status.ts";
import { flagValue } from "../invocation.ts";
import { openFor } from "../policy_flags.ts";
import type { Invocation } from "../verb.ts";

/** Prints one file's rules, or those of all sources. */
export async function run(invocation: Invocation, runtime: Runtime): Promise<number> {
  const [name] = invocation.operands;
  const file = name === undefined ? await everything(invocation, runtime) : oneFile(name, runtime);
  const text = flagValue(invocation, "format") === "json" ? jsonText(file) : writePolicy(file);
  await runtime.write("stdout", text);
  return EXIT.ok;
}

function oneFile(name: string, runtime: Runtime): PolicyFile {
  const path = pathStyle(runtime.platform).absolute(name, runtime.cwd());
  if (runtime.stat(path) === undefined) {
    throw new FileError(`Cannot read "${name}": there is no such file`, {
      path,
      fault: "not-found",
    });
  }
  const text = runtime.readText(path).replace(/^\ufeff/, "");
  // Throws for all that is wrong in the file, its patterns too.
  policyFromToml(text, { path, builtin: "none" });
  return decodePolicy(text);
}

async function everything(invocation: Invocation, runtime: Runtime): Promise<PolicyFile> {
  const policy = await openFor(invocation, runtime);
  const { settings, tools } = policy.sources;
  const span = { start: 0, end: 0, line: 1, column: 1 };
  return {
    shape: "canonical",
    rules: policy.sources.rules.filter(({ source }) => source.kind !== "builtin"),
    settings: fileSettings(settings),
    tools: new Map([...tools].map(([name, value]) => [name, { value, span }])),
    problems: [],
  };
}

/** The settings that are not what a policy without settings has. */
function fileSettings(settings: Settings): FileSettings {
  const located = <T>(value: T) => ({ value, span: { start: 0, end: 0, line: 1, column: 1 } });
  return {
    ...(settings.defaultMode ? { defaultMode: located(settings.defaultMode.value) } : {}),
    ...(settings.enforce?.value ? { enforce: located(true) } : {}),
    ...(settings.shell === "literal" ? { shell: located(settings.shell) } : {}),
    ...(settings.enforceExpiry ? { enforceExpiry: located(true) } : {}),
  };
}

/** The rules in the keys of permissions.toml, as one JSON object. */
function jsonText(file: PolicyFile): string {
  const rules = file.rules.map((rule: WrittenRule) => ({
    pattern: rule.pattern.value,
    action: rule.action,
    ...(rule.comment === undefined ? {} : { comment: rule.comment }),
    ...(rule.reason === undefined ? {} : { reason: rule.reason }),
    ...(rule.expiresAt === undefined ? {} : { expires_at: new Date(rule.expiresAt).toISOString() }),
  }));
  const { settings } = file;
  const tools = Object.fromEntries([...file.tools].map(([name, { value }]) => [name, {
    ...(value.firstArg === undefined ? {} : { first_arg: value.firstArg }),
    ...(value.kind === undefined ? {} : { kind: value.kind }),
    ...(value.class === undefined ? {} : { class: value.class }),
  }]));
  const permissions = {
    ...(settings.defaultMode ? { default_mode: settings.defaultMode.value } : {}),
    ...(settings.enforce ? { enforce: settings.enforce.value } : {}),
    ...(settings.shell ? { shell: settings.shell.value } : {}),
    ...(settings.enforceExpiry ? { enforce_expiry: settings.enforceExpiry.value } : {}),
    ...(settings.auditLog ? { audit_log: settings.auditLog.value } : {}),
    ...(settings.requireTrust ? { require_trust: settings.requireTrust.value } : {}),
    ...(settings.managedOnly ? { managed_only: settings.managedOnly.value } : {}),
    rules,
  };
  return JSON.stringify({ permissions, ...(file.tools.size === 0 ? {} : { tools }) }, null, 2) +
    "\n";
}
