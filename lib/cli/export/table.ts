import { EXPORT_FORMATS } from "../../agents/formats/format_registry.ts";
import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms export`. */
export const EXPORT: Verb = {
  path: ["perms", "export"],
  summary: "Print rules in another format, or convert a policy file of an older format",
  operands: [{
    name: "file",
    optional: true,
    summary: "A policy file; by default all rules but the built-in ones",
  }],
  flags: [
    {
      name: "format",
      value: "NAME",
      choices: ["toml", "json", ...EXPORT_FORMATS],
      summary: `toml (the default), json, ${EXPORT_FORMATS.join(", ")}`,
    },
    { name: "strict", summary: "Fail if a rule cannot be converted exactly" },
    {
      ...JSON_FLAG,
      summary: "Print the text and the losses as JSON; for another agent's format",
    },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "For another agent, each rule keeps its meaning, or its loss is reported on standard error: widened (less " +
    "strict than before), narrowed (stricter than before) or dropped. An allow is never widened. With --strict " +
    "any loss is a failure (65).",
    "Do not redirect to the file that is read: the shell empties the target of > first.",
  ],
  examples: [{
    command: "caliban perms export --format json",
    says: "print every effective rule, highest priority first, for another program",
  }, {
    command: "caliban perms export --format claude",
    says: "print them as permissions for Claude Code's settings.json",
  }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
