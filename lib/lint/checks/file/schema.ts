import { type Check, example, rule } from "../../check.ts";

/** Problems because of which a file does not load. */
export const schema: Check = {
  id: "schema",
  severity: "error",
  docs: {
    what: "A file that does not load: broken TOML, unknown keys, wrong types, malformed patterns",
    why:
      "A file that does not load stops every decision, so that none of its rules is lost silently. All problems of a " +
      "file are reported together (those of a pattern once its rule can be read); other files are linted without it.",
    avoid: example([rule("Bash:git *", "allow").replace("allow", "alow")]),
    prefer: example([rule("Bash(git status:*)", "allow")]),
  },
  find({ files }) {
    return files.flatMap(({ path, problems }) =>
      problems.flatMap(({ id, severity, message, span, hint, command }) =>
        // unknown-tool reports specifiers that have nothing to be compared with.
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
