import { isTellingVariable } from "../../../policy/compile/own_variables.ts";
import { type Check, example, rule } from "../../check.ts";

/** Variables of `[shell]` whose name says that their value matters. */
export const tellingVariable: Check = {
  id: "telling-variable",
  severity: "warning",
  docs: {
    what:
      "A name in [shell] variables that may say what runs, where a program looks or what it changes",
    why:
      "Any plain word may stand behind a listed variable, a path or a host too, before every command that a rule allows. " +
      "A rule that names the variable with its value covers no more than that.",
    avoid: `[shell]\nvariables = ["TEST_RUNNER"]\n\n${
      example([rule("Bash(npm test:*)", "allow")])
    }`,
    prefer: example([rule("Bash:TEST_RUNNER=vitest npm test", "allow")]),
  },
  find({ files }) {
    return files.flatMap(({ path, file }) =>
      (file.settings.variables?.value ?? []).filter(({ value }) => isTellingVariable(value)).map((
        { value, span },
      ) => ({
        path,
        span,
        rule: null,
        message:
          `any plain value of "${value}" needs no rule, though its name may say what runs, where a program looks or what changes`,
        hint: `Remove it, and name its value in a rule: "Bash:${value}=… npm test"`,
      }))
    );
  },
};
