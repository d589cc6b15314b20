import type { Runtime } from "../io/runtime.ts";
import type { ModeName } from "../model/settings.ts";
import type { Mode } from "../modes/mode.ts";
import { DISABLED, modeNamed, MODES } from "../modes/registry.ts";
import type { DecideOptions } from "../engine/decide.ts";
import { isValueNotBuilt } from "../policy/not_built.ts";
import type { Policy } from "../policy/policy.ts";
import { UsageError } from "./errors.ts";
import { flagValue, hasFlag } from "./invocation.ts";
import type { Invocation } from "./verb.ts";

const CONFLICTS = ["allow", "deny", "ask", "auto-allow"];

/**
 * The mode in force and what answers questions. The managed file's mode wins over all; else the flag, the variable
 * CALIBAN_DEFAULT_PERMISSION_MODE, the files' `default_mode`. Throws UsageError for a mode that is not there, and for
 * --no-permissions where it is refused.
 */
export function decideOptions(
  policy: Policy,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): DecideOptions {
  const given = hasFlag(invocation, "auto-allow");
  const disabled = hasFlag(invocation, "no-permissions");
  if (disabled) checkDisabled(policy, invocation);
  const autoAllow = !disabled && (given || runtime.env("CALIBAN_AUTO_ALLOW") === "1");
  return {
    mode: disabled ? DISABLED : startMode(policy, { invocation, runtime }),
    ...(hasFlag(invocation, "headless") ? { headless: true } : {}),
    ...(autoAllow ? { autoAllow } : {}),
  };
}

function checkDisabled(policy: Policy, invocation: Invocation): void {
  const other = CONFLICTS.find((name) => hasFlag(invocation, name));
  if (other !== undefined) {
    throw new UsageError(`--no-permissions and --${other} exclude each other`);
  }
  const { enforce } = policy.settings;
  if (!enforce?.value) return;
  const place = `${enforce.source.path}:${enforce.source.line}`;
  throw new UsageError(`--no-permissions is refused: "enforce = true" in ${place}`, {
    hint: "A rule can allow the call instead; whoever owns that file can take the line out",
  });
}

function startMode(
  policy: Policy,
  { invocation, runtime }: { invocation: Invocation; runtime: Runtime },
): Mode {
  const file = policy.settings.defaultMode;
  if (file?.source.kind === "managed") return required(file.value, "the managed file");
  const flag = flagValue(invocation, "permission-mode");
  if (flag !== undefined) return required(flag, "--permission-mode");
  const variable = runtime.env("CALIBAN_DEFAULT_PERMISSION_MODE");
  if (variable !== undefined && variable !== "") {
    return required(variable, "CALIBAN_DEFAULT_PERMISSION_MODE");
  }
  return required(
    file?.value ?? "default",
    file ? `${file.source.path}:${file.source.line}` : "default",
  );
}

function required(name: string, from: string): Mode {
  const mode = modeNamed(name as ModeName);
  if (mode) return mode;
  const known = MODES.map((each) => each.name);
  const hint = `This version knows: ${known.join(", ")}`;
  if (isValueNotBuilt("default_mode", name)) {
    throw new UsageError(
      `Cannot use the mode "${name}" (${from}): this version of caliban does not have it yet`,
      { hint },
    );
  }
  throw new UsageError(`There is no mode "${name}" (${from})`, {
    unknown: { word: name, known },
    hint,
  });
}
