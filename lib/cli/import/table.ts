import { IMPORT_FORMATS } from "../../agents/formats/format_registry.ts";
import { JSON_FLAG, SCOPE_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms import`. */
export const IMPORT: Verb = {
  path: ["perms", "import"],
  summary: "Convert another agent's rules to a permissions.toml, or add them to a policy",
  operands: [],
  flags: [
    { name: "from", value: "FILE", summary: "The other agent's file" },
    {
      name: "format",
      value: "NAME",
      choices: IMPORT_FORMATS,
      summary: `The file's format; by default detected from its name and text: ${
        IMPORT_FORMATS.join(", ")
      }`,
    },
    { ...SCOPE_FLAG, summary: `${SCOPE_FLAG.summary}; by default nothing is written` },
    { name: "strict", summary: "Fail if a rule cannot be converted exactly" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Each rule keeps its meaning, or its loss is reported on standard error: widened (less strict than before), " +
    "narrowed (stricter than before) or dropped. With --strict any loss is a failure (65), and nothing is " +
    "printed or written.",
    "The import drops an allow that it cannot read, as a loss. It stops at a deny or ask that it cannot read (65). " +
    "If a settings file has no rules, there is nothing to import (0).",
    'With --scope the rules are added as by "caliban perms add": comments are preserved, and a deny or ask is ' +
    "inserted above the first rule that would take precedence over it.",
    'With --json: {"format", "rules", "hooks", "defaultMode", "losses"}; with --scope also "path", "added" and "stood".',
  ],
  examples: [{
    command: `echo '{"permissions": {"allow": ["Bash(npm test:*)"]}}' > settings.json
caliban perms import --from settings.json`,
    says: "print the rules of a settings.json of Claude Code as a policy",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
