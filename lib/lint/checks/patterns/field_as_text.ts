import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { namedTool } from "../../../pattern/parse_pattern.ts";
import { nearest } from "../../../text/did_you_mean.ts";
import type { ToolProfile } from "../../../model/call.ts";
import type { ToolProfiles } from "../../../policy/compile/profiles.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";

/** A key and a value with no command behind it, as an assignment before a command has. */
const SINGLE = /^([A-Za-z_][\w-]*(?:\.[\w-]+)*)!?=\S*$/;

interface Misread {
  readonly key: string;
  readonly profile: ToolProfile;
}

/** The key of a specifier that looks like a field and is read as text; undefined for any other rule. */
function misread({ parsed }: CompiledRule, profiles: ToolProfiles): Misread | undefined {
  const name = namedTool(parsed);
  const key = SINGLE.exec(parsed.specifier ?? "")?.[1];
  if (name === undefined || key === undefined) return undefined;
  const profile = profiles.get(name);
  const { firstArg, fields } = profile;
  if (firstArg === undefined || firstArg.length === 0) return undefined;
  const isKnown = [...firstArg, ...fields].some((each) =>
    each === key || each === key.split(".")[0]
  );
  return isKnown ? undefined : { key, profile };
}

/** Specifiers that look like a field of the input and are compared with its first argument. */
export const fieldAsText: Check = {
  id: "field-as-text",
  severity: "warning",
  docs: {
    what: "A specifier that looks like a field but names no known field of the tool",
    why:
      "Such a specifier is compared with the tool's first argument, as Bash:FOO=1 make is with the command. A rule that is " +
      "meant for a field of the input then matches nothing. A field beside the first argument is compared as a field: " +
      "Bash:command=*,word=x.",
    avoid: example([rule("Bash:run_in_backgruond=true", "deny")]),
    prefer: example([rule("Bash:run_in_background=true", "deny")]),
  },
  find({ rules, policy }) {
    return rules.flatMap((linted) => {
      const found = misread(linted.rule, policy.profiles);
      if (found === undefined) return [];
      const { key, profile: { name, firstArg, fields } } = found;
      const near = nearest(key, fields);
      const [first] = firstArg ?? [];
      return [foundAt(linted, {
        message: `${
          ruleName(linted.rule)
        } is compared with the ${first} of ${name}, for "${key}" is no known field of it`,
        hint: near === undefined
          ? `Write "${name}:${first}=*,${linted.rule.parsed.specifier}" if a field is meant`
          : `Did you mean "${near}"?`,
      })];
    });
  },
};
