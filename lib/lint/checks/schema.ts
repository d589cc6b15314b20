import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";

/** Everything that does not load. */
export const schema: Check = {
  id: "schema",
  severity: "error",
  docs: {
    what:
      "What does not load: broken TOML, unknown keys, wrong types, patterns that cannot be read",
    why:
      "A file that does not load stops every decision, so that no rule of it is lost silently. " +
      "What is wrong in a file is told together (a pattern is looked at when its rule can be read), and the other files are looked at as if it were not there.",
    avoid: example([rule("Bash:git *", "allow").replace("allow", "alow")]),
    prefer: example([rule("Bash(git status:*)", "allow")]),
  },
  find({ files }) {
    return files.flatMap(({ path, problems }) =>
      problems.flatMap(({ id, severity, message, span, hint, command }) =>
        // What a spec cannot be compared with is told by unknown-tool.
        id === "never-fits" ? [] : [{
          severity,
          message,
          path,
          span,
          rule: null,
          ...(hint === undefined
            ? {}
            : { hint: command === undefined ? hint : `${hint} ${command}` }),
        }]
      )
    );
  },
};
