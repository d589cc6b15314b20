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
      "Deny and ask rules of Read, Write, WebFetch and Bash hold for such a tool only where the words of a key (path, filePath, " +
      "url, command) say what it names. With first_arg and kind they hold for that argument whatever its name.",
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
            `[tools.${name}] does not say what its input names: deny and ask rules of Read, Write, WebFetch and Bash ` +
            "hold by the words of its keys only",
          hint: "Set first_arg and kind (path, url, command; text if it names none of them)",
        }];
      })
    );
  },
};
