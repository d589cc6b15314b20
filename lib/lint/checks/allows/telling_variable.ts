import { isTellingVariable } from "../../../policy/compile/own_variables.ts";
import { type Check, example, rule } from "../../check.ts";

/** Variables of `[shell]` whose name says that their value matters. */
export const tellingVariable: Check = {
  id: "telling-variable",
  severity: "warning",
  docs: {
    what: "A name in [shell] variables that may select a program, a place or a change",
    why:
      "A listed variable may have any plain word as its value, even a path or a host, before every command that a rule allows. " +
      "A rule with the variable and its value covers only that value.",
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
          `any plain value of "${value}" needs no rule, although the name may select a program, a place or a change`,
        hint: `Remove it, and name its value in a rule: "Bash:${value}=… npm test"`,
      }))
    );
  },
};
