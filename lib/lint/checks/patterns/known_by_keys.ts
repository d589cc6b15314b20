import type { CompiledPolicy } from "../../../policy/compile/compiled_policy.ts";
import { type Check, example, rule } from "../../check.ts";

/** The tools whose rules hold for what every tool names. */
const NAMING = ["Read", "Write", "WebFetch", "Bash"];

/** True if a written deny or ask speaks of files, URLs or commands. */
function hasObjections(policy: CompiledPolicy): boolean {
  return NAMING.some((tool) =>
    policy.writtenRules(tool).some(({ rule: { action, parsed } }) =>
      action !== "allow" && parsed.specifier !== undefined
    )
  );
}

/** Tables of tools that do not say what the input names. */
export const knownByKeys: Check = {
  id: "known-by-keys",
  severity: "note",
  docs: {
    what: "A [tools.NAME] table that does not say which argument names a file, URL or command",
    why:
      "Deny and ask rules of Read, Write, WebFetch and Bash apply to an argument of such a tool only if its key (path, filePath, " +
      "url, command) shows that it is a file, URL or command. With first_arg and kind they apply to that argument under any key.",
    avoid: `[tools.mcp__files__load]\nclass = "read"\n\n${example([rule("Read:**/.env", "deny")])}`,
    prefer: `[tools.mcp__files__load]\nfirst_arg = "item"\nkind = "path"\nclass = "read"\n\n${
      example([rule("Read:**/.env", "deny")])
    }`,
  },
  find({ files, policy }) {
    if (!hasObjections(policy)) return [];
    return files.flatMap(({ path, file }) =>
      [...file.tools].flatMap(([name, { span }]) => {
        if (policy.profiles.get(name).firstArg !== undefined) return [];
        return [{
          path,
          span,
          rule: null,
          message:
            `[tools.${name}] does not describe its input: deny and ask rules of Read, Write, WebFetch and Bash ` +
            "apply only where a key shows a file, URL or command",
          hint: "Set first_arg and kind: path, url or command; otherwise text",
        }];
      })
    );
  },
};
