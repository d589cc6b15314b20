import type { Action } from "../model/action.ts";
import type { Problem } from "../model/problem.ts";
import type { TomlMember, TomlTable } from "./toml_node.ts";
import { errorAt } from "./problems.ts";

/** The keys of a file that hold rules. */
export interface RuleKeys {
  /** `permissions.rules`. */
  readonly ordered: TomlMember | undefined;
  /** `rule`. */
  readonly older: TomlMember | undefined;
  /** The lists under `permissions`. */
  readonly buckets: readonly Action[];
  /** The table that holds the lists. */
  readonly permissions: TomlTable | undefined;
}

/** The one problem of a file that has its rules in more than one shape, at the shape to give up. */
export function mixedShapes(keys: RuleKeys): Problem | undefined {
  const { ordered, older, buckets, permissions } = keys;
  const lists = buckets.map((action) => `permissions.${action}`).join(", ");
  const list = buckets.map((action) => permissions?.members.get(action)).find(Boolean);
  if (ordered !== undefined && (older ?? list) !== undefined) {
    const others = [older && "[[rule]]", lists].filter(Boolean).join(" and ");
    return errorAt((older ?? list ?? ordered).key, {
      id: "mixed-shapes",
      message: `Cannot read the rules: the file has both [[permissions.rules]] and ${others}; ` +
        "keep [[permissions.rules]], whose order is the order of the file",
      hint: `Move the rules of ${others} into [[permissions.rules]]; for a file that has only ` +
        'one shape "caliban perms export FILE --format toml" does it',
    });
  }
  if (older === undefined || list === undefined) return undefined;
  return errorAt(list.key, {
    id: "mixed-shapes",
    message: `Cannot read the rules: the file has both [[rule]] and ${lists}; keep [[rule]], ` +
      "whose order is the order of the file",
    hint: `Move the rules of ${lists} into [[rule]], then let ` +
      '"caliban perms export FILE --format toml" write [[permissions.rules]]',
  });
}
