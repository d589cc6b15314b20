import { singleRule } from "./single_rule.ts";
import type { Source } from "./source.ts";

/** The rule flags of the command line. */
export const cli: Source = {
  kind: "cli",
  writable: "no",
  title: "rules of the command line, in the order given",
  where: "--allow P, --deny P, --ask P",
  places({ options }) {
    return options.cli.map(({ action, pattern }, index) => {
      const path = `--${action}`;
      const source = { kind: "cli", path, line: index + 1, column: 1 } as const;
      return { kind: "rules", path, rules: [singleRule(pattern, { action, source })] };
    });
  },
};
