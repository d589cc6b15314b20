import type { Source } from "./source.ts";

/** Rules added while running: "always" answers. */
export const session: Source = {
  kind: "session",
  writable: "memory",
  title: 'rules added while running ("always" answers), newest first',
  where: "in memory",
  places({ options }) {
    return options.session.length === 0
      ? []
      : [{ kind: "rules", path: "session", rules: options.session }];
  },
};
